"""Logistic regression with non-negative weights that are pulled to one score alone, and its cross-validation.

Free weights do worse on data of another kind than the default score does by itself: the pull keeps what labels cannot improve.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from worker.calibration.labelled import Flags, Floats, Groups, Labelled
from worker.errors import GroundwatchError

STRENGTHS: Final = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
"""Pulls to choose from, weakest first; the last leaves the prior score all but alone."""
FOLDS: Final = 5
PRIOR: Final = "final"

_TINY: Final = 1e-12
_CONSTANT: Final = 1e-4
"""Standard deviation up to which a score tells nothing: standardised, its last digits would get weights of millions."""


@dataclass(frozen=True)
class Logistic:
    """Fitted weights, on the scores' own scales."""

    weights: Floats
    means: Floats
    """Stand in for absent scores."""
    intercept: float
    strength: float

    @classmethod
    def fit(cls, data: Labelled, strength: float, importance: Floats | None = None, prior: str = PRIOR) -> Self:
        """Weights for `data`, each answer counting by its `importance` (all alike by default).

        Minimises mean log loss + `strength` · Σ (w − s·p)², w standardised and ≥ 0, p the prior score alone, s ≥ 0 free as well.
        Raises GroundwatchError when no answer has the prior score.
        """
        from scipy.optimize import minimize  # noqa: PLC0415 - heavy

        if prior not in data.names:
            raise GroundwatchError(f"no labelled answer has the score {prior!r}, to which the weights are pulled; check the detector")
        means, spreads = _moments(data.scores)
        standard = (_filled(data.scores, means) - means) / spreads
        counts = np.ones(len(data.labels)) if importance is None else importance
        target = np.array([float(name == prior) for name in data.names])
        size = len(data.names)
        start = np.concatenate([target, [0.0, 1.0]])
        bounds = [(0, None)] * size + [(None, None), (0, None)]
        problem = _Problem(standard, data.labels.astype(np.float64), counts / counts.sum(), target, strength)
        found = minimize(problem, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 500}).x
        weights = np.maximum(found[:size], 0.0) / spreads
        return cls(weights, means, float(found[size] - weights @ means), strength)

    def probabilities(self, scores: Floats) -> Floats:
        """Of each row being grounded."""
        odds = _filled(scores, self.means) @ self.weights + self.intercept
        probability: Floats = 0.5 * (1 + np.tanh(odds / 2))  # the logistic function, without overflow
        return probability


def folds(labels: Flags, groups: Groups, count: int = FOLDS) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(training rows, test rows) of each fold: no group stands on both sides, the classes are spread evenly. Always the same.

    Groups are dealt out in order of their grounded share, then size. scikit-learn's StratifiedGroupKFold compares every group with every
    fold, which takes longer than the fitting.
    """
    numbers = np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(numbers)
    shares = np.bincount(numbers, labels) / np.maximum(sizes, 1)
    order = np.lexsort((np.random.default_rng(0).random(sizes.size), sizes, shares))
    dealt = np.empty(sizes.size, dtype=np.intp)
    dealt[order] = np.arange(sizes.size) % count
    for fold in range(count):
        test = dealt[numbers] == fold
        yield np.flatnonzero(~test), np.flatnonzero(test)


def fit_best(data: Labelled, importance: Floats | None = None, groups: Groups | None = None) -> Logistic:
    """Weights with the pull that has the least log loss in five folds.

    With `groups`, two or more kinds of data, each is left out in turn, and the strongest pull is taken whose loss exceeds the least by no
    more than a standard error (Breiman et al. 1984): few kinds tell little of the next one.
    """
    counts = np.ones(len(data.labels)) if importance is None else importance
    splits = list(folds(data.labels, data.groups) if groups is None else _each(groups))
    losses = np.array([[_loss(data, split, strength, counts) for split in splits] for strength in STRENGTHS])
    best = int(losses.sum(axis=1).argmin())
    if groups is not None:
        bound = losses[best].mean() + losses[best].std(ddof=1) / np.sqrt(len(splits))
        best = max(i for i, loss in enumerate(losses.mean(axis=1)) if loss <= bound)
    return Logistic.fit(data, STRENGTHS[best], importance)


class Fitted(Protocol):
    """What gives probabilities."""

    def probabilities(self, scores: Floats) -> Floats:
        """Of each row being grounded."""


def cross_validate(data: Labelled, fit: Callable[[Labelled], Fitted] = fit_best) -> Floats:
    """Each answer's probability by what `fit` makes of the other folds: weights with their pull, by default."""
    found = np.empty(len(data.labels))
    for train, test in folds(data.labels, data.groups):
        found[test] = fit(data.take(train)).probabilities(data.scores[test])
    return found


def _each(groups: Groups) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    for one in np.unique(groups):
        yield np.flatnonzero(groups != one), np.flatnonzero(groups == one)


def _loss(data: Labelled, split: tuple[NDArray[np.intp], NDArray[np.intp]], strength: float, counts: Floats) -> float:
    train, test = split
    probability = Logistic.fit(data.take(train), strength, counts[train]).probabilities(data.scores[test])
    right = np.where(data.labels[test], probability, 1 - probability)
    return float(-(counts[test] * np.log(np.maximum(right, _TINY))).sum())


@dataclass(frozen=True)
class _Problem:
    """The function to minimise, with its gradient; the parameters are weights, intercept, scale of the prior."""

    standard: Floats
    labels: Floats
    counts: Floats
    target: Floats
    strength: float

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        weights, intercept, scale = parameters[:-2], parameters[-2], parameters[-1]
        odds = self.standard @ weights + intercept
        loss = (self.counts * (np.logaddexp(0, odds) - self.labels * odds)).sum()
        error = self.counts * (0.5 * (1 + np.tanh(odds / 2)) - self.labels)
        away = weights - scale * self.target
        pull = 2 * self.strength * away
        gradient = np.concatenate([self.standard.T @ error + pull, [error.sum(), -(pull * self.target).sum()]])
        return float(loss + self.strength * (away**2).sum()), gradient


def _moments(scores: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each column's present values; 0 and 1 for a column without any, 1 for one that is all but constant."""
    present = np.isfinite(scores)
    counts = np.maximum(present.sum(axis=0), 1)
    means = np.where(present, scores, 0).sum(axis=0) / counts
    spreads = np.sqrt(np.where(present, (scores - means) ** 2, 0).sum(axis=0) / counts)
    return means, np.where(spreads > _CONSTANT, spreads, 1.0)


def _filled(scores: Floats, means: Floats) -> Floats:
    return np.where(np.isfinite(scores), scores, means)
