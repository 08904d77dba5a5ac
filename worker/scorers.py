"""Several scorer processes as one."""

import asyncio
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeVar, cast

from cachetools import LRUCache

from detectors import Answer, Assessment
from worker.errors import ScorerUnavailable
from worker.load import Load
from worker.policy import DetectorIdentity
from worker.scorer import COMMAND, Poison, Scorer
from worker.settings import Scorer as ScorerSettings

T = TypeVar("T")

_REMEMBERED: Final = 0.05
"""What a character of a passage that a process remembers costs, as a share of one that it has to read."""

_PREFERRED: Final = 4
"""How much an answer's own work weighs against the work before it: reading a passage again delays whatever comes after."""

_BYTES_A_CHARACTER: Final = 450
"""What remembering it takes, roughly."""


class _Process:
    """A scorer, and what is known of it: which passages it remembers, how much it was given to read and how much of that is left."""

    def __init__(self, settings: ScorerSettings, command: Sequence[str]) -> None:
        self.scorer, self.turn = Scorer(settings, command), asyncio.Lock()
        self.given, self.left = 0.0, 0.0
        """In characters."""
        self._remembers: LRUCache[int, int] = LRUCache(settings.memory_megabytes * 1_000_000, getsizeof=lambda size: size)

    def work(self, answer: Answer) -> float:
        """Characters to read for `answer`."""
        return 1 + len(answer.response) + sum(len(one) * (_REMEMBERED if hash(one) in self._remembers else 1) for one in answer.contexts)

    def give(self, answer: Answer) -> float:
        """The work of `answer`, now to be done."""
        work = self.work(answer)
        self.given, self.left = self.given + work, self.left + work
        for passage in answer.contexts:
            if (size := _BYTES_A_CHARACTER * len(passage)) <= self._remembers.maxsize:
                self._remembers[hash(passage)] = size
        return work

    def forget(self) -> None:
        """It was started anew."""
        self._remembers.clear()


class Scorers:
    """`settings.processes` scorers. An answer goes where it would be done first, so mostly to a process that remembers its contexts."""

    def __init__(self, settings: ScorerSettings, load: Load, command: Sequence[str] = COMMAND) -> None:
        self._processes = [_Process(settings, command) for _ in range(settings.processes)]
        self._load = load

    @property
    def restarts(self) -> int:
        """How often a process had to be started again."""
        return sum(process.scorer.restarts for process in self._processes)

    @property
    def pids(self) -> list[int]:
        """The process ids of those that run."""
        return [process.scorer.pid for process in self._processes if process.scorer.pid]

    async def start(self) -> DetectorIdentity:
        """The identity of the detector, loaded in every process. Raises ScorerUnavailable, or WrongProfile."""
        identity, *others = await _all(map(self._start, self._processes))
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
        found = await _all(self._assess(share, [answers[at] for at in share.places], shed) for share in shares)
        results = {at: result for share, part in zip(shares, found, strict=True) for at, result in zip(share.places, part, strict=True)}
        return [results[at] for at in range(len(answers))]

    async def stop(self) -> None:
        """End the processes; they finish nothing."""
        await asyncio.gather(*(process.scorer.stop() for process in self._processes))

    def _shares(self, answers: Sequence[Answer]) -> list["_Share"]:
        """Answers to the same contexts are given out one after the other: they stay together unless others would wait for nothing."""
        shares: dict[int, _Share] = {}
        together: dict[tuple[str, ...], list[int]] = {}
        for at, answer in enumerate(answers):
            together.setdefault(answer.contexts, []).append(at)
        for at in chain.from_iterable(together.values()):
            answer = answers[at]
            first = min(range(len(self._processes)), key=lambda i: self._done_after(i, answer))
            share = shares.setdefault(first, _Share(first))
            share.places.append(at)
            share.work += self._processes[first].give(answer)
        return list(shares.values())

    def _done_after(self, number: int, answer: Answer) -> tuple[float, float]:
        """How late that process would be done with `answer`; of equals, the one that was given less comes first."""
        process = self._processes[number]
        return process.left + _PREFERRED * process.work(answer), process.given

    async def _assess(self, share: "_Share", answers: Sequence[Answer], shed: int) -> list[Assessment | Poison]:
        """By its process, or by the next one that can be started."""
        try:
            for step in range(len(self._processes)):
                try:
                    return await self._assess_by(self._processes[(share.process + step) % len(self._processes)], answers, shed)
                except ScorerUnavailable as unavailable:
                    failure = unavailable
            raise failure
        finally:
            self._processes[share.process].left -= share.work

    async def _assess_by(self, process: _Process, answers: Sequence[Answer], shed: int) -> list[Assessment | Poison]:
        async with process.turn:
            started, restarts = time.monotonic(), process.scorer.restarts
            results = await process.scorer.assess(answers, shed)
            if process.scorer.restarts == restarts:  # else the models were loaded meanwhile
                self._load.measured(shed, len(answers), (time.monotonic() - started) / len(self._processes))
            else:
                process.forget()
            return results

    @staticmethod
    async def _start(process: _Process) -> DetectorIdentity:
        async with process.turn:
            return await process.scorer.start()


@dataclass
class _Share:
    """The answers of a batch, by their places, that one process scores."""

    process: int
    places: list[int] = field(default_factory=list)
    work: float = 0.0


async def _all(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results, once all have ended: none goes on behind the back of who tries again. Raises the first failure."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return cast(list[T], results)
