"""The main job: events in from Kafka, decisions out to a topic and Postgres, AUROC as labels arrive; a kill in the middle loses nothing.

With ACCEPTANCE=full every labelled set is sent whole; otherwise the first rows of each.
"""

import os
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

import asyncpg
import orjson
import pytest
from aiokafka import AIOKafkaConsumer
from pydantic import SecretStr
from sklearn.metrics import roc_auc_score

from benchmarks import datasets
from schemas import AurocSnapshot, LabelEvent, Limits, Pair, ResponseEvent, encode
from tests.acceptance.command import environment, groundwatch
from tests.acceptance.conftest import Broker
from tests.acceptance.worker_process import WorkerProcess
from tests.waiting import until
from worker.demo.corpus import load_corpus
from worker.kafka import Message, stream_producer
from worker.settings import Store as StoreSettings
from worker.settings import Topics
from worker.store import Segment
from worker.store.postgres import PostgresStore

pytestmark = pytest.mark.services

FULL = os.environ.get("ACCEPTANCE") == "full"
SETS = Path(__file__).parents[3] / "shared" / "data"
ROWS = None if FULL else 12
WINDOW = 1000
PARTITIONS = 4
SECONDS = 7200 if FULL else 170
RUBBISH = (
    b"{",
    b"\xff\xfe",
    b"[]",
    b'{"response_id": "x"}',
    b'{"response_id": 7, "contexts": [], "response": ""}',
    b"NaN",
    b'{"schema_version": "9.0"}',
)

Labelled = tuple[ResponseEvent, LabelEvent]


def labelled_events() -> list[Labelled]:
    """The labelled sets where they are at hand, the demo's corpus otherwise."""
    if not SETS.is_dir():
        return [(item.response, item.label) for item in load_corpus()]
    names = [name for name in datasets.NAMES if (SETS / name.split("_")[0]).is_dir() and name not in {"felm", "medhalt"}]
    return [event for name in names for event in islice(_spread(datasets.load(name, SETS)), ROWS)]


def _spread(events: Iterator[Labelled]) -> Iterator[Labelled]:
    """Long contexts only in the full run: the subset is about the flow, not the encoder."""
    return events if FULL else (event for event in events if sum(map(len, event[0].contexts)) < 3000)


