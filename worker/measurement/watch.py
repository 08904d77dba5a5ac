"""A segment since its baseline was pinned: is its AUROC worse, day by day and of late, and since when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple

import numpy as np

from schemas import Auroc
from worker.measurement.change import ChangePoint, Check, Cusum, against_baseline, change_point, cusum, variance_of
from worker.measurement.corrected import Corrected
from worker.measurement.period import PeriodFigures

Outcome = Literal["worse", "same", "unknown"]

_ALPHA: Final = 0.05


class Span(NamedTuple):
    """From `since` on and before `until`, both UTC."""

    since: datetime
    until: datetime


class Spans(NamedTuple):
    """What is measured in order to watch a segment."""

    pinned: Span
    recent: Span
    """The last days until now, whole or not."""
    days: tuple[Span, ...]
    """The whole days (of UTC) in order."""
    alpha: float
    """Of the check of the recent days: less while they are fewer than asked for, since whoever looks every day would else be alarmed most
    often while there are the fewest labels."""


class Day(NamedTuple):
    """A day's figures."""

    day: date
    figures: PeriodFigures


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What the labels say of a segment since its baseline."""

    outcome: Outcome
    """`worse`: of late it surely lost more than is tolerated, or the losses of the days add up to an alarm; `unknown`: the labels do not
    tell; `same` otherwise."""
    reason: str
    figure: Literal["corrected", "plain"]
    """Of all answers, or of the labelled ones where the baseline's labels do not bear out the former."""
    baseline: Auroc | Corrected
    recent: Auroc | Corrected
    check: Check | None
    """The recent figure against the baseline; None where one of them is absent."""
    alarm: date | None
    """The day on which the losses of the days had added up to an alarm."""
    sums: Cusum | None
    change: ChangePoint | None
    """Of the days' figures; None where there is no baseline."""
    changed: date | None
    """The first day after the likeliest change, where that is no chance (p at most .01)."""


def spans(pinned: Span, now: datetime, *, recent: int, at_most: int) -> Spans:
    """`recent`: how many days until now; `at_most`: how many whole days to look back at. None of them reaches into the pinned period."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    starts = (today - timedelta(days=back) for back in range(at_most, 0, -1))
    days = tuple(Span(start, start + timedelta(days=1)) for start in starts if start >= pinned.until)
    late = Span(max(pinned.until, now - timedelta(days=recent)), now)
    return Spans(pinned, late, days, _ALPHA * min(1.0, (late.until - late.since) / timedelta(days=recent)))


def watch(baseline: PeriodFigures, recent: PeriodFigures, days: Sequence[Day], delta: float, *, alpha: float = _ALPHA) -> Watch:
    """`days`: the whole days since the baseline, in order; `recent`: the last few of them together. `delta`: the loss that is tolerated;
    `alpha`: how often the recent days alone may falsely be called worse, or the same.

    Each day counts by its labels. Its own variance would not do: days on which, by chance, no hallucinated answer was accepted have a high
    AUROC and a small variance, so that weighing by it is off by a multiple of any change looked for.
    """
    figure: Literal["corrected", "plain"] = "corrected" if _variance(baseline.corrected) else "plain"
    pinned, late = (getattr(one, figure) for one in (baseline, recent))
    each = [getattr(day.figures, figure) for day in days]
    values = np.array([np.nan if _variance(one) is None else one.auroc for one in each], dtype=np.float64)
    variances = _of_a_label(pinned, late) / np.array([_labels(one) or np.nan for one in each], dtype=np.float64)
    sums = None if _variance(pinned) is None else cusum(values, variances, pinned.auroc, _variance(pinned) or 0.0, delta)
    change = None if sums is None else change_point(values, variances)
    check = _check(pinned, late, delta, alpha)
    alarm = days[sums.alarm].day if sums is not None and sums.alarm is not None else None
    outcome, reason = _outcome(check, alarm, pinned, late)
    return Watch(
        outcome=outcome,
        reason=reason,
        figure=figure,
        baseline=pinned,
        recent=late,
        check=check,
        alarm=alarm,
        sums=sums,
        change=change,
        changed=days[change.place].day if change is not None and change.place is not None and (change.p or 0.0) <= 0.01 else None,
    )


def _variance(figure: Auroc | Corrected) -> float | None:
    """None, too, for an interval of all of 0 to 1, which says nothing."""
    return variance_of(figure) if figure.low is not None and figure.high is not None and (figure.low, figure.high) != (0.0, 1.0) else None


def _labels(figure: Auroc | Corrected) -> float:
    """What its variance falls with: its labels, or, of two classes, half their harmonic mean."""
    if isinstance(figure, Corrected):
        return figure.labels
    return figure.grounded * figure.hallucinated / max(1, figure.grounded + figure.hallucinated)


def _of_a_label(*figures: Auroc | Corrected) -> float:
    """The variance that a figure of one label would have, from figures of many, which count by their labels; NaN where none has one."""
    known = [(labels := _labels(one), labels * variance) for one in figures if (variance := _variance(one))]
    return sum(labels * one for labels, one in known) / sum(labels for labels, _ in known) if known else np.nan


def _check(pinned: Auroc | Corrected, late: Auroc | Corrected, delta: float, alpha: float) -> Check | None:
    before, now = _variance(pinned), _variance(late)
    if before is None or now is None or pinned.auroc is None or late.auroc is None:
        return None
    return against_baseline(late.auroc, now, pinned.auroc, before, delta, alpha=alpha)


def _outcome(check: Check | None, alarm: date | None, pinned: Auroc | Corrected, late: Auroc | Corrected) -> tuple[Outcome, str]:
    if check is not None and check.verdict == "worse":
        return "worse", f"lost {-check.difference:.3f}, at least {-check.high:.3f}"
    if alarm is not None:
        return "worse", f"the losses of the days add up to an alarm on {alarm}"
    if check is None:
        which, figure = ("the baseline", pinned) if _variance(pinned) is None else ("the recent days", late)
        return "unknown", f"{which}: {(figure.reason or 'too few labels').replace('_', ' ')}"
    if check.verdict == "unknown":
        return "unknown", f"{check.difference:+.3f}, between {check.low:+.3f} and {check.high:+.3f}: too few labels to rule a loss out"
    return "same", f"{check.difference:+.3f}, at worst {check.low:+.3f}"
