"""The running worker's proof of its ledger."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from prometheus_client import CollectorRegistry

from schemas import Limits
from tests.real_kafka import RealKafka, fresh_names
from tests.waiting import until
from worker.auditing import Auditor
from worker.settings import Settings
from worker.store.memory import MemoryStore
from worker.telemetry import Telemetry
from worker.topics import create_topics

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(120)]


@asynccontextmanager
async def auditing(settings: Settings, registry: CollectorRegistry) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(Auditor(settings, MemoryStore(), Telemetry(registry)).run(stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 30)


async def test_what_is_committed_without_an_account_is_counted_and_told(real_kafka: RealKafka, caplog: pytest.LogCaptureFixture) -> None:
    kafka = {"bootstrap_servers": real_kafka.bootstrap_servers, **fresh_names()}
    settings = Settings.model_validate({"kafka": kafka, "ledger": {"check_seconds": 0.1}})
    await create_topics(settings.kafka, Limits())
    topic, registry = settings.kafka.topics.labels, CollectorRegistry()
    consumer = AIOKafkaConsumer(
        bootstrap_servers=real_kafka.bootstrap_servers, group_id=settings.kafka.group_of(topic), enable_auto_commit=False
    )
    await consumer.start()
    try:
        consumer.assign([TopicPartition(topic, 1)])
        await consumer.commit({TopicPartition(topic, 1): 7})
    finally:
        await consumer.stop()

    async with auditing(settings, registry):
        await until(lambda: registry.get_sample_value("groundwatch_ledger_unbalanced") == 1, timeout=60)
    told = [record for record in caplog.records if getattr(record, "action", "") == "ledger_unbalanced"]
    assert (told[0].topic, told[0].partition) == (topic, 1)  # type: ignore[attr-defined]


async def test_a_broker_that_is_away_ends_nothing() -> None:
    settings = Settings.model_validate({"kafka": {"bootstrap_servers": "127.0.0.1:1"}, "ledger": {"check_seconds": 0.01}})
    registry = CollectorRegistry()
    async with auditing(settings, registry):
        await asyncio.sleep(0.2)
    assert registry.get_sample_value("groundwatch_ledger_unbalanced") == 0