def shuffled_traffic(events: list[Labelled], topics: Topics, draw: random.Random) -> list[Message]:
    """Responses and labels in one random order, so half the labels come first; 5 % of the responses twice; 50 malformed messages."""
    responses = [event for event, _ in events]
    responses += draw.sample(responses, len(responses) // 20)
    traffic = [Message(topic=topics.responses, key=event.response_id.encode(), value=encode(event)) for event in responses]
    traffic += [Message(topic=topics.labels, key=label.response_id.encode(), value=encode(label)) for _, label in events]
    traffic += [Message(topic=(topics.responses, topics.labels)[i % 2], key=None, value=RUBBISH[i % len(RUBBISH)]) for i in range(50)]
    draw.shuffle(traffic)
    return traffic


@pytest.fixture
async def store(database: str) -> AsyncIterator[PostgresStore]:
    opened = await PostgresStore.connect(StoreSettings(dsn=SecretStr(database)))
    yield opened
    await opened.close()


@pytest.fixture
def worker(tmp_path: Path, any_broker: Broker, database: str) -> Iterator[WorkerProcess]:
    process = WorkerProcess(
        tmp_path,
        kafka=any_broker.kafka.bootstrap_servers,
        database=database,
        GROUNDWATCH_KAFKA__LAG_SECONDS="0.5",
        **any_broker.environment,
    )
    yield process
    process.kill()


@pytest.mark.timeout(SECONDS + 60)
async def test_every_answer_is_judged_once_through_a_kill_in_the_middle(
    worker: WorkerProcess, store: PostgresStore, any_broker: Broker, database: str
) -> None:
    events = labelled_events()
    traffic = shuffled_traffic(events, any_broker.kafka.topics, random.Random(20260101))
    worker.start()
    await publish(any_broker, traffic)
    await until(lambda: decided(store), timeout=SECONDS / 2, every=0.2)
    await until(lambda: _at_least(store, len(events) // 4), timeout=SECONDS / 2, every=0.2)
    worker.kill()
    worker.start()
    await worker.until_ready()
    await until(lambda: _accounted(store, len(traffic)), timeout=SECONDS, every=0.5)
    await until(lambda: snapshots_show_the_pairs(store), timeout=60, every=0.5)

    assert await decided(store) == len(events)
    await assert_each_decision_is_one_row_and_one_payload(database, any_broker, len(events))
    await assert_the_ledger_balances(store, any_broker, database)
    assert await _count(database, "dead_letters") == 50
    await assert_auroc_is_scikit_learns(store, any_broker)
    assert worker.stop() == 0


async def assert_each_decision_is_one_row_and_one_payload(database: str, broker: Broker, expected: int) -> None:
    published: dict[bytes, set[bytes]] = defaultdict(set)
    for key, value in await read_topic(broker, broker.kafka.topics.decisions):
        published[key].add(value)
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch("SELECT response_id, payload::text AS payload FROM groundwatch.decisions")
    finally:
        await connection.close()
    assert len(rows) == expected
    assert {row["response_id"].encode(): {row["payload"].encode()} for row in rows} == published


async def assert_the_ledger_balances(store: PostgresStore, broker: Broker, database: str) -> None:
    assert all(row.balance == 0 and row.gaps == 0 for row in await store.ledger())
    ran = groundwatch(
        "ledger",
        "--json",
        env=environment() | broker.environment | {"GROUNDWATCH_STORE__DSN": database},
    )
    assert ran.code == 0, (ran.out, ran.err)


async def assert_auroc_is_scikit_learns(store: PostgresStore, broker: Broker) -> None:
    published = {key: AurocSnapshot.model_validate_json(value) for key, value in await read_topic(broker, broker.kafka.topics.auroc)}
    stored = await store.latest_snapshots()
    segments = await store.segments()
    assert {Segment(snapshot.dataset, snapshot.model) for snapshot in stored} == set(segments)
    for snapshot in stored:
        pairs = await store.window(Segment(snapshot.dataset, snapshot.model), WINDOW)
        for name, figure in snapshot.scores.items():
            expected = scikit_auroc(pairs, name)
            assert (figure.auroc is None) == (expected is None)
            if figure.auroc is not None and expected is not None:
                assert figure.auroc == pytest.approx(expected, abs=1e-9)
        last = published[orjson.dumps([snapshot.dataset, snapshot.model])]
        assert last.scores == snapshot.scores


def scikit_auroc(pairs: list[Pair], score: str) -> float | None:
    held = [(pair.label, pair.scores[score]) for pair in pairs if pair.scores.get(score) is not None]
    if len({label for label, _ in held}) < 2:
        return None
    return float(roc_auc_score([label for label, _ in held], [value for _, value in held]))


async def snapshots_show_the_pairs(store: PostgresStore) -> bool:
    shown = {Segment(each.dataset, each.model): (each.pairs, each.last_seq) for each in await store.latest_snapshots()}
    for segment in await store.segments():
        pairs = await store.window(segment, WINDOW)
        if shown.get(segment) != (len(pairs), pairs[-1].seq):
            return False
    return True


async def decided(store: PostgresStore) -> int:
    return sum(sum(counts.values()) for counts in (await store.decision_counts()).values())


async def _at_least(store: PostgresStore, count: int) -> bool:
    return await decided(store) >= count


async def _accounted(store: PostgresStore, messages: int) -> bool:
    return sum(row.next_offset for row in await store.ledger()) >= messages


async def _count(database: str, table: str) -> int:
    connection = await asyncpg.connect(database)
    try:
        return int(await connection.fetchval(f"SELECT count(*) FROM groundwatch.{table}"))
    finally:
        await connection.close()


async def publish(broker: Broker, traffic: list[Message]) -> None:
    producer = stream_producer(broker.kafka, Limits())
    await producer.start()
    try:
        for message in traffic:
            await producer.send(message.topic, key=message.key, value=message.value)
        await producer.flush()
    finally:
        await producer.stop()


async def read_topic(broker: Broker, topic: str) -> list[tuple[bytes, bytes]]:
    """Everything on a topic, in order within each partition."""
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=broker.kafka.bootstrap_servers, auto_offset_reset="earliest")
    await consumer.start()
    try:
        await until(lambda: len(consumer.assignment()) == PARTITIONS)
        ends = await consumer.end_offsets(list(consumer.assignment()))
        read: list[tuple[bytes, bytes]] = []
        while any([await consumer.position(at) < end for at, end in ends.items()]):
            for records in (await consumer.getmany(timeout_ms=500)).values():
                read += [(record.key, record.value) for record in records]
        return read
    finally:
        await consumer.stop()
