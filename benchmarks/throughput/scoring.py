"""The scorer alone, beside the seeds' two detectors as one would first write them."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.reference import Gatekeeper, Hybrid
from benchmarks.throughput.processes import peak_megabytes
from detectors import Answer, Assessment, Detector, load_profile
from detectors.encoder import PACKAGED, load_model
from worker.load import IN_HAND, Load
from worker.scorer import Poison
from worker.scorers import Scorers
from worker.settings import Kafka
from worker.settings import Load as LoadSettings
from worker.settings import Scorer as ScorerSettings

WARM_UP: Final = tuple(
    Answer(question="How far?", response="It is nine miles.", contexts=(f"Road {i} is nine miles long.",)) for i in range(16)
)
"""Scored before the clock starts: the first answer loads what is loaded late."""


@dataclass
class Spent:
    """Answers and the seconds that they took."""

    answers: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds

    def add(self, answers: int, seconds: float) -> None:
        """Count more of the same."""
        self.answers += answers
        self.seconds += seconds


class Reference:
    """Both seeds' detectors in this process, PyTorch with as many threads as it takes by itself."""

    def __init__(self) -> None:
        import spacy  # noqa: PLC0415 - heavy

        profile = load_profile("seed")
        self.model: Any = load_model(PACKAGED)
        self._hybrid = Hybrid(self.model, spacy.load(profile.entities.model))
        self._gatekeeper = Gatekeeper(self.model, profile.hedges)
        self.seconds(WARM_UP)

    def seconds(self, answers: Sequence[Answer]) -> float:
        """What they take."""
        started = time.perf_counter()
        for answer in answers:
            self._hybrid.score(answer.response, answer.contexts)
            self._gatekeeper.score(answer.question or "", answer.response, answer.contexts)
        return time.perf_counter() - started

    def pieces(self, answers: Sequence[Answer]) -> float:
        """Mean word pieces of an answer's texts, none cut."""
        texts = [text for answer in answers for text in (answer.question or "", answer.response, *answer.contexts)]
        read = self.model.tokenizer(texts, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        return sum(map(len, read)) / len(answers)


@asynccontextmanager
async def running_scorers(settings: ScorerSettings) -> AsyncIterator[tuple[Scorers, Load]]:
    """Scorer processes, their models loaded and warm, and how fast they are."""
    load = Load(LoadSettings())
    scorers = Scorers(settings, load)
    try:
        await scorers.start()
        await scorers.assess(WARM_UP)
        yield scorers, load
    finally:
        await scorers.stop()


async def assess(scorers: Scorers, load: Load, answers: Sequence[Answer]) -> tuple[list[Assessment], float]:
    """The assessments of `answers` and the seconds that they took, in batches as a worker with a backlog takes them in hand."""
    started = time.perf_counter()
    in_hand: deque[asyncio.Task[list[Assessment | Poison]]] = deque()
    found: list[Assessment | Poison] = []
    at = 0
    while at < len(answers) or in_hand:
        if at == len(answers) or len(in_hand) == IN_HAND:
            found += await in_hand.popleft()
        else:
            size = load.batch(Kafka().batch_events)
            in_hand.append(asyncio.create_task(scorers.assess(answers[at : at + size])))
            at = min(len(answers), at + size)
    return [one for one in found if isinstance(one, Assessment)], time.perf_counter() - started


@dataclass
class Variant:
    """One way to score, with what was measured of it and of the reference on answers of the same stream."""

    settings: ScorerSettings
    answers: Sequence[Answer]
    own: Spent = field(default_factory=Spent)
    reference: Spent = field(default_factory=Spent)
    megabytes: Sequence[int] = ()
    """Peak memory of each scorer process."""

    @property
    def ratio(self) -> float:
        """How many times as many answers a second as the reference."""
        return self.own.rate / self.reference.rate

    async def measure(self, reference: Reference, rounds: int, referred: int, advance: Callable[[int], None]) -> list[Assessment]:
        """Score all answers in `rounds` turns with the reference, which takes `referred` of each turn's, for it is slow."""
        assessments: list[Assessment] = []
        size = len(self.answers) // rounds
        async with running_scorers(self.settings) as (scorers, load):
            for turn in range(rounds):
                part = self.answers[turn * size : (turn + 1) * size]
                sample = part[:: max(1, len(part) // referred)][:referred]
                self.reference.add(len(sample), reference.seconds(sample))
                found, seconds = await assess(scorers, load, part)
                self.own.add(len(part), seconds)
                assessments += found
                advance(1)
            self.megabytes = [peak_megabytes(pid) for pid in scorers.pids]
        return assessments


@dataclass(frozen=True)
class Agreement:
    """How scores of batches, several processes and a memory differ from those of one answer at a time without any."""

    answers: int
    largest: float
    """Greatest difference of any score."""
    statuses: float
    """Share of answers with the same status, spans and absent scores."""


def agreement(detector: Detector, answers: Sequence[Answer], assessments: Sequence[Assessment]) -> Agreement:
    """Compare `assessments` with what `detector` says of each of `answers` by itself."""
    largest, same = 0.0, 0
    for answer, found in zip(answers, assessments, strict=True):
        [alone] = detector.assess([answer])
        pairs = [(alone.scores[name], found.scores[name]) for name in alone.scores]
        largest = max([largest, *(abs(a - b) for a, b in pairs if a is not None and b is not None)])
        same += (alone.status, alone.spans, alone.missing_signals) == (found.status, found.spans, found.missing_signals)
    return Agreement(len(answers), largest, same / len(answers))
