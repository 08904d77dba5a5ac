"""AUROC with intervals where answers are not independent of each other.

The point estimate is `worker.measurement.auroc`'s. The variance is DeLong's extended to clusters (Obuchowski, Biometrics 53, 1997): placements
are summed within a group before they are compared, so that three near-duplicates do not count as three. For groups of one it is DeLong's
own. The interval is taken on the logit scale; where that variance vanishes, `worker.measurement.auroc`'s own interval stands.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np

from worker.calibration.labelled import Flags, Floats, Groups
from worker.measurement.auroc import auroc

_Z: Final = NormalDist().inv_cdf(0.975)


class Figure(NamedTuple):
    """One AUROC; None where a class is missing."""

    auroc: float | None
    low: float | None
    high: float | None
    n: int
    """Answers with a score and a label."""
    variance: float | None = None

    def as_json(self) -> dict[str, Any]:
        """`auroc`, `low`, `high` to four digits, and `n`."""
        rounded = {name: None if value is None else round(value, 4) for name, value in zip(("auroc", "low", "high"), self[:3], strict=True)}
        return {**rounded, "n": self.n}


def measure(scores: Floats, labels: Flags, groups: Groups) -> Figure:
    """The AUROC of `scores` (NaN where absent) with its 95 % interval; answers of one of `groups` are not independent."""
    present = np.isfinite(scores)
    scores, labels, groups = scores[present], labels[present], groups[present]
    plain = auroc(scores, labels)
    if plain.auroc is None:
        return Figure(None, None, None, labels.size)
    variance = _variance(scores, labels, groups, plain.auroc)
    if variance <= 0 or not 0 < plain.auroc < 1:
        return Figure(plain.auroc, plain.low, plain.high, labels.size, 0.0)
    reach = _Z * math.sqrt(variance) / (plain.auroc * (1 - plain.auroc))
    odds = plain.auroc / (1 - plain.auroc)
    return Figure(plain.auroc, odds / (odds + math.exp(reach)), odds / (odds + math.exp(-reach)), labels.size, variance)


def mean(figures: Sequence[Figure]) -> Figure:
    """The unweighted mean of independent sets; absent as soon as one of them is."""
    n = sum(one.n for one in figures)
    values = [one.auroc for one in figures if one.auroc is not None]
    if not figures or len(values) < len(figures):
        return Figure(None, None, None, n)
    variance = sum(one.variance or 0.0 for one in figures) / len(figures) ** 2
    centre, reach = sum(values) / len(values), _Z * math.sqrt(variance)
    return Figure(centre, max(0.0, centre - reach), min(1.0, centre + reach), n, variance)


def _variance(scores: Floats, labels: Flags, groups: Groups, area: float) -> float:
    positives, negatives = np.sort(scores[labels]), np.sort(scores[~labels])
    place = np.where(labels, _below(scores, negatives), 1 - _below(scores, positives)) - area
    number = np.unique(groups, return_inverse=True)[1]
    of_positives = np.bincount(number, place * labels)
    of_negatives = np.bincount(number, place * ~labels)
    m, n, clusters = positives.size, negatives.size, of_positives.size
    with_positives, with_negatives = np.unique(number[labels]).size, np.unique(number[~labels]).size
    if min(with_positives, with_negatives) < 2:
        return 0.0
    return float(
        with_positives / (with_positives - 1) * (of_positives**2).sum() / m**2
        + with_negatives / (with_negatives - 1) * (of_negatives**2).sum() / n**2
        + 2 * clusters / (clusters - 1) * (of_positives * of_negatives).sum() / (m * n)
    )


def _below(scores: Floats, others: Floats) -> Floats:
    """Share of `others` (ascending) below each score, ties counting half."""
    share: Floats = (np.searchsorted(others, scores, "left") + np.searchsorted(others, scores, "right")) / (2 * others.size)
    return share
