"""Labels through the whole path: Kafka, LabelTriage, Postgres, the pairs acknowledged, the offsets committed; then the pairs' monitor."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from prometheus_client import CollectorRegistry

from benchmarks.scaling.pairs import EPOCH, SEED, response_id, scores
from benchmarks.services import Services
from schemas import AurocSnapshot, Decision, Explanations, Meta, Pair, ScoreStatus, Verdict, encode
from worker.intake import Record
from worker.lane import Handle, Lane
from worker.monitor.service import Monitor
from worker.patience import Patience
from worker.policy import decision_id
from worker.publishing import Publisher
from worker.settings import Settings
from worker.store import Position, Scored, Segment, Store, Texts
from worker.store.postgres import PostgresStore
from worker.telemetry import Telemetry
from worker.topics import create_topics, open_producer
from worker.triage import Collaborators, LabelTriage

LABELS: Final = 20_000
WAIT_SECONDS: Final = 300
"""Longest time for all of them."""
_AT_ONCE: Final = 500


def measure(services: Services, labels: int = LABELS) -> list[dict[str, Any]]:
    """One worker's rates: `labels_per_second` with `labels_per_batch` on average, and the monitor's `pairs_per_second`.

    Every label's response is decided in the store beforehand, and all labels wait in the topic, so that each part runs at its most.
    """
    return asyncio.run(_measure(services.settings(monitor={"check_seconds": 3600}), labels))


async def _measure(settings: Settings, labels: int) -> list[dict[str, Any]]:
    await create_topics(settings.kafka, settings.limits)
    store = await PostgresStore.connect(settings.store)
    try:
        await _decide(store, labels)
        await _send(settings, labels)
        async with asyncio.timeout(WAIT_SECONDS):
            batches, seconds = await _label(settings, store, labels)
            rate = await _monitor(settings)
    finally:
        await store.close()
    return [
        {
            "labels": labels,
            "labels_per_second": labels / seconds,
            "labels_per_batch": labels / batches,
            "pairs_per_second": rate,
        }
    ]


async def _decide(store: Store, count: int) -> None:
    rng = random.Random(SEED)
    for start in range(0, count, _AT_ONCE):
        await store.record([_scored(number, rng) for number in range(start, min(count, start + _AT_ONCE))])


def _scored(number: int, rng: random.Random) -> Scored:
    decision = Decision(
        decision_id=decision_id(response_id(number), "scaling"),
        response_id=response_id(number),
        dataset="scaling",
        model="one",
        decision=Verdict.REVIEW,
        confidence_pct=50,
        failure_type="none",
        hallucination_status="none",
        next_action="none",
        action_why="none",
        score_status=ScoreStatus.SCORED,
        scores=scores(rng, number % 2),
        explanations=Explanations(reason="none"),
        meta=Meta(passed=False, latency_ms=1, profile="scaling", rule="none", encoder="none"),
        fingerprint="scaling",
        question_sha256=None,
        response_sha256="",
        contexts_sha256=(),
        decided_at=EPOCH,
    )
    texts = Texts(question=None, response="", contexts=())
    return Scored(position=Position("scaling", 0, number), decision=decision, payload=encode(decision), texts=texts)


async def _send(settings: Settings, count: int) -> None:
    """Each label with its response id for a key, as senders do."""
    async with open_producer(settings.kafka, settings.limits) as producer:
        for number in range(count):
            value = {"response_id": response_id(number), "label": number % 2, "annotator": "benchmark", "labelled_at": EPOCH}
            await producer.send(settings.kafka.topics.labels, orjson.dumps(value), key=response_id(number).encode())


async def _label(settings: Settings, store: Store, count: int) -> tuple[int, float]:
    """How many batches all labels took, and seconds from the first one in hand to the last one's pairs acknowledged."""
    stop = asyncio.Event()
    patience = Patience(settings.retry, stop)
    publisher = Publisher(settings.kafka, settings.limits)
    telemetry = Telemetry(CollectorRegistry())
    triage = LabelTriage(
        Collaborators(
            store=store,
            publisher=publisher,
            patience=patience,
            topics=settings.kafka.topics,
            limits=settings.limits,
            telemetry=telemetry,
            now=lambda: datetime.now(UTC),
        )
    )
    batches: list[tuple[float, int, float]] = []

    async def handle(records: Sequence[Record]) -> None:
        started = time.perf_counter()
        await triage(records)
        batches.append((started, len(records), time.perf_counter()))
        if sum(size for _, size, _ in batches) >= count:
            stop.set()

    lane = Lane(settings.kafka, settings.limits, topic=settings.kafka.topics.labels, handle=handle, patience=patience, telemetry=telemetry)
    try:
        await lane.run(stop)
    finally:
        await publisher.close()
    return len(batches), batches[-1][2] - batches[0][0]
