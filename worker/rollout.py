"""Whose decisions bind the serving path: the champion's, but for a share of the conversations, where a challenger's do."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from detectors import Answer, Assessment
from schemas import ResponseEvent
from worker.intake import drawn
from worker.policy import DetectorIdentity, Policy
from worker.scorer import Poison


class Assesses(Protocol):
    """Who scores."""

    async def assess(self, answers: Sequence[Answer]) -> list[Assessment | Poison]:
        """One result an answer, in order."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A detector that is ready to score, and the policy that goes with it."""

    scorer: Assesses
    detector: DetectorIdentity
    policy: Policy

    @property
    def fingerprint(self) -> str:
        """Of its decisions."""
        return self.detector.fingerprint


@dataclass(kw_only=True)
class Lineup:
    """A champion, and perhaps a challenger that judges the same answers beside it."""

    champion: Contender
    challenger: Contender | None = None
    share: float = 0.0
    """Of the conversations: where the challenger's decisions bind."""
    batches: int = field(default=0, init=False)
    """That are being judged by it."""
    idle: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when the last batch of a line-up that is no longer in force has been judged."""

    def challenged(self, event: ResponseEvent) -> bool:
        """Whether the challenger's decision on this answer binds: the same for all answers of a conversation."""
        return drawn(event.conversation_id or event.response_id, self.share, b"canary")


class Rollout:
    """Which line-up is in force."""

    def __init__(self, lineup: Lineup) -> None:
        self.lineup = lineup
        self._former: list[Lineup] = []

    @contextmanager
    def held(self) -> Iterator[Lineup]:
        """The line-up in force, for one batch: whatever comes into force meanwhile, this one can still judge."""
        lineup = self.lineup
        lineup.batches += 1
        try:
            yield lineup
        finally:
            lineup.batches -= 1
            self._release(lineup)

    def promote(self, fingerprint: str) -> bool:
        """Make the challenger the champion if it has this fingerprint. It has all conversations then, the former champion none."""
        champion, challenger = self.lineup.champion, self.lineup.challenger
        if challenger is None or challenger.fingerprint != fingerprint:
            return False
        self.bring_in(replace(self.lineup, champion=challenger, challenger=champion, share=0.0))
        return True

    def bring_in(self, lineup: Lineup) -> None:
        """Bring another line-up into force."""
        self._former.append(self.lineup)
        self.lineup = lineup
        self._release(self._former[-1])

    async def drained(self) -> None:
        """Return when no batch needs a former line-up any more."""
        while self._former:
            await self._former[0].idle.wait()
            del self._former[0]

    def _release(self, lineup: Lineup) -> None:
        if lineup is not self.lineup and not lineup.batches:
            lineup.idle.set()
