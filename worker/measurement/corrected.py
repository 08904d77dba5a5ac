"""AUROC of all decisions from labels that were not sought evenly.

Reviewers label what was flagged, so the plain figure is that of a harder sample. Here every label counts for all the decisions of its
stratum (same verdict, like score) that it was drawn from: inverse-propensity weighting by strata (Horvitz & Thompson 1952; post-stratified,
Holt & Smith 1979; for a biased choice of whom to verify: Begg & Greenes 1983). The labels of accepted answers come from the audit slice,
which is drawn by chance. It holds as long as, within a stratum, whether an answer was labelled does not depend on whether it is grounded.

The variance is that of the linearised estimator: within strata from their labels, between strata from the population's counts. The interval
is taken on the logit scale by Student's distribution, its degrees of freedom being the number of labels that effectively make up the
variance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from schemas.base import Model, Score
from worker.measurement.auroc import Flags, Floats, logit_interval
from worker.measurement.cells import FEWEST, Cell, stratify
from worker.measurement.grouped import places

Strata = NDArray[np.intp]
Reason = Literal["no_decisions", "no_grounded_labels", "no_hallucinated_labels", "too_few_labels"]


class Corrected(Model):
    """The AUROC of `decided` decisions. All null, with a reason, when the labels do not bear it out."""

    auroc: Score | None
    low: Score | None
    high: Score | None
    """Ends of the 95 % interval."""
    decided: int
    """Scored decisions that it speaks for."""
    labels: int
    """Labels that it is made of."""
    reason: Reason | None = None
    """`too_few_labels`: the decisions of some verdict have fewer than FEWEST labels that were drawn by chance."""


def auroc_of_all(scores: Floats, labels: Flags, cells: Sequence[Cell], decided: Mapping[Cell, int]) -> Corrected:
    """From labelled answers (n: finite scores, True = grounded, cell) and all decisions, labelled or not, by cell.

    Labels in a cell without decisions stand outside: theirs may have come between the two readings.
    """
    strata = stratify(decided, Counter(cells))
    known = np.array([cell in strata for cell in cells], dtype=np.bool_)
    numbers = np.array([strata[cell] for cell in cells if cell in strata], dtype=np.intp)
    sizes = Counter[int]()
    for cell, count in decided.items():
        sizes[strata[cell]] += count
    return corrected_auroc(scores[known], labels[known], numbers, [sizes[number] for number in range(len(sizes))])


def corrected_auroc(scores: Floats, labels: Flags, strata: Strata, decided: Sequence[int]) -> Corrected:
    """From labelled answers (n: finite scores, True = grounded, stratum) and the decisions of each stratum, labelled or not (k)."""
    sizes = np.array(decided, dtype=np.float64)
    counts = np.bincount(strata, minlength=sizes.size).astype(np.float64)
    total, used = int(sizes.sum()), labels.size
    reason = _reason(labels, sizes, counts)
    if reason:
        return Corrected(auroc=None, low=None, high=None, decided=total, labels=used, reason=reason)
    weights = (sizes / np.maximum(counts, 1))[strata]
    placed = places(scores, labels, weights)
    grounded = np.where(labels, weights, 0.0)
    area = float(placed @ grounded / grounded.sum())
    influence = (placed - area) / _class_weight(labels, weights)
    low, high = _interval(area, _variance(influence, strata, sizes, counts), _freedom(weights * influence))
    return Corrected(auroc=area, low=low, high=high, decided=total, labels=used)


def _reason(labels: Flags, sizes: Floats, counts: Floats) -> Reason | None:
    if not sizes.sum():
        return "no_decisions"
    if (counts[sizes > 0] < FEWEST).any():
        return "too_few_labels"
    return None if labels.any() and not labels.all() else "no_hallucinated_labels" if labels.any() else "no_grounded_labels"


def _class_weight(labels: Flags, weights: Floats) -> Floats:
    """(n,): the weight of each answer's whole class."""
    sums: Floats = np.where(labels, weights[labels].sum(), weights[~labels].sum())
    return sums


def _variance(influence: Floats, strata: Strata, sizes: Floats, counts: Floats) -> float:
    """`influence` (n,): by how much a decision of that kind moves the figure."""
    seen = np.maximum(counts, 1)
    means = np.bincount(strata, influence, minlength=sizes.size) / seen
    squares = np.bincount(strata, (influence - means[strata]) ** 2, minlength=sizes.size)
    return float((sizes**2 / seen * squares / np.maximum(counts - 1, 1)).sum() + (sizes * means**2).sum())


def _freedom(moves: Floats) -> float:
    """Degrees of freedom: how many labels the variance effectively rests on. A few with great weights are no more than a few."""
    squares = moves**2
    return max(1.0, float(squares.sum() ** 2 / (squares**2).sum())) if squares.any() else 1.0


def _interval(area: float, variance: float, freedom: float) -> tuple[float, float]:
    """Student's, on the logit scale; all of 0 to 1 where every label agrees, which leaves no spread to judge by."""
    if not (0 < area < 1 and variance > 0):
        return 0.0, 1.0
    return logit_interval(area, variance, float(stdtrit(freedom, 0.975)))
