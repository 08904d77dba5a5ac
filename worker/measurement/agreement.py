"""How far annotators agree beyond chance: Cohen's kappa for two, Fleiss' kappa for any number, each with its 95 % interval.

Both are (A - E) / (1 - E), A the observed agreement and E that of chance, and both intervals come from each item's part in the two (the
delta method): for Cohen's kappa it is that of Fleiss, Cohen & Everitt (Psychological Bulletin 72, 1969), for Fleiss' that of Gwet
(Educational and Psychological Measurement 81, 2021), with Student's t. Where that variance vanishes (perfect agreement, one item) the
interval is Wilson's for A, with E as observed, which has a width there too.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from schemas.base import Model, Score
from worker.measurement.auroc import Counts, Floats, Z
from worker.measurement.rating import Rating

_ROUNDING: Final = 1e-12


class Agreement(Model):
    """A kappa: 1 = always, 0 = as often as by chance. All figures null, with a reason, when it is not defined."""

    kappa: Score | None = None
    low: Score | None = None
    """Lower end of the 95 % interval."""
    high: Score | None = None
    """Upper end of the 95 % interval."""
    observed: Score | None = None
    """The share of pairs of ratings that agree, chance included."""
    items: int
    """Items that have at least two ratings."""
    reason: Literal["no_shared_items", "one_category"] | None = None
    """Why there is no figure; `one_category`: every rating is the same, so that chance alone would always agree."""


class Raters(NamedTuple):
    """How far raters agree with each other."""

    all: Agreement
    """Fleiss' kappa over everyone."""
    two: dict[tuple[str, str], Agreement]
    """Cohen's kappa of any two that rated the same answers, the most shared answers first."""


def between(ratings: Iterable[Rating]) -> Raters:
    """From the latest label of each rater of each answer. Unsure is no rating."""
    answers: dict[str, list[tuple[str, int]]] = {}
    for one in sorted((one for one in ratings if one.label is not None), key=lambda one: one.rater):
        answers.setdefault(one.response_id, []).append((one.rater, one.label or 0))
    counts = np.array([[len(each) - sum(label for _, label in each), sum(label for _, label in each)] for each in answers.values()])
    return Raters(fleiss(counts.reshape(len(answers), 2).astype(np.int64)), _two(answers.values()))


def _two(answers: Iterable[Sequence[tuple[str, int]]]) -> dict[tuple[str, str], Agreement]:
    """By answers, since of many raters hardly any two have one in common."""
    shared: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for each in answers:
        for (one, label), (other, another) in combinations(each, 2):
            shared.setdefault((one, other), []).append((label, another))
    order = sorted(shared, key=lambda pair: (-len(shared[pair]), pair))
    return {pair: cohen(*np.array(shared[pair]).T) for pair in order}


def cohen(first: NDArray[np.integer[Any]], second: NDArray[np.integer[Any]]) -> Agreement:
    """Cohen's kappa of two annotators' categories of the same items (numbers from 0; below 0 = not rated)."""
    shared = (first >= 0) & (second >= 0)
    ratings = np.stack([first[shared], second[shared]])
    counts = np.stack([np.bincount(row, minlength=ratings.max(initial=0) + 1) for row in ratings])
    if np.count_nonzero(counts.any(axis=0)) < 2:
        return _undefined(ratings.shape[1])
    shares = counts / ratings.shape[1]
    return _figure((ratings[0] == ratings[1]).astype(np.float64), (shares[1, ratings[0]] + shares[0, ratings[1]]) / 2)


def fleiss(counts: Counts) -> Agreement:
    """Fleiss' kappa of `counts` (items × categories): how many annotators put each item into each category.

    Items may have different numbers of ratings: each counts alike, in the agreement and in the shares of the categories (Gwet, Handbook of
    Inter-Rater Reliability, 2014, chapter 2). Those with fewer than two stand outside.
    """
    rated = counts[counts.sum(axis=1) >= 2]
    if np.count_nonzero(rated.any(axis=0)) < 2:
        return _undefined(len(rated))
    ratings = rated.sum(axis=1)
    agreed = (rated * (rated - 1)).sum(axis=1) / (ratings * (ratings - 1))
    shares = rated / ratings[:, np.newaxis]
    return _figure(agreed, shares @ shares.mean(axis=0))


def _undefined(items: int) -> Agreement:
    return Agreement(items=items, reason="one_category" if items else "no_shared_items")


def _figure(agreed: Floats, by_chance: Floats) -> Agreement:
    """From each item's agreement, and its agreement with a rating drawn at random."""
    items, observed, chance = agreed.size, float(agreed.mean()), float(by_chance.mean())
    kappa = (observed - chance) / (1 - chance)
    parts = ((agreed - observed) - 2 * (1 - kappa) * (by_chance - chance)) / (1 - chance)  # chance is of two ratings: hence twice
    if np.ptp(parts) < _ROUNDING:
        low, high = ((bound - chance) / (1 - chance) for bound in _wilson(observed, items))
    else:
        reach = float(stats.t.ppf(0.975, items - 1) * parts.std(ddof=1) / items**0.5)
        low, high = kappa - reach, kappa + reach
    return Agreement(kappa=kappa, low=max(low, -1.0), high=min(high, 1.0), observed=observed, items=items)


def _wilson(share: float, items: int) -> tuple[float, float]:
    centre, width = share + Z**2 / (2 * items), Z * (share * (1 - share) / items + Z**2 / (4 * items**2)) ** 0.5
    return (centre - width) / (1 + Z**2 / items), (centre + width) / (1 + Z**2 / items)
