"""A production whose days pass: what a watch sees each evening, and the truth that only the simulation knows."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import compress, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.traffic import GAP, Traffic, auroc_at, gap_at, judged_of, traffic
from worker.measurement.cells import BINS, Cell
from worker.measurement.period import PeriodFigures, measure_period
from worker.measurement.watch import Day, Span, Watch, spans, watch
from worker.settings import Gate, Sampling

START: Final = datetime(2026, 3, 1, tzinfo=UTC)
DAYS: Final = 40
PINNED: Final = 14
"""Days of the baseline."""
FALLS: Final = 21
"""Days until the model degrades, where it does."""
REVIEW: Final = 0.065
"""Reviewers' share of what was flagged: with the audit slice 3 % of all answers have a label."""
MEDIAN_HOURS: Final = 12.0
"""Of the time from an answer to its label …"""
SPREAD: Final = 1.1
"""… whose logarithm is normal with this deviation: a twentieth takes less than 2 hours, a twentieth more than 3 days."""
RECENT: Final = 7
AT_MOST: Final = 60
"""As `groundwatch baseline` has them."""
_VERDICTS: Final = ("ACCEPT", "REJECT", "REVIEW")


class Regime(NamedTuple):
    """What is true from one day to another."""

    span: Span
    plain: float
    """AUROC of the answers that could have been labelled, each counting by its chance of it."""
    corrected: float
    """AUROC of all answers."""


class Production:
    """`answers` in 40 days, spread evenly. The AUROC falls by `fall` when FALLS days have passed. Same `seed`, same production."""

    def __init__(self, answers: int, *, fall: float = 0.0, seed: int = 0) -> None:
        self.fall = fall
        self.served = (np.arange(answers) + 0.5) / answers * DAYS
        rise = np.where(self.served < FALLS, 0.0, GAP - gap_at(auroc_at(GAP) - fall))
        self.seen: Traffic = traffic(answers, audit=Sampling().audit, review=REVIEW, seed=seed, rise=rise)
        self._labelled = np.flatnonzero(self.seen.labelled)
        delays = MEDIAN_HOURS / 24 * np.random.default_rng([seed, 1]).lognormal(sigma=SPREAD, size=self._labelled.size)
        self._known = self.served[self._labelled] + delays
        self._judged = judged_of(self.seen)
        self._codes = np.searchsorted(_VERDICTS, self.seen.verdicts) * BINS + np.clip(self.seen.scores * BINS, 0, BINS - 1).astype(int)

        self._measured: dict[tuple[int, int, int], PeriodFigures] = {}

    def evenings(self) -> Iterator[tuple[int, Watch]]:
        """The days that have passed, and what `groundwatch baseline` then says; from the first whole day after the pinned ones on."""
        for passed in range(PINNED + 1, DAYS + 1):
            yield passed, self.watch(passed)

    def watch(self, passed: int) -> Watch:
        """With the labels that have come until then."""
        now = START + timedelta(days=passed)
        measured = spans(Span(START, START + timedelta(days=PINNED)), now, recent=RECENT, at_most=AT_MOST)
        each = [Day(span.since.date(), self.measure(span, now)) for span in measured.days]
        pinned, recent = (self.measure(span, now) for span in measured[:2])
        return watch(pinned, recent, each, Gate().delta, alpha=measured.alpha)

    def measure(self, span: Span, now: datetime | None = None) -> PeriodFigures:
        """Of the answers served then; without `now` with every label that ever comes."""
        served, limit = self._places(span), np.inf if now is None else _days(now)
        first, last = np.searchsorted(self._labelled, (served.start, served.stop))
        known = self._known[first:last] <= limit
        key = served.start, served.stop, int(known.sum())  # labels only ever come: as many are the same ones
        if key not in self._measured:
            self._measured[key] = measure_period(list(compress(self._judged[first:last], known)), self._cells(served))
        return self._measured[key]

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        """One, or two where the model degrades."""
        bounds = (0, FALLS, DAYS) if self.fall else (0, DAYS)
        return tuple(self._regime(Span(*(START + timedelta(days=at) for at in ends))) for ends in pairwise(bounds))

    def _regime(self, span: Span) -> Regime:
        grounded, scores, chances = (of[self._places(span)] for of in (self.seen.grounded, self.seen.scores, self.seen.chances))
        return Regime(span, *(float(roc_auc_score(grounded, scores, sample_weight=weights)) for weights in (chances, None)))

    def _places(self, span: Span) -> slice:
        return slice(*np.searchsorted(self.served, [_days(span.since), _days(span.until)]).tolist())

    def _cells(self, served: slice) -> dict[Cell, int]:
        counts: NDArray[np.intp] = np.bincount(self._codes[served])
        return {(_VERDICTS[code // BINS], code % BINS): int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def _days(moment: datetime) -> float:
    return (moment - START) / timedelta(days=1)
