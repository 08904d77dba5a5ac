"""A segment since its baseline was pinned: is its AUROC worse, day by day and of late, and since when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

import numpy as np

from schemas import Auroc
from worker.measurement.change import ChangePoint, Check, Cusum, against_baseline, change_point, cusum, variance_of
from worker.measurement.corrected import Corrected
from worker.measurement.period import PeriodFigures

Outcome = Literal["worse", "same", "unknown"]


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


def watch(baseline: PeriodFigures, recent: PeriodFigures, days: Sequence[Day], delta: float) -> Watch:
    """`days`: the whole days since the baseline, in order; `recent`: the last few of them together. `delta`: the loss that is tolerated."""
    figure: Literal["corrected", "plain"] = "corrected" if _variance(baseline.corrected) else "plain"
    pinned, late = (getattr(one, figure) for one in (baseline, recent))
    each = [getattr(day.figures, figure) for day in days]
    values = np.array([np.nan if _variance(one) is None else one.auroc for one in each], dtype=np.float64)
    variances = np.array([_variance(one) or np.nan for one in each], dtype=np.float64)
    sums = None if _variance(pinned) is None else cusum(values, variances, pinned.auroc, _variance(pinned) or 0.0, delta)
    change = None if sums is None else change_point(values, variances)
    check = _check(pinned, late, delta)
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


def _check(pinned: Auroc | Corrected, late: Auroc | Corrected, delta: float) -> Check | None:
    before, now = _variance(pinned), _variance(late)
    if before is None or now is None or pinned.auroc is None or late.auroc is None:
        return None
    return against_baseline(late.auroc, now, pinned.auroc, before, delta)


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
