"""Whose decisions bind the serving path: the champion's, but for a share of the conversations, where a challenger's do."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from detectors import Answer, Assessment
from schemas import ResponseEvent
from worker.errors import InfrastructureError
from worker.intake import drawn
from worker.patience import stopped_within
from worker.policy import DetectorIdentity, Policy
from worker.scorer import Poison
from worker.store import Store

log = logging.getLogger("groundwatch")


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


class Rollout:
    """A champion, and perhaps a challenger that judges the same answers beside it."""

    def __init__(self, champion: Contender, challenger: Contender | None = None, *, share: float = 0.0) -> None:
        self.champion = champion
        self.challenger = challenger
        self._share = share
        """Of the conversations: where the challenger's decisions bind. Once it is the champion it has them all."""

    def promote(self, fingerprint: str) -> bool:
        """Make the challenger the champion if it has this fingerprint; the former champion goes on in its shadow."""
        if self.challenger is None or self.challenger.fingerprint != fingerprint:
            return False
        self.champion, self.challenger, self._share = self.challenger, self.champion, 0.0
        return True

    def challenged(self, event: ResponseEvent) -> bool:
        """Whether the challenger's decision on this answer binds: the same for all answers of a conversation."""
        return drawn(event.conversation_id or event.response_id, self._share, b"canary")


class Follower:
    """The part of a worker that learns of promotions, so that a promoted challenger is in force everywhere without a restart."""

    def __init__(self, store: Store, rollout: Rollout, seconds: float) -> None:
        self._store = store
        self._rollout = rollout
        self._seconds = seconds

    async def follow(self) -> None:
        """Bring the newest promotion into force. Raises StoreUnavailable."""
        for newest in (await self._store.promotions())[:1]:
            if self._rollout.promote(newest.fingerprint):
                log.info("the challenger is the champion now", extra={"action": "promoted", "fingerprint": newest.fingerprint})

    async def run(self, stop: asyncio.Event) -> None:
        """Follow until `stop`; without a challenger there is nothing to follow."""
        while self._rollout.challenger is not None and not await stopped_within(stop, self._seconds):
            try:
                await self.follow()
            except InfrastructureError as silent:  # the lanes wait for the same, and say so
                log.debug("no promotion is known of: %s", silent, extra={"action": "promotions_left_out"})
