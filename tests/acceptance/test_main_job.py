"""The main job: events in from Kafka, decisions out to a topic and Postgres, AUROC as labels arrive; a kill in the middle loses nothing.

With ACCEPTANCE=full every labelled set is sent whole; otherwise the first rows of each.
"""

import os
import random
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

import pytest
from pydantic import SecretStr

from benchmarks import datasets
from schemas import LabelEvent, Limits, ResponseEvent, encode
from tests.acceptance.command import environment, groundwatch
from tests.acceptance.conftest import Broker
from tests.acceptance.worker_process import WorkerProcess
from tests.audit import assert_auroc_is_scikit_learns, assert_each_decision_is_one_row_and_one_payload, assert_the_ledger_balances, fetch
from tests.waiting import until
from worker.demo.corpus import load_corpus
from worker.kafka import Message, stream_producer
from worker.settings import Store as StoreSettings
from worker.settings import Topics
from worker.store.postgres import PostgresStore

pytestmark = pytest.mark.services

FULL = os.environ.get("ACCEPTANCE") == "full"
SETS = Path(__file__).parents[3] / "shared" / "data"
ROWS = None if FULL else 12
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
        return [(one.event, LabelEvent(response_id=one.event.response_id, label=one.kind.label)) for one in load_corpus()]
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

    await assert_each_decision_is_one_row_and_one_payload(database, any_broker.kafka, [event.response_id for event, _ in events])
    await assert_the_ledger_balances(store, any_broker.kafka)
    settings = environment() | any_broker.environment | {"GROUNDWATCH_STORE__DSN": database}
    ran = groundwatch("ledger", "--json", env=settings)
    assert ran.code == 0, (ran.out, ran.err)
    assert len(await fetch(database, "SELECT 1 FROM dead_letters")) == 50
    await assert_auroc_is_scikit_learns(store, any_broker.kafka)
    assert worker.stop() == 0


async def decided(store: PostgresStore) -> int:
    return sum(sum(counts.values()) for counts in (await store.decision_counts()).values())


async def _at_least(store: PostgresStore, count: int) -> bool:
    return await decided(store) >= count


async def _accounted(store: PostgresStore, messages: int) -> bool:
    return sum(row.next_offset for row in await store.ledger()) >= messages


async def publish(broker: Broker, traffic: list[Message]) -> None:
    producer = stream_producer(broker.kafka, Limits())
    await producer.start()
    try:
        for message in traffic:
            await producer.send(message.topic, key=message.key, value=message.value)
        await producer.flush()
    finally:
        await producer.stop()
