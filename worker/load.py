"""How much there is to score and how fast that goes; from both, how much to take in hand and what to leave out."""

import logging
from typing import Final

from worker.settings import Load as LoadSettings

log = logging.getLogger("groundwatch.load")

IN_HAND: Final = 2
"""Batches in hand at once: one is scored while the one before it is written and published."""

_MEMORY: Final = 0.9
"""What an answer leaves of the figure before it in a running mean."""

_MESSAGE_MEMORY: Final = 0.99
"""The same of a message in the running share of those that are scored."""

_OUTLIER: Final = 4.0
"""A batch that cost more than this many times the mean, such as one with a book for a context, counts as this many."""


class Load:
    """`steps`: how many steps of load shedding there are. An answer's cost is measured apart for each of them.

    `guess`: seconds that an answer is taken to cost until that is known; without it everything that is there is taken in hand.
    """

    def __init__(self, settings: LoadSettings, steps: int = 0, guess: float | None = None) -> None:
        self._settings, self._guess = settings, guess
        self._seconds: list[float | None] = [None] * (steps + 1)
        self.shed = 0
        """Steps that are left out at present."""
        self._waiting = 0
        self._scored = 1.0

    @property
    def waiting(self) -> int:
        """Messages on the broker that nobody has taken to their end, as last measured; each figure changes `shed` by one step at most."""
        return self._waiting

    @waiting.setter
    def waiting(self, messages: int) -> None:
        self._waiting = messages
        self._adjust()

    def measured(self, shed: int, answers: int, seconds: float) -> None:
        """With `shed` steps left out, `answers` took `seconds` of all scorers."""
        cost, before = seconds / answers, self._seconds[shed]
        if before is None:
            self._seconds[shed] = cost
        else:
            kept = _MEMORY**answers
            self._seconds[shed] = kept * before + (1 - kept) * min(cost, _OUTLIER * before)

    def read(self, messages: int, answers: int) -> None:
        """Of `messages`, `answers` have to be scored; the others are repeated, sampled out or unusable, and cost next to nothing."""
        kept = _MESSAGE_MEMORY**messages
        self._scored = kept * self._scored + (1 - kept) * answers / messages

    def batch(self, most: int) -> int:
        """How many messages to take in hand at once, 1 to `most`, so that all batches in hand take about the time aimed at."""
        cost = self._guess if self._seconds[self.shed] is None else self._seconds[self.shed]
        if cost is None:
            return most
        return max(1, min(most, int(self._settings.latency_seconds / IN_HAND / max(cost * self._scored, 1e-9))))

    def _adjust(self) -> None:
        """A step is left out when the backlog would last too long, and taken up when it would be short with it: both by what an answer cost
        at that step, so that neither undoes the other."""
        if self.shed < len(self._seconds) - 1 and self._backlog(self.shed) > self._settings.shed_seconds:
            self._change(1)
        elif self.shed and self._backlog(self.shed - 1) < self._settings.resume_seconds:
            self._change(-1)

    def _backlog(self, shed: int) -> float:
        """Seconds that it takes to score what waits; 0 as long as nothing was measured."""
        return self.waiting * self._scored * (self._seconds[shed] or 0.0)

    def _change(self, by: int) -> None:
        self.shed += by
        log.warning(
            "load shedding: %d steps left out", self.shed, extra={"action": "load_shed", "shed": self.shed, "waiting": self.waiting}
        )
