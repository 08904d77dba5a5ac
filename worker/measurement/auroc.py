"""Exact AUROC with its 95 % interval, and the operating figures of the decisions.

The point estimate is Mann–Whitney's: the share of (grounded, hallucinated) pairs that the score ranks rightly, a tie counting half.
The variance is DeLong's, from each answer's placement among the other class (DeLong et al. 1988; mid-ranks as in Sun & Xu 2014), and
the interval is taken on the logit scale, which keeps it inside [0, 1]. Where that variance does not exist (one answer in a class) or
vanishes (perfect separation, all scores equal) the interval is Newcombe's score interval (Statistics in Medicine 25, 2006, method 5),
which has a width there too.
"""

import math
from statistics import NormalDist
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from scipy.optimize import brentq

from schemas import Auroc, Operating

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
Reason = Literal["no_grounded_labels", "no_hallucinated_labels", "no_scored_pairs"]

_AUROCS: Final = TypeAdapter(list[Auroc])
Z: Final = NormalDist().inv_cdf(0.975)
"""Standard errors to either side of a 95 % interval."""
_EDGE: Final = 1e-12
"""Where the search for a bound starts: at 0 itself the equation has a second, meaningless root."""


def placements(scores: Floats, labels: Flags) -> Floats:
    """Twice the number of pairs of the other class that score lower, ties counting half, for every score of `scores` (scores × pairs).

    Whole numbers; 0 where a pair lacks the score (NaN). `labels` (pairs): True = grounded.
    """
    placed = np.zeros_like(scores)
    for row, out in zip(scores, placed, strict=True):
        _place(row, labels, out)
    return placed


def figures(placed: Floats, labels: Flags, sizes: Counts) -> list[Auroc]:
    """The AUROC of each row of `placed`, the `placements` of some scores; `sizes`: hallucinated and grounded pairs of each (2 × scores)."""
    grounded = labels.astype(np.float64)
    sums = (placed @ grounded, np.einsum("sp,sp,p->s", placed, placed, grounded), np.vecdot(placed, placed))  # no copy of the table
    rows = zip(*sizes.tolist(), *(each.astype(np.int64).tolist() for each in sums), strict=True)
    return _AUROCS.validate_python([_figure(m, n, twice, squares, both - squares) for n, m, twice, squares, both in rows])


def auroc(scores: Floats, labels: Flags) -> Auroc:
    """The AUROC of one score (pairs, finite, NaN where absent) against `labels` (pairs; True = grounded)."""
    present = ~np.isnan(scores)
    sizes = np.bincount(labels[present], minlength=2)[:, np.newaxis]
    return figures(placements(scores[np.newaxis, :], labels), labels, sizes)[0]


def operating(accepted: Flags, labels: Flags) -> Operating:
    """False-positive rate, precision and recall of 'accepted = grounded'. A figure without a denominator is absent."""
    grounded, right = int(labels.sum()), int((accepted & labels).sum())
    wrong = int(accepted.sum()) - right
    return Operating(
        false_positive_rate=_share(wrong, labels.size - grounded),
        precision=_share(right, right + wrong),
        recall=_share(right, grounded),
    )


def logit_interval(area: float, variance: float, quantile: float = Z) -> tuple[float, float]:
    """The interval of an area strictly between 0 and 1, `quantile` standard errors to either side on the logit scale (delta method)."""
    reach = quantile * math.sqrt(variance) / (area * (1 - area))
    odds = area / (1 - area)
    return odds / (odds + math.exp(reach)), odds / (odds + math.exp(-reach))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _place(scores: Floats, labels: Flags, placed: Floats) -> None:
    present = np.flatnonzero(~np.isnan(scores))
    if not present.size:
        return
    order = present[np.argsort(scores[present])]
    values, grounded = scores[order], labels[order]
    bounds = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1], [True]]))
    lower, upper = bounds[:-1], bounds[1:]  # between them stand equal values
    below = np.concatenate([[0], np.cumsum(grounded)])
    twice = below[lower] + below[upper]
    group = np.repeat(np.arange(lower.size), upper - lower)
    placed[order] = np.where(grounded, (lower + upper - twice)[group], twice[group])


def _figure(m: int, n: int, twice: int, grounded_squares: int, hallucinated_squares: int) -> dict[str, Any]:
    """From the class sizes, the doubled Mann–Whitney count, and each class's sum of the squares of its placements. All are exact."""
    if not (m and n):
        reason: Reason = "no_grounded_labels" if n else "no_hallucinated_labels" if m else "no_scored_pairs"
        return {"auroc": None, "low": None, "high": None, "grounded": m, "hallucinated": n, "reason": reason}
    area = twice / (2 * m * n)
    variance = _variance(m, twice, grounded_squares) / (2 * n) ** 2 + _variance(n, 2 * m * n - twice, hallucinated_squares) / (2 * m) ** 2
    low, high = logit_interval(area, variance) if variance > 0 and min(m, n) > 1 else _newcombe(area, m, n)
    return {"auroc": area, "low": low, "high": high, "grounded": m, "hallucinated": n}


def _variance(size: int, total: int, squares: int) -> float:
    """Of the mean placement of a class: in whole numbers until the end, so that it vanishes exactly where all are equal."""
    return (size * squares - total**2) / (size**2 * max(size - 1, 1))


def _newcombe(area: float, m: int, n: int) -> tuple[float, float]:
    return 1 - _upper(1 - area, m, n), _upper(area, m, n)


def _upper(area: float, m: int, n: int) -> float:
    """The greatest true area from which `area` is at most 1.96 standard errors away, the errors being those of that true area."""
    if area == 1:
        return 1.0
    extra = (m + n) / 2 - 1

    def excess(true: float) -> float:
        spread = true * (1 - true) * (1 + extra * (1 - true) / (2 - true) + extra * true / (1 + true)) / (m * n)
        return (true - area) ** 2 - Z**2 * spread

    return float(brentq(excess, max(area, _EDGE), 1.0))
