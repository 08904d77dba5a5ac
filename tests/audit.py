"""What must be true of a worker's work, whatever happened on the way."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import asyncpg
import orjson
import pytest
from aiokafka import AIOKafkaConsumer
from sklearn.metrics import roc_auc_score

from schemas import AurocSnapshot, Pair
from tests.waiting import until
from worker.auditing import audit_all
from worker.settings import Kafka
from worker.store import Segment, Store
from worker.topics import topic_partitions

WINDOW = 1000


async def fetch(database: str, query: str, *arguments: Any) -> list[Mapping[str, Any]]:
    """Rows of a query on the tables of groundwatch."""
    connection = await asyncpg.connect(database, server_settings={"search_path": "groundwatch"})
    try:
        return list(await connection.fetch(query, *arguments))
    finally:
        await connection.close()


async def assert_each_decision_is_one_row_and_one_payload(database: str, kafka: Kafka, responses: Iterable[str]) -> None:
    """Each of `responses` has one row and nothing else has one; the topic holds each with the row's bytes and no others."""
    published: dict[str, set[bytes]] = defaultdict(set)
    for key, value in await read_topic(kafka, kafka.topics.decisions):
        published[key.decode()].add(value)
    rows = await fetch(database, "SELECT response_id, payload::text AS payload FROM decisions")
    assert sorted(row["response_id"] for row in rows) == sorted(responses)
    assert {row["response_id"]: {row["payload"].encode()} for row in rows} == published


async def assert_the_ledger_balances(store: Store, kafka: Kafka) -> None:
    """As `groundwatch ledger` finds it, nothing waits and no offset is a gap."""
    findings = await audit_all(kafka, store)
    assert not [(one.partition, one.problems) for one in findings if one.problems]
    assert not [(one.partition, one.lag) for one in findings if one.lag]
    assert not [one.row for one in findings if one.row and one.row.gaps]


async def assert_auroc_is_scikit_learns(store: Store, kafka: Kafka) -> None:
    """Of every segment that has pairs the latest snapshot, in the store and on the topic, shows them all."""
    await until(lambda: snapshots_show_the_pairs(store), timeout=60, every=0.5)
    published = {key: AurocSnapshot.model_validate_json(value) for key, value in await read_topic(kafka, kafka.topics.auroc)}
    stored = await store.latest_snapshots()
    segments = await store.segments()
    assert {Segment(snapshot.dataset, snapshot.model) for snapshot in stored} == set(segments)
    for snapshot in stored:
        assert is_scikit_learns(snapshot, await store.window(Segment(snapshot.dataset, snapshot.model), WINDOW))
        last = published[orjson.dumps([snapshot.dataset, snapshot.model])]
        assert last.scores == snapshot.scores


def is_scikit_learns(snapshot: AurocSnapshot, pairs: Sequence[Pair]) -> bool:
    """Whether each of its figures is what scikit-learn makes of `pairs`: absent without both labels."""
    return all(figure.auroc == pytest.approx(_scikit_auroc(pairs, name), abs=1e-9) for name, figure in snapshot.scores.items())


def _scikit_auroc(pairs: Sequence[Pair], score: str) -> float | None:
    held = [(pair.label, pair.scores[score]) for pair in pairs if pair.scores.get(score) is not None]
    if len({label for label, _ in held}) < 2:
        return None
    return float(roc_auc_score([label for label, _ in held], [value for _, value in held]))


async def snapshots_show_the_pairs(store: Store) -> bool:
    """Whether the monitor has seen every pair and every label."""
    shown = {Segment(each.dataset, each.model): each for each in await store.latest_snapshots()}
    for segment in await store.segments():
        pairs, shot = await store.window(segment, WINDOW), shown.get(segment)
        if shot is None or (shot.pairs, shot.last_seq) != (len(pairs), pairs[-1].seq) or not is_scikit_learns(shot, pairs):
            return False
    return True


async def read_topic(kafka: Kafka, topic: str) -> list[tuple[bytes, bytes]]:
    """Everything on a topic, in order within each partition."""
    partitions = (await topic_partitions(kafka))[topic]
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=kafka.bootstrap_servers, auto_offset_reset="earliest")
    await consumer.start()
    try:
        await until(lambda: len(consumer.assignment()) == partitions)
        ends = await consumer.end_offsets(list(consumer.assignment()))
        read: list[tuple[bytes, bytes]] = []
        while any([await consumer.position(at) < end for at, end in ends.items()]):
            for records in (await consumer.getmany(timeout_ms=500)).values():
                read += [(record.key, record.value) for record in records]
        return read
    finally:
        await consumer.stop()
