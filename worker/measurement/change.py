"""Whether, and when, a series of AUROC estimates moved: looking back, day by day, and for one estimate against a pinned baseline.

Every estimate comes with its variance (`variance_of` takes it from the interval) and is independent of the others: their windows share no
answers. A rolling window measured every day breaks this, and finds changes that are none.
"""

import math
from statistics import NormalDist
from typing import Final, Literal, Protocol

import numpy as np
from scipy.special import expit, logit

from schemas.base import Model, Score
from worker.measurement.auroc import Floats, Z

_NORMAL: Final = NormalDist()
_ROUNDING: Final = 1e-9
"""Likelihood ratios this close are equal: the same sums, taken in another order."""


class ChangePoint(Model):
    """The likeliest single change of a series. All figures null, with a reason, when the series is too short."""

    place: int | None = None
    """Index of the first value after the change."""
    before: Score | None = None
    """Weighted mean of the values before it."""
    after: Score | None = None
    """Weighted mean of the values from it on."""
    p: Score | None = None
    """Chance of a change that looks as large somewhere in a series without one: already corrected for all the places looked at."""
    values: int
    """Estimates that were looked at."""
    reason: Literal["too_few"] | None = None
    """Why there is no figure."""


class Check(Model):
    """One estimate against a pinned baseline."""

    verdict: Literal["worse", "same", "unknown"]
    """`worse`: surely lost more than was tolerated; `same`: surely did not; `unknown`: the estimates are too uncertain to say either."""
    difference: Score
    """Estimate minus baseline."""
    low: Score
    """One-sided lower bound of the difference."""
    high: Score
    """One-sided upper bound of the difference."""


class Cusum(Model):
    """What has accumulated against a pinned baseline."""

    level: Score
    """After the last day, in standard errors of a day."""
    alarm: int | None
    """Index of the first day with a level over the limit; null when there is none."""
    run_length: Score
    """Mean days until an alarm when nothing got worse than tolerated."""
    days: int
    """Days that have an estimate."""


class Interval(Protocol):
    """A figure with its 95 % interval."""

    @property
    def low(self) -> float | None:
        """Its lower end."""

    @property
    def high(self) -> float | None:
        """Its upper end."""


def variance_of(figure: Interval) -> float | None:
    """The variance that the width of the 95 % interval stands for; None where there is no figure."""
    if figure.low is None or figure.high is None:
        return None
    return ((figure.high - figure.low) / (2 * Z)) ** 2


def change_point(
    values: Floats,
    variances: Floats,
    *,
    fewest: int = 8,
    margin: int = 2,
    permutations: int = 1999,
    seed: int = 0,
) -> ChangePoint:
    """The split of a series (in order of time; NaN where absent) into two weighted means with the greatest likelihood ratio.

    `variances`: positive, one a value. The ratio is (after - before)² over its variance, for values that are normal (Sen & Srivastava,
    Annals of Statistics 3, 1975). At least `margin` values stand on either side, so that one odd day is no change. `p` comes from
    permutations of the standardised residuals: it holds as well where days differ by more than the variances say. Same `seed`, same result.
    """
    present = np.flatnonzero(~np.isnan(values))
    if present.size < max(fewest, 2 * margin):
        return ChangePoint(values=present.size, reason="too_few")
    series, weights = values[present], 1 / variances[present]
    residuals = (series - np.average(series, weights=weights)) * np.sqrt(weights)
    shuffled = np.random.default_rng(seed).permuted(np.tile(residuals, (permutations, 1)), axis=1)
    ratios = _ratios(np.vstack([residuals, shuffled]) / np.sqrt(weights), weights, margin)
    split = margin + int(ratios[0].argmax())
    before, after = (np.average(series[part], weights=weights[part]) for part in (slice(split), slice(split, None)))
    p = np.mean(ratios.max(axis=1) >= ratios[0].max() - _ROUNDING)
    return ChangePoint(place=int(present[split]), before=float(before), after=float(after), p=float(p), values=present.size)


def against_baseline(
    auroc: float,
    variance: float,
    baseline: float,
    baseline_variance: float,
    delta: float,
    *,
    alpha: float = 0.05,
) -> Check:
    """Whether an AUROC lost more than `delta` (at least 0: the loss that is tolerated) against a pinned baseline, both being estimates.

    Each verdict but `unknown` is wrong with a probability of about `alpha` at most: asked daily about an AUROC that lost exactly `delta`,
    it says `worse` every 1 / `alpha` days. A loss that is small but lasts is what `cusum` is for. The bounds come from those of the two
    estimates (Zou & Donner, Statistics in Medicine 27, 2008), which near 1 reach further down than up.
    """
    difference = auroc - baseline
    below, above = _reaches(auroc, variance, alpha)
    baseline_below, baseline_above = _reaches(baseline, baseline_variance, alpha)
    low, high = difference - math.hypot(below, baseline_above), difference + math.hypot(above, baseline_below)
    verdict: Literal["worse", "same", "unknown"] = "worse" if high < -delta else "same" if low > -delta else "unknown"
    return Check(verdict=verdict, difference=difference, low=low, high=high)


def cusum(
    values: Floats,
    variances: Floats,
    baseline: float,
    baseline_variance: float,
    delta: float,
    *,
    slack: float = 0.5,
    limit: float = 4.0,
) -> Cusum:
    """Page's one-sided cumulative sum of the daily losses (NaN where a day has no estimate) beyond `delta` since the baseline was pinned.

    The baseline's own error is the same every day and never averages out, so the baseline counts with its one-sided 95 % lower bound.
    Each day adds its loss in its own standard errors, less `slack`; losses of about twice the slack are found soonest. `run_length` is
    Siegmund's approximation (Sequential Analysis, 1985): 338 days at the defaults.
    """
    target = baseline - _reaches(baseline, baseline_variance, 0.05)[0] - delta
    level, alarm, days = 0.0, None, np.flatnonzero(~np.isnan(values))
    for day in days.tolist():
        level = max(0.0, level + (target - float(values[day])) / math.sqrt(variances[day]) - slack)
        alarm = day if alarm is None and level > limit else alarm
    reach = 2 * slack * (limit + 1.166)
    return Cusum(level=level, alarm=alarm, run_length=(math.exp(reach) - reach - 1) / (2 * slack**2), days=days.size)


def _reaches(auroc: float, variance: float, alpha: float) -> tuple[float, float]:
    """How far the one-sided bounds lie below and above, on the logit scale; at 0 and 1, where that ends, the interval has one side only."""
    reach = _NORMAL.inv_cdf(1 - alpha) * math.sqrt(variance)
    if auroc in {0, 1}:
        return 2 * reach * auroc, 2 * reach * (1 - auroc)
    centre, reach = logit(auroc), reach / (auroc * (1 - auroc))
    return auroc - float(expit(centre - reach)), float(expit(centre + reach)) - auroc


def _ratios(series: Floats, weights: Floats, margin: int) -> Floats:
    """Of every split of every series (series × splits): the squared difference of the two weighted means over its variance."""
    heavy, sums = np.cumsum(weights), np.cumsum(series * weights, axis=1)
    splits = slice(margin - 1, weights.size - margin)
    left, right = heavy[splits], heavy[-1] - heavy[splits]
    difference = (sums[:, -1:] - sums[:, splits]) / right - sums[:, splits] / left
    ratios: Floats = difference**2 / (1 / left + 1 / right)
    return ratios
