"""AUROC, and the difference of two on the same answers, where answers are not independent of each other.

The point estimate is `worker.measurement.auroc`'s. The variance is DeLong's extended to clusters (Obuchowski, Biometrics 53, 1997):
placements are summed within a group before they are compared, so that three near-duplicates do not count as three. For groups of one it is
DeLong's own, for one figure as for the difference of two paired ones. The interval of one is taken on the logit scale; where that variance
vanishes, `worker.measurement.auroc`'s own interval stands.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from worker.measurement.auroc import Flags, Floats, Z, auroc, logit_interval

Groups = NDArray[np.intp]

_NORMAL: Final = NormalDist()


class Figure(NamedTuple):
    """One AUROC; None where a class is missing."""

    auroc: float | None
    low: float | None
    high: float | None
    n: int
    """Answers with a score and a label."""
    variance: float | None = None
    grounded: int = 0
    """Of the `n`, those with label 1."""

    @property
    def hallucinated(self) -> int:
        """Of the `n`, those with label 0."""
        return self.n - self.grounded

    def as_json(self) -> dict[str, Any]:
        """`auroc`, `low`, `high` to four digits, and `n`."""
        rounded = {name: None if value is None else round(value, 4) for name, value in zip(("auroc", "low", "high"), self[:3], strict=True)}
        return {**rounded, "n": self.n}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much higher the AUROC of a second score is than that of a first on the same answers."""

    first: Figure
    second: Figure
    difference: float | None
    """`second - first`; None, with its bounds, where a class is missing."""
    low: float | None
    high: float | None
    """Ends of the 95 % interval."""
    p: float | None
    """Of no difference, two-sided. None where no paired variance exists; the interval then stands without it."""


def measure(scores: Floats, labels: Flags, groups: Groups) -> Figure:
    """The AUROC of `scores` (NaN where absent) with its 95 % interval; answers of one of `groups` are not independent."""
    present = np.isfinite(scores)
    scores, labels, groups = scores[present], labels[present], groups[present]
    plain = auroc(scores, labels)
    if plain.auroc is None:
        return Figure(None, None, None, labels.size, None, plain.grounded)
    variance = _variance(places(scores, labels) - plain.auroc, labels, groups)
    if variance <= 0 or not 0 < plain.auroc < 1:
        return Figure(plain.auroc, plain.low, plain.high, labels.size, 0.0, plain.grounded)
    return Figure(plain.auroc, *logit_interval(plain.auroc, variance), labels.size, variance, plain.grounded)


def mean(figures: Sequence[Figure]) -> Figure:
    """The unweighted mean of independent sets; absent as soon as one of them is."""
    n = sum(one.n for one in figures)
    values = [one.auroc for one in figures if one.auroc is not None]
    if not figures or len(values) < len(figures):
        return Figure(None, None, None, n)
    variance = sum(one.variance or 0.0 for one in figures) / len(figures) ** 2
    centre, reach = sum(values) / len(values), Z * math.sqrt(variance)
    return Figure(centre, max(0.0, centre - reach), min(1.0, centre + reach), n, variance)


def compare(first: Floats, second: Floats, labels: Flags, groups: Groups | None = None) -> Difference:
    """The paired test of DeLong et al. (1988): two scores (pairs; NaN where absent) of the same answers, `second` against `first`.

    Answers that lack one of the scores stand outside. Where the paired variance does not exist, or vanishes beside a difference, the
    interval is that of `apart`, which for scores of one kind is wider.
    """
    both = np.isfinite(first) & np.isfinite(second)
    groups = np.arange(labels.size) if groups is None else groups
    first, second, labels, groups = first[both], second[both], labels[both], groups[both]
    one, other = measure(first, labels, groups), measure(second, labels, groups)
    if one.auroc is None or other.auroc is None:
        return apart(one, other)
    difference = other.auroc - one.auroc
    differences = places(second, labels) - places(first, labels)
    variance = _variance(differences - difference, labels, groups)
    if variance > 0:
        error = math.sqrt(variance)
        low, high = max(-1.0, difference - Z * error), min(1.0, difference + Z * error)
        return Difference(first=one, second=other, difference=difference, low=low, high=high, p=2 * _NORMAL.cdf(-abs(difference) / error))
    if one.variance and not differences.any():  # the two rank alike
        return Difference(first=one, second=other, difference=0.0, low=0.0, high=0.0, p=1.0)
    return apart(one, other)


def apart(first: Figure, second: Figure) -> Difference:
    """The difference of two figures of different answers: its interval is put together from theirs (Zou & Donner, Statistics in Medicine
    27, 2008)."""
    if None in (first.auroc, second.auroc, first.low, first.high, second.low, second.high):
        return Difference(first=first, second=second, difference=None, low=None, high=None, p=None)
    a, la, ua = cast(tuple[float, float, float], first[:3])
    b, lb, ub = cast(tuple[float, float, float], second[:3])
    low, high = b - a - math.hypot(b - lb, ua - a), b - a + math.hypot(ub - b, a - la)
    return Difference(first=first, second=second, difference=b - a, low=low, high=high, p=None)


def places(scores: Floats, labels: Flags, weights: Floats | None = None) -> Floats:
    """Of each grounded answer the share of hallucinated ones that score lower, of each hallucinated one that of grounded ones that score
    higher; a tie counts half. Both classes must be there. With `weights` (answers) the shares are weighted."""
    weights = np.ones(labels.size) if weights is None else weights
    positives, negatives = (_below(scores, scores[which], weights[which]) for which in (labels, ~labels))
    shares: Floats = np.where(labels, negatives, 1 - positives)
    return shares


def _variance(centred: Floats, labels: Flags, groups: Groups) -> float:
    """Of the mean of places (answers; `centred` on it), or of the mean of their differences; 0 where a class stands in one group only."""
    number = np.unique(groups, return_inverse=True)[1]
    of_positives, of_negatives = np.bincount(number, centred * labels), np.bincount(number, centred * ~labels)
    m, n, clusters = int(labels.sum()), int((~labels).sum()), of_positives.size
    with_positives, with_negatives = np.unique(number[labels]).size, np.unique(number[~labels]).size
    if min(with_positives, with_negatives) < 2:
        return 0.0
    return float(
        with_positives / (with_positives - 1) * (of_positives**2).sum() / m**2
        + with_negatives / (with_negatives - 1) * (of_negatives**2).sum() / n**2
        + 2 * clusters / (clusters - 1) * (of_positives * of_negatives).sum() / (m * n)
    )


def _below(scores: Floats, others: Floats, weights: Floats) -> Floats:
    """Weighted share of `others` below each score, ties counting half."""
    order = np.argsort(others)
    others, sums = others[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    twice = sums[np.searchsorted(others, scores, "left")] + sums[np.searchsorted(others, scores, "right")]
    share: Floats = twice / (2 * sums[-1])
    return share
