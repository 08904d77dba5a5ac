"""A lane on a real Kafka: what the client cannot parse, a broker that goes, a stop at any time."""

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.protocol.produce import ProduceRequest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.util import calc_crc32c
from prometheus_client import CollectorRegistry

from schemas import Limits
from tests.real_kafka import RealKafka, fresh_names
from tests.waiting import until
from worker.intake import Record, Unparsed
from worker.lane import Lane
from worker.load import Load
from worker.patience import Patience
from worker.settings import Kafka, Retry
from worker.settings import Load as LoadSettings
from worker.telemetry import Telemetry
from worker.topics import create_topics

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]


class Bench:
    """A lane over the responses' topic, and what it was given."""

    def __init__(self, bootstrap_servers: str, **settings: Any) -> None:
        self.kafka = Kafka.model_validate(
            {"bootstrap_servers": bootstrap_servers, "partitions": 2, "session_timeout_seconds": 6, "lag_seconds": 0.2}
            | fresh_names()
            | settings
        )
        self.topic = self.kafka.topics.responses
        self.stop = asyncio.Event()
        self.taken: list[Record] = []
        self.judging: list[Sequence[Record]] = []
        self.gates: dict[int, asyncio.Event] = {}
        """By a batch's first offset: what its scoring waits for."""
        self.patience = Patience(Retry(first_seconds=0.05, longest_seconds=0.2), self.stop)
        self.load = Load(LoadSettings())
        self.broken: int | None = None
        """The offset that cannot be settled."""
        self.lane = self.new_lane()

    def new_lane(self) -> Lane:
        telemetry = Telemetry(CollectorRegistry())
        return Lane(self.kafka, Limits(), topic=self.topic, handle=self, load=self.load, patience=self.patience, telemetry=telemetry)

    async def judge(self, records: Sequence[Record]) -> Sequence[Record]:
        self.judging.append(records)
        if gate := self.gates.get(records[0].offset):
            await gate.wait()
        return records

    async def settle(self, records: Sequence[Record]) -> None:
        if records[0].offset == self.broken:
            raise LookupError
        self.taken += records

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        task = asyncio.create_task(self.lane.run(self.stop))
        try:
            yield task
        finally:
            self.stop.set()
            await asyncio.wait_for(task, 40)


async def send(kafka: Kafka, topic: str, *values: bytes, partition: int = 0) -> None:
    async with AIOKafkaProducer(bootstrap_servers=kafka.bootstrap_servers) as producer:
        for value in values:
            await producer.send_and_wait(topic, value, partition=partition)


async def send_with_broken_header(kafka: Kafka, topic: str) -> None:
    """A message with a header whose name is not UTF-8, as a client in C may send it."""
    builder = DefaultRecordBatchBuilder(
        magic=2, compression_type=0, is_transactional=0, producer_id=-1, producer_epoch=-1, base_sequence=-1, batch_size=999
    )
    builder.append(0, timestamp=int(time.time() * 1000), key=None, value=b"broken", headers=[("NAME", b"v")])
    batch = builder.build().replace(b"NAME", b"\xff\xfe\xfd\xfc")
    struct.pack_into(">I", batch, 17, calc_crc32c(bytes(batch[21:])))
    async with AIOKafkaProducer(bootstrap_servers=kafka.bootstrap_servers) as producer:
        await producer.partitions_for(topic)
        request = ProduceRequest(required_acks=-1, timeout=10_000, topics=[(topic, [(0, bytes(batch))])], transactional_id=None)
        await producer.client.send(producer.client.cluster.leader_for_partition(TopicPartition(topic, 0)), request)


