"""Triage without a detector, beside a consumer that does nothing with its messages."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final

import orjson
from aiokafka import AIOKafkaConsumer

from benchmarks.lane import collaborators, lane_over
from benchmarks.services import Services
from detectors import Answer, Assessment, load_profile
from schemas import ScoreStatus
from worker.garbage import collect_garbage_rarely
from worker.load import Load
from worker.policy import DetectorIdentity, Policy
from worker.rollout import Contender, Lineup, Rollout
from worker.scorer import Poison
from worker.settings import Settings
from worker.store.memory import MemoryStore
from worker.topics import create_topics, open_producer
from worker.triage import ResponseTriage

SECONDS: Final = 120
"""Longest wait for what was sent to arrive."""


class NoOp:
    """Says the same of every answer."""

    def __init__(self) -> None:
        names = load_profile("default").claims
        assert names is not None
        scores = dict.fromkeys(("final", "attribution", "specificity", "relevance", "context_quality", *names.names), 0.9)
        self._assessment = Assessment(status=ScoreStatus.SCORED, scores=scores, evidence_coverage=1.0)

    async def assess(self, answers: Sequence[Answer]) -> list[Assessment | Poison]:
        """See worker.triage.Assesses."""
        return [self._assessment] * len(answers)


def response_id(number: int) -> str:
    """Of the event with that number."""
    return f"r-{number}"


def event(answer: Answer, number: int) -> bytes:
    """`answer` as a response event of its own."""
    content = {"response_id": response_id(number), "dataset": "felm", "model": "benchmark"}
    return orjson.dumps(content | answer.model_dump(include={"question", "response", "contexts"}))


async def send(settings: Settings, events: Sequence[bytes], due: Sequence[float] | None = None) -> list[float]:
    """Publish `events` to the topic of responses, each when it is `due` (seconds from now), else at once.

    Gives the time at which each was sent; all are acknowledged.
    """
    async with open_producer(settings.kafka, settings.limits) as producer:
        sent, times, started = [], [], time.time()
        for value, moment in zip(events, due or [0.0] * len(events), strict=True):
            await asyncio.sleep(max(0.0, started + moment - time.time()))
            times.append(time.time())
            sent.append(await producer.send(settings.kafka.topics.responses, value))
        await asyncio.gather(*sent)
    return times


async def measure(services: Services, answers: Sequence[Answer], count: int) -> dict[str, float]:
    """Messages a second of the raw consumer and of triage, each on the same `count` events."""
    settings = services.settings()
    await create_topics(settings.kafka, settings.limits)
    await send(settings, [event(answers[number % len(answers)], number) for number in range(count)])
    return {"raw consumer": await _raw(settings, count), "triage, no detector": await _triage(settings, count)}


async def _raw(settings: Settings, count: int) -> float:
    consumer = AIOKafkaConsumer(
        settings.kafka.topics.responses,
        bootstrap_servers=settings.kafka.bootstrap_servers,
        group_id=f"{settings.kafka.group}.raw",
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    async with consumer, asyncio.timeout(SECONDS):
        clock = Progress(count)
        while not clock.done.is_set():
            clock.took(sum(map(len, (await consumer.getmany(timeout_ms=100)).values())))
    return clock.rate


class Progress:
    """From the first message on: the clock starts with it, and it does not count."""

    def __init__(self, count: int) -> None:
        self._left, self.done = count, asyncio.Event()
        self._started, self._ended = 0.0, 0.0
        self.counted = 0
        """Messages that the rate is made of."""

    def took(self, messages: int) -> None:
        """So many more have arrived at their end."""
        self._ended = time.perf_counter()
        if self._started:
            self.counted += messages
        elif messages:
            self._started = self._ended
        self._left -= messages
        if self._left <= 0:
            self.done.set()

    @property
    def rate(self) -> float:
        """Messages a second."""
        return self.counted / (self._ended - self._started)


async def _triage(settings: Settings, count: int) -> float:
    stop, clock = asyncio.Event(), Progress(count)
    identity = DetectorIdentity(fingerprint="no-op", profile="no-op", encoder="none")
    policy = Policy(load_profile("default").rules)
    async with collaborators(settings, MemoryStore(), stop) as use:
        rollout = Rollout(Lineup(champion=Contender(scorer=NoOp(), detector=identity, policy=policy)))
        triage = ResponseTriage(use, rollout=rollout, sampling=settings.sampling, load=Load(settings.load))
        lane = lane_over(settings.kafka.topics.responses, Counted(triage, clock), settings, use)
        collect_garbage_rarely()
        running = asyncio.create_task(lane.run(stop))
        try:
            async with asyncio.timeout(SECONDS):
                await asyncio.wait({running, asyncio.ensure_future(clock.done.wait())}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.set()
            await running
    return clock.rate


class Counted:
    """A handle that tells `clock` of every batch that is settled."""

    def __init__(self, inner: ResponseTriage, clock: Progress) -> None:
        self._inner, self._clock = inner, clock
        self.judge = inner.judge

    async def settle(self, batch: Any) -> None:
        """See Handle."""
        await self._inner.settle(batch)
        self._clock.took(len(batch.taken))
