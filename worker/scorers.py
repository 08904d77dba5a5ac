"""Several scorer processes as one."""

import asyncio
import time
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Final, TypeVar, cast

from detectors import Answer, Assessment
from worker.errors import ScorerUnavailable
from worker.load import Load
from worker.policy import DetectorIdentity
from worker.scorer import COMMAND, Poison, Scorer
from worker.settings import Scorer as ScorerSettings

T = TypeVar("T")

_BOUND: Final = 1.5
"""How much more than its share of the text a process may have before it counts as busy."""


class Scorers:
    """`settings.processes` scorers.

    Answers to the same contexts go to the same process, which remembers what it read, unless that one is busy: hashing with bounded
    loads (Mirrokni, Thorup & Zadimoghaddam, SODA 2018).
    """

    def __init__(self, settings: ScorerSettings, load: Load, command: Sequence[str] = COMMAND) -> None:
        self._scorers = [Scorer(settings, command) for _ in range(settings.processes)]
        self._turns = [asyncio.Lock() for _ in self._scorers]
        self._queued = [0] * len(self._scorers)
        """Characters that each still has to read."""
        self._load = load

    @property
    def restarts(self) -> int:
        """How often a process had to be started again."""
        return sum(scorer.restarts for scorer in self._scorers)

    @property
    def pids(self) -> list[int]:
        """The process ids of those that run."""
        return [scorer.pid for scorer in self._scorers if scorer.pid]

    async def start(self) -> DetectorIdentity:
        """The identity of the detector, loaded in every process. Raises ScorerUnavailable, or WrongProfile."""
        identity, *others = await _all(self._start(scorer) for scorer in range(len(self._scorers)))
        if any(other != identity for other in others):
            await self.stop()
            raise ScorerUnavailable(
                "the scorer processes have loaded different detectors: the profile was changed, or a model failed to load"
            )
        return identity

    async def assess(self, answers: Sequence[Answer]) -> list[Assessment | Poison]:
        """One result an answer, in order. Raises ScorerUnavailable when a process cannot be started."""
        shed = self._load.shed
        shares = self._shares(answers)
        found = await _all(self._assess(i, [answers[at] for at in share], shed) for i, share in shares.items())
        results = {at: result for share, part in zip(shares.values(), found, strict=True) for at, result in zip(share, part, strict=True)}
        return [results[at] for at in range(len(answers))]

    async def stop(self) -> None:
        """End the processes; they finish nothing."""
        await asyncio.gather(*(scorer.stop() for scorer in self._scorers))

    def _shares(self, answers: Sequence[Answer]) -> dict[int, list[int]]:
        """Which answers, by index, go to which scorer."""
        bound = _BOUND * (sum(self._queued) + sum(map(_size, answers))) / len(self._scorers)
        shares: dict[int, list[int]] = {}
        for at, answer in enumerate(answers):
            scorer = self._scorer_for(answer, bound)
            self._queued[scorer] += _size(answer)
            shares.setdefault(scorer, []).append(at)
        return shares

    def _scorer_for(self, answer: Answer, bound: float) -> int:
        """The first that has room, from the contexts' own one on; else that with least to read."""
        first, count = hash(answer.contexts), len(self._scorers)
        turns = [(first + step) % count for step in range(count)]
        roomy = (i for i in turns if not self._queued[i] or self._queued[i] + _size(answer) <= bound)
        return next(roomy, min(turns, key=self._queued.__getitem__))

    async def _assess(self, scorer: int, answers: Sequence[Answer], shed: int) -> list[Assessment | Poison]:
        """By that scorer, or by the next one that can be started."""
        try:
            for step in range(len(self._scorers)):
                try:
                    return await self._assess_by((scorer + step) % len(self._scorers), answers, shed)
                except ScorerUnavailable as unavailable:
                    failure = unavailable
            raise failure
        finally:
            self._queued[scorer] -= sum(map(_size, answers))

    async def _assess_by(self, number: int, answers: Sequence[Answer], shed: int) -> list[Assessment | Poison]:
        async with self._turns[number]:
            scorer, started = self._scorers[number], time.monotonic()
            restarts = scorer.restarts
            results = await scorer.assess(answers, shed)
            if scorer.restarts == restarts:  # else the models were loaded meanwhile
                self._load.measured(shed, len(answers), (time.monotonic() - started) / len(self._scorers))
            return results

    async def _start(self, number: int) -> DetectorIdentity:
        async with self._turns[number]:
            return await self._scorers[number].start()


async def _all(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results, once all have ended: none goes on behind the back of who tries again. Raises the first failure."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return cast(list[T], results)


def _size(answer: Answer) -> int:
    return 1 + len(answer.response) + sum(map(len, answer.contexts))
