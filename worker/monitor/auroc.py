"""Exact AUROC with its 95 % interval, and the operating figures of the decisions.

The point estimate is Mann–Whitney's: the share of (grounded, hallucinated) pairs that the score ranks rightly, a tie counting half.
The variance is DeLong's, from each answer's placement among the other class (DeLong et al. 1988; mid-ranks as in Sun & Xu 2014), and
the interval is taken on the logit scale, which keeps it inside [0, 1]. Where that variance does not exist (one answer in a class) or
vanishes (perfect separation, all scores equal) the interval is Newcombe's score interval (Statistics in Medicine 25, 2006, method 5),
which has a width there too.
"""

import math
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from schemas import Auroc, Operating

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Reason = Literal["no_grounded_labels", "no_hallucinated_labels", "no_scored_pairs"]

_Z: Final = NormalDist().inv_cdf(0.975)
_EDGE: Final = 1e-12
"""Where the search for a bound starts: at 0 itself the equation has a second, meaningless root."""


def aurocs(scores: Floats, labels: Flags) -> list[Auroc]:
    """The AUROC of each row of `scores` (scores × pairs, finite, NaN where a pair lacks it) against `labels` (pairs; True = grounded)."""
    if not labels.size:
        return [_auroc(0, 0, 0, 0, 0) for _ in scores]
    ties = _Ties(scores, labels)
    twice, positive_variances = ties.placements(ties.positives, ties.negatives)
    _, negative_variances = ties.placements(ties.negatives, ties.positives)
    sizes = (ties.per_row(ties.positives), ties.per_row(ties.negatives))
    columns = (column.tolist() for column in (twice, positive_variances, negative_variances, *sizes))
    return [_auroc(*figures) for figures in zip(*columns, strict=True)]


def auroc(scores: Floats, labels: Flags) -> Auroc:
    """The AUROC of one score (pairs, NaN where absent) against `labels` (pairs; True = grounded)."""
    return aurocs(scores[np.newaxis, :], labels)[0]


def operating(accepted: Flags, labels: Flags) -> Operating:
    """False-positive rate, precision and recall of 'accepted = grounded'. A figure without a denominator is absent."""
    grounded, right = int(labels.sum()), int((accepted & labels).sum())
    wrong = int(accepted.sum()) - right
    return Operating(
        false_positive_rate=_share(wrong, labels.size - grounded),
        precision=_share(right, right + wrong),
        recall=_share(right, grounded),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class _Ties:
    """Every row's values in ascending order, equal ones drawn together: how many of each class every such group holds.

    One pass over all rows: the groups of all rows stand in one array, row after row.
    """

    def __init__(self, scores: Floats, labels: Flags) -> None:
        rows, width = scores.shape
        values = np.where(np.isnan(scores), np.inf, scores)  # absent ones share the last group, where they count as no class
        order = np.argsort(values, axis=1)
        ranked = values.ravel()[(order + width * np.arange(rows)[:, np.newaxis]).ravel()]
        starts = np.empty(ranked.size, dtype=np.bool_)
        starts[1:] = ranked[1:] != ranked[:-1]
        starts[::width] = True
        self._groups = np.flatnonzero(starts)
        self._row = self._groups // width
        self._rows = np.searchsorted(self._row, np.arange(rows))
        present, grounded = np.isfinite(ranked), labels[order].ravel()
        self.positives = self._per_group(grounded & present)
        self.negatives = self._per_group(~grounded & present)

    def per_row(self, values: Floats) -> Floats:
        """Sum of a figure per group over each row."""
        return np.add.reduceat(values, self._rows)

    def placements(self, members: Floats, others: Floats) -> tuple[Floats, Floats]:
        """Of each row: the sum of the members' doubled placements, and the variance of their mean (0 for fewer than two members).

        A doubled placement is twice the number of `others` below, ties counting half: a whole number, so that sums are exact.
        """
        above = np.cumsum(others)
        before = (above - others)[self._rows]
        twice = 2 * (above - before[self._row]) - others
        sizes, sums = np.maximum(self.per_row(members), 1), self.per_row(members * twice)
        squares = self.per_row(members * np.square(twice - (sums / sizes)[self._row]))
        return sums, squares / np.maximum(sizes - 1, 1) / sizes

    def _per_group(self, flags: Flags) -> Floats:
        return np.add.reduceat(flags.astype(np.float64), self._groups)


def _auroc(twice: float, positive_variance: float, negative_variance: float, positives: float, negatives: float) -> Auroc:
    """From the doubled Mann–Whitney count, the variances of the doubled mean placements and the class sizes."""
    m, n = int(positives), int(negatives)
    if not (m and n):
        reason: Reason = "no_grounded_labels" if n else "no_hallucinated_labels" if m else "no_scored_pairs"
        return Auroc(auroc=None, low=None, high=None, grounded=m, hallucinated=n, reason=reason)
    area = twice / (2 * m * n)
    variance = positive_variance / (2 * n) ** 2 + negative_variance / (2 * m) ** 2
    low, high = _delong(area, variance) if variance > 0 and min(m, n) > 1 else _newcombe(area, m, n)
    return Auroc(auroc=area, low=low, high=high, grounded=m, hallucinated=n)


def _delong(area: float, variance: float) -> tuple[float, float]:
    """The interval on the logit scale, by the delta method. A positive variance implies an area strictly between 0 and 1."""
    reach = _Z * variance**0.5 / (area * (1 - area))
    odds = area / (1 - area)
    return odds / (odds + math.exp(reach)), odds / (odds + math.exp(-reach))


def _newcombe(area: float, m: int, n: int) -> tuple[float, float]:
    return 1 - _upper(1 - area, m, n), _upper(area, m, n)


def _upper(area: float, m: int, n: int) -> float:
    """The greatest true area from which `area` is at most 1.96 standard errors away, the errors being those of that true area."""
    if area == 1:
        return 1.0
    extra = (m + n) / 2 - 1

    def excess(true: float) -> float:
        spread = true * (1 - true) * (1 + extra * (1 - true) / (2 - true) + extra * true / (1 + true)) / (m * n)
        return (true - area) ** 2 - _Z**2 * spread

    return float(brentq(excess, max(area, _EDGE), 1.0))
