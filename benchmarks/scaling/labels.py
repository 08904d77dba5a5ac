"""Labels through the whole path: Kafka, LabelTriage, Postgres, the pairs acknowledged, the offsets committed; then the pairs' monitor."""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from typing import Final

import orjson
from prometheus_client import CollectorRegistry

from benchmarks.decided import decided
from benchmarks.lane import collaborators, lane_over
from benchmarks.scaling.pairs import EPOCH, SEED, scores
from benchmarks.services import Services
from schemas import AurocSnapshot, Pair
from worker.errors import BrokerUnavailable
from worker.intake import Record
from worker.monitor.service import Monitor
from worker.settings import Settings
from worker.store import Outcome, Scored, Segment, Store, Texts
from worker.store.postgres import PostgresStore
from worker.topics import create_topics, open_producer
from worker.triage import Collaborators, LabelTriage

LABELS: Final = 20_000
TIMES: Final = 3
WAIT_SECONDS: Final = 300
"""Longest time for all of them."""
_AT_ONCE: Final = 500


def measure(services: Services, labels: int = LABELS, times: int = TIMES) -> Iterator[dict[str, float]]:
    """One worker's rates, `times` over: `labels_per_second` with `labels_per_batch` on average, and the monitor's `pairs_per_second`.

    Every label's response is decided in the store beforehand, and all labels wait in the topic, so that each part runs at its most.
    """
    for number in range(times):
        yield asyncio.run(_measure(services.settings(monitor={"check_seconds": 3600}), labels, model=f"model-{number}"))


async def _measure(settings: Settings, labels: int, model: str) -> dict[str, float]:
    await create_topics(settings.kafka, settings.limits)
    store = await PostgresStore.connect(settings.store)
    try:
        await _decide(store, labels, model)
        await _send(settings, labels, model)
        async with asyncio.timeout(WAIT_SECONDS):
            batches, seconds = await _label(settings, store, labels)
            segment = Segment("scaling", model)
            rate = await _monitor(settings, segment, (await store.window(segment, 1))[0].seq)
    finally:
        await store.close()
    return {"labels": labels, "labels_per_second": labels / seconds, "labels_per_batch": labels / batches, "pairs_per_second": rate}


async def _decide(store: Store, count: int, model: str) -> None:
    rng = random.Random(SEED)
    for start in range(0, count, _AT_ONCE):
        await store.record([_scored(number, model, rng) for number in range(start, min(count, start + _AT_ONCE))])


def _scored(number: int, model: str, rng: random.Random) -> Scored:
    texts = Texts(question=None, response="", contexts=())
    return decided(f"{model}-{number}", number, EPOCH, of="scaling", model=model, scores=scores(rng, number % 2), texts=texts)


async def _send(settings: Settings, count: int, model: str) -> None:
    """Each label with its response id for a key, as senders do."""
    async with open_producer(settings.kafka, settings.limits) as producer:
        for number in range(count):
            response_id = f"{model}-{number}"
            value = {"response_id": response_id, "label": number % 2, "annotator": "benchmark", "labelled_at": EPOCH}
            await producer.send(settings.kafka.topics.labels, orjson.dumps(value), key=response_id.encode())


async def _label(settings: Settings, store: Store, count: int) -> tuple[int, float]:
    """How many batches all labels took, and seconds from the first one in hand to the last one's pairs acknowledged."""
    stop = asyncio.Event()
    async with collaborators(settings, store, stop) as use:
        timed = Timed(use, count, stop)
        await lane_over(settings.kafka.topics.labels, timed, settings, use).run(stop)
    return timed.batches, timed.ended - timed.started


class Timed(LabelTriage):
    """Stops the lane once `count` labels are settled."""

    def __init__(self, use: Collaborators, count: int, stop: asyncio.Event) -> None:
        super().__init__(use)
        self._left, self._stop = count, stop
        self.batches = 0
        self.started = self.ended = 0.0

    async def judge(self, records: Sequence[Record]) -> list[Outcome]:
        """See LabelTriage."""
        self.started = self.started or time.perf_counter()
        return await super().judge(records)

    async def settle(self, outcomes: Sequence[Outcome]) -> None:
        """See LabelTriage."""
        await super().settle(outcomes)
        self.batches += 1
        self.ended = time.perf_counter()
        self._left -= len(outcomes)
        if self._left <= 0:
            self._stop.set()


class Unread(PostgresStore):
    """A store whose windows are empty, so that a monitor fills its own from the topic."""

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """None."""
        return ()


async def _monitor(settings: Settings, segment: Segment, last_seq: int) -> float:
    """Pairs a second that a monitor takes in, publishes and saves, between its first snapshot and that of the last pair."""
    stop = asyncio.Event()
    store = await Unread.connect(settings.store)
    task = asyncio.create_task(Monitor(settings, store, CollectorRegistry()).run(stop))
    try:
        first = await _snapshot(store, segment, 1, task)
        last = await _snapshot(store, segment, last_seq, task)
    finally:
        stop.set()
        await task
        await store.close()
    return (last.last_seq - first.last_seq) / (last.taken_at - first.taken_at).total_seconds()


async def _snapshot(store: Store, segment: Segment, seq: int, monitor: asyncio.Task[None]) -> AurocSnapshot:
    """The segment's newest snapshot, once it reaches up to `seq`."""
    while not monitor.done():
        for found in await store.latest_snapshots():
            if (found.dataset, found.model) == segment and found.last_seq >= seq:
                return found
        await asyncio.sleep(0.05)
    raise BrokerUnavailable("the monitor ended before it had taken in every pair; its log says why")