async def test_a_message_that_the_client_cannot_parse_is_passed_over_and_nothing_else_is_lost(real_kafka: RealKafka) -> None:
    bench = Bench(real_kafka.bootstrap_servers)
    await create_topics(bench.kafka, Limits())
    await send(bench.kafka, bench.topic, b"0", b"1", b"2")
    await send(bench.kafka, bench.topic, b"a", b"b", b"c", partition=1)
    await send_with_broken_header(bench.kafka, bench.topic)
    await send(bench.kafka, bench.topic, b"4")

    async with bench.running():
        await until(lambda: {record.value for record in bench.taken} >= {b"4", b"c"})
    values = {(record.partition, record.offset): record.value for record in bench.taken}
    assert [values[0, offset] for offset in range(5)] == [b"0", b"1", b"2", None, b"4"]
    assert [values[1, offset] for offset in range(3)] == [b"a", b"b", b"c"]
    assert [record.offset for record in bench.taken if isinstance(record, Unparsed)] == [3]


async def test_a_broker_that_goes_is_named_and_is_no_stall(real_kafka: RealKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.lane.ANSWER_SECONDS", 3)
    bench = Bench(real_kafka.bootstrap_servers)
    await create_topics(bench.kafka, Limits())
    async with bench.running():
        await until(lambda: bench.lane.condition().ready)
        real_kafka.kill()
        await until(lambda: not bench.lane.condition().ready)
        bench.load.waiting = 5
        assert bench.lane.stalled_seconds() == 0
        real_kafka.start()
        await send(bench.kafka, bench.topic, b"after")
        await until(lambda: bench.taken and bench.lane.condition().ready, timeout=60)


async def test_a_stop_while_the_broker_is_away_is_prompt(real_kafka: RealKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.lane.ANSWER_SECONDS", 3)
    bench = Bench(real_kafka.bootstrap_servers)
    await create_topics(bench.kafka, Limits())
    async with bench.running() as task:
        await until(lambda: bench.lane.condition().ready)
        real_kafka.kill()
        await until(lambda: not bench.lane.condition().ready)
        bench.stop.set()
        await asyncio.wait_for(task, 20)


async def test_a_stop_while_joining_is_no_error() -> None:
    bench = Bench("127.0.0.1:1")
    async with bench.running() as task:
        await until(lambda: bench.patience.waiting_for)
        bench.stop.set()
        await asyncio.wait_for(task, 20)


async def test_two_batches_are_in_hand_at_once_and_are_settled_in_their_order(real_kafka: RealKafka) -> None:
    bench = Bench(real_kafka.bootstrap_servers, batch_events=1)
    bench.gates[0] = asyncio.Event()
    await create_topics(bench.kafka, Limits())
    await send(bench.kafka, bench.topic, *(b"%d" % number for number in range(4)))
    async with bench.running():
        await until(lambda: len(bench.judging) == 2)
        assert bench.taken == []
        bench.gates[0].set()
        await until(lambda: len(bench.taken) == 4)
    assert [record.offset for record in bench.taken] == [0, 1, 2, 3]


async def test_a_stop_finishes_the_batches_in_hand_and_commits_them(real_kafka: RealKafka) -> None:
    first = Bench(real_kafka.bootstrap_servers, batch_events=1)
    first.gates |= {0: asyncio.Event(), 1: asyncio.Event()}
    await create_topics(first.kafka, Limits())
    await send(first.kafka, first.topic, *(b"%d" % number for number in range(4)))
    async with first.running():
        await until(lambda: len(first.judging) == 2)
        first.stop.set()
        for gate in first.gates.values():
            gate.set()
    assert [record.offset for record in first.taken] == [0, 1]

    second = Bench(real_kafka.bootstrap_servers)
    second.kafka, second.topic = first.kafka, first.topic
    second.lane = second.new_lane()
    async with second.running():
        await until(lambda: len(second.taken) == 2)
    assert [record.offset for record in second.taken] == [2, 3]


async def test_a_batch_that_fails_ends_the_lane_and_nothing_behind_it_is_committed(real_kafka: RealKafka) -> None:
    bench = Bench(real_kafka.bootstrap_servers, batch_events=1)
    bench.broken = 1
    await create_topics(bench.kafka, Limits())
    await send(bench.kafka, bench.topic, *(b"%d" % number for number in range(4)))
    with pytest.raises(LookupError):
        await asyncio.wait_for(bench.lane.run(bench.stop), 60)
    assert [record.offset for record in bench.taken] == [0]
