"""A broker that dies, stays away, loses or changes its topics."""

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import NewPartitions, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from tests.acceptance.command import groundwatch
from tests.audit import fetch
from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600 if FULL else 180)]

AWAY_SECONDS = 180


async def test_a_broker_that_is_killed_and_returns(stand: Stand) -> None:
    async with stand.traffic():
        stand.broker.kill()
        stand.broker.start()
    await stand.audit()


@LONG
async def test_a_broker_that_is_away_for_long(stand: Stand) -> None:
    async with stand.traffic() as traffic:  # no client can send meanwhile, so it ends before the broker does
        await stand.until_decided(await traffic.sent())
    stand.broker.stop()
    await stand.until_not_ready("broker")
    await asyncio.sleep(AWAY_SECONDS)
    stand.broker.start()
    async with stand.traffic() as traffic:
        await stand.until_decided(await traffic.sent())
    await stand.audit()
    await stand.until_ready()


@LONG
async def test_a_broker_that_is_not_there_when_the_worker_starts(stand: Stand) -> None:
    for worker in stand.workers:
        assert worker.stop() == 0
    stand.broker.stop()
    for worker in stand.workers:
        worker.start()
    await stand.until_said("infrastructure_wait")
    stand.broker.start()
    await stand.until_ready()
    async with stand.traffic():
        await stand.until_said("partitions_assigned")
    await stand.audit()


async def test_partitions_that_are_added(stand: Stand) -> None:
    async with stand.traffic(), stand.admin() as admin:
        topics = (stand.kafka.topics.responses, stand.kafka.topics.labels)
        more = stand.partitions + 2
        await admin.create_partitions({topic: NewPartitions(total_count=more) for topic in topics})
        stand.partitions = more
        await asyncio.sleep(12)  # the clients of the sender look for new ones every ten seconds
    await stand.audit()


@LONG
@pytest.mark.parametrize("offset", [0, 10_000_000], ids=["expired", "beyond the end"])
async def test_offsets_out_of_range(stand: Stand, offset: int) -> None:
    async with stand.traffic():
        for worker in stand.workers:
            assert worker.stop() == 0
        await _expire_what_was_read(stand)
        await _commit(stand, offset)
        for worker in stand.workers:
            worker.start()
        await stand.until_ready()
    await stand.audit()


async def _expire_what_was_read(stand: Stand) -> None:
    """Remove the oldest messages, as retention does."""
    topic = stand.kafka.topics.responses
    rows = await fetch(stand.database, "SELECT partition, next_offset FROM ledger WHERE topic = $1", topic)
    async with stand.admin() as admin:
        await admin.delete_records(
            {TopicPartition(topic, row["partition"]): RecordsToDelete(before_offset=row["next_offset"]) for row in rows}
        )


async def _commit(stand: Stand, offset: int) -> None:
    topic = stand.kafka.topics.responses
    group = stand.kafka.group_of(topic)
    consumer = AIOKafkaConsumer(bootstrap_servers=stand.kafka.bootstrap_servers, group_id=group, enable_auto_commit=False)
    await consumer.start()
    try:
        partitions = [TopicPartition(topic, number) for number in range(stand.partitions)]
        consumer.assign(partitions)
        await consumer.commit(dict.fromkeys(partitions, offset))
    finally:
        await consumer.stop()


async def test_a_topic_that_takes_no_message_as_large_as_its_dead_letters(stand: Stand) -> None:
    async with stand.traffic() as traffic, stand.admin() as admin:
        topic = stand.kafka.topics.dead_letters
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, {"max.message.bytes": "2000"})])
        await traffic.send_rubbish(b"{" * 10_000)
        await stand.until_said("message_shortened")
    await stand.audit()


async def test_a_topic_that_is_deleted_and_made_anew(stand: Stand) -> None:
    """All that comes is judged; the ledger says what to do about the account, and that mends it."""
    topic = stand.kafka.topics.responses
    async with stand.traffic() as traffic:
        for _ in range(40):
            await traffic.send(stand.new_event())
    await stand.audit()
    kept, before = len(await fetch(stand.database, "SELECT 1 FROM dead_letters WHERE topic <> $1", topic)), stand.unusable
    async with stand.admin() as admin:
        await admin.delete_topics([topic])
    await stand.until_not_ready(f"the topic {topic} does not exist")
    assert groundwatch("topics", "create", env=stand.settings).code == 0
    stand.partitions = stand.kafka.partitions
    event = stand.new_event()
    async with stand.traffic(rate=1) as traffic:
        await traffic.send(event)
        await stand.until_decided(event)
        await stand.until_said("ledger_unbalanced")
    assert "was it made anew?" in groundwatch("ledger", env=stand.settings).err

    for worker in stand.workers:
        assert worker.stop() == 0
    stand.query(f"DELETE FROM groundwatch.ledger WHERE topic = '{topic}'", f"DELETE FROM groundwatch.dead_letters WHERE topic = '{topic}'")
    await stand.forget_group(stand.kafka.group_of(topic))
    stand.unusable = kept + stand.unusable - before
    for worker in stand.workers:
        worker.start()
    await stand.until_ready()
    await stand.audit()
