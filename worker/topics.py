"""The topics and offsets as the broker knows them; aiokafka's errors become BrokerUnavailable."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from schemas import Limits
from worker.access import client_arguments, reach
from worker.errors import BrokerUnavailable
from worker.kafka import broker_errors, largest_message, stream_producer
from worker.ledger import Partition
from worker.settings import Kafka

PATIENCE_SECONDS: Final = 10
"""Longest wait for one answer of the broker."""

_DAY_MS: Final = 24 * 3600 * 1000


@dataclass(frozen=True, kw_only=True)
class TopicState:
    """A topic after `create_topics`."""

    name: str
    partitions: int
    state: Literal["created", "present", "too_few_partitions"]


async def topic_partitions(kafka: Kafka) -> dict[str, int]:
    """Number of partitions of every topic that the broker has."""
    async with _admin(kafka) as admin:
        names = [name for name in await admin.list_topics() if not name.startswith("__")]
        described = await admin.describe_topics(names) if names else []
        return {topic["topic"]: len(topic["partitions"]) for topic in described}


async def create_topics(kafka: Kafka, limits: Limits) -> list[TopicState]:
    """Make those of groundwatch's topics that are absent, for messages as large as `limits` allow; those that exist stay as they are."""
    present = await topic_partitions(kafka)
    wanted = topic_configs(kafka, limits)
    async with _admin(kafka) as admin:
        absent = [
            NewTopic(name, kafka.partitions, kafka.replication_factor, topic_configs=configs)
            for name, configs in wanted.items()
            if name not in present
        ]
        if absent:
            _raise_for(await admin.create_topics(absent))
    return [_state(name, present.get(name), kafka.partitions) for name in wanted]


def topic_configs(kafka: Kafka, limits: Limits) -> dict[str, dict[str, str]]:
    """What each of groundwatch's topics is made with, by its name."""
    size = str(largest_message(limits))
    return {
        getattr(kafka.topics, topic): {"retention.ms": str(round(days * _DAY_MS)), "max.message.bytes": size}
        for topic, days in kafka.retention_days
    }


async def committed_offsets(kafka: Kafka, group: str, partitions: Iterable[Partition]) -> dict[Partition, int]:
    """The offsets that `group` has committed; partitions without one are absent."""
    async with _consumer(kafka, group_id=group) as consumer:
        found = {at: await consumer.committed(TopicPartition(*at)) for at in partitions}
    return {at: offset for at, offset in found.items() if offset is not None}


async def offset_bounds(kafka: Kafka, partitions: Iterable[Partition]) -> dict[Partition, tuple[int, int]]:
    """Oldest held and next offset of each partition."""
    wanted = [TopicPartition(*at) for at in partitions]
    if not wanted:
        return {}
    async with _consumer(kafka) as consumer:
        begins, ends = await consumer.beginning_offsets(wanted), await consumer.end_offsets(wanted)
    return {Partition(at.topic, at.partition): (begins[at], ends[at]) for at in wanted}


@asynccontextmanager
async def open_producer(kafka: Kafka, limits: Limits) -> AsyncIterator[AIOKafkaProducer]:
    """An idempotent producer; what it was given is acknowledged by all in-sync replicas when the block ends. Raises BrokerUnavailable."""
    producer = stream_producer(kafka, limits)
    async with _started(kafka, producer, producer.stop):
        yield producer


@asynccontextmanager
async def _admin(kafka: Kafka) -> AsyncIterator[AIOKafkaAdminClient]:
    client = AIOKafkaAdminClient(**client_arguments(kafka), request_timeout_ms=PATIENCE_SECONDS * 1000)
    async with _started(kafka, client, client.close):
        yield client


@asynccontextmanager
async def _consumer(kafka: Kafka, group_id: str | None = None) -> AsyncIterator[AIOKafkaConsumer]:
    consumer = AIOKafkaConsumer(
        **client_arguments(kafka),
        group_id=group_id,
        enable_auto_commit=False,
        request_timeout_ms=PATIENCE_SECONDS * 1000,
    )
    async with _started(kafka, consumer, consumer.stop):
        yield consumer


@asynccontextmanager
async def _started(kafka: Kafka, client: Any, end: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    with broker_errors(kafka):
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await reach(kafka, client.start)
            yield
        finally:
            await end()


def _raise_for(response: Any) -> None:
    """Another process may have made a topic meanwhile; every other refusal is an error."""
    for topic, code, *message in response.topic_errors:
        error = for_code(code)
        if code and error is not TopicAlreadyExistsError:
            raise BrokerUnavailable(
                f"topic {topic} could not be made: {error.__name__} {' '.join(part for part in message if part)}".strip()
            )


def _state(name: str, partitions: int | None, wanted: int) -> TopicState:
    if partitions is None:
        return TopicState(name=name, partitions=wanted, state="created")
    return TopicState(name=name, partitions=partitions, state="present" if partitions >= wanted else "too_few_partitions")
