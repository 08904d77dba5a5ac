"""Whose decisions bind the serving path: the champion's, but for a share of the conversations, where a challenger's do."""

import asyncio
import logging
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from detectors import Answer, Assessment
from schemas import ResponseEvent
from worker.errors import ScorerUnavailable, WrongProfile
from worker.intake import drawn
from worker.policy import DetectorIdentity, Policy
from worker.scorer import Poison

Challenge = asyncio.Task[list[Assessment | Poison]]
"""A batch that a challenger is at."""

log = logging.getLogger("groundwatch")


class Assesses(Protocol):
    """Who scores."""

    def assess(self, answers: Sequence[Answer]) -> Coroutine[Any, Any, list[Assessment | Poison]]:
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
    wait_seconds: float = 0.0
    """How long a batch that the champion has judged waits for the challenger."""
    batches: int = field(default=0, init=False)
    """That are being judged by it."""
    idle: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when the last batch of a line-up that is no longer in force has been judged."""
    _late: set[Challenge] = field(default_factory=set, init=False)
    """Batches that the challenger is still at although nobody waits any more."""

    def promoted(self, fingerprint: str | None) -> "Lineup":
        """With the challenger as the champion if it has this fingerprint: it has all conversations then, the former champion none."""
        if self.challenger is None or self.challenger.fingerprint != fingerprint:
            return self
        return replace(self, champion=self.challenger, challenger=self.champion, share=0.0)

    def challenged(self, event: ResponseEvent) -> bool:
        """Whether the challenger's decision on this answer binds: the same for all answers of a conversation."""
        return drawn(event.conversation_id or event.response_id, self.share, b"canary")

    def challenge(self, answers: Sequence[Answer]) -> Challenge | None:
        """Give a batch to the challenger; None while it is still at an earlier one."""
        if self.challenger is None or self._late or not answers:
            return None
        return asyncio.create_task(self.challenger.scorer.assess(answers))

    async def answer(self, challenge: Challenge | None) -> Sequence[Assessment | Poison] | None:
        """What the challenger says; None when it has not said it in time, or cannot. Never a reason to fail."""
        if challenge is None:
            return None
        if not (await asyncio.wait({challenge}, timeout=self.wait_seconds))[0]:
            self._late.add(challenge)
            challenge.add_done_callback(self._ended)
            log.warning("the challenger is late and left out until it is done", extra={"action": "challenger_late"})
            return None
        try:
            return challenge.result()
        except (ScorerUnavailable, WrongProfile) as unavailable:
            log.warning("the challenger does not score: %s", unavailable, extra={"action": "challenger_unavailable"})
            return None

    async def retire(self) -> None:
        """Stop what is late."""
        late = tuple(self._late)
        for challenge in late:
            challenge.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _ended(self, challenge: Challenge) -> None:
        self._late.discard(challenge)
        if not challenge.cancelled() and (failure := challenge.exception()):
            log.warning("the challenger does not score: %s", failure, extra={"action": "challenger_unavailable"})


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
        """Make the challenger the champion if it has this fingerprint."""
        promoted = self.lineup.promoted(fingerprint)
        if promoted is self.lineup:
            return False
        self.bring_in(promoted)
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
            await self._former.pop(0).retire()

    def _release(self, lineup: Lineup) -> None:
        if lineup is not self.lineup and not lineup.batches:
            lineup.idle.set()
