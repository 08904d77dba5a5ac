"""Thresholds for a stated risk, with a bound that holds for any number of answers.

Candidates accept the highest 5 %, 10 %, … 100 % of held-out answers: each is one answer's own probability, and those above it are, given
it, independent draws. Of each the exact upper limit (Clopper & Pearson, Biometrika 26, 1934) of the share of wrong ones is taken at the
confidence that Bonferroni's correction for all candidates leaves, so that the choice among them costs nothing.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from detectors.calibration import DIGITS, Threshold
from worker.calibration.labelled import Flags, Floats

CONFIDENCE: Final = 0.95
CANDIDATES: Final = 20
ALPHAS: Final = tuple(step / 100 for step in range(1, 51))
"""What may be wrong beyond a threshold, as shares: those that are tried when the one asked for is not kept."""


def fewest_answers(alpha: float) -> int:
    """Answers, all of them right, from which on a candidate can keep `alpha`."""
    return math.ceil(math.log((1 - CONFIDENCE) / CANDIDATES) / math.log(1 - alpha))


def choose_accept(probabilities: Floats, grounded: Flags, alpha: float) -> Threshold | None:
    """The lowest threshold above which at most `alpha` are hallucinated; None when no candidate keeps that.

    The answers must be independent of each other and of the weights behind the probabilities.
    """
    kept = [one for one in _candidates(probabilities, grounded) if one.limit <= alpha]
    return kept[-1].threshold() if kept else None


def choose_reject(probabilities: Floats, grounded: Flags, alpha: float) -> Threshold | None:
    """The highest threshold below which at most `alpha` are grounded; None when no candidate keeps that."""
    mirrored = choose_accept(*_mirrored(probabilities, grounded), alpha)
    return mirrored and mirrored.model_copy(update={"at": round(1 - mirrored.at, DIGITS)})


def smallest_accept_alpha(probabilities: Floats, grounded: Flags) -> float | None:
    """The first of ALPHAS for which the same answers give `choose_accept` a threshold; None when none does.

    The limits hold for all candidates at once, whichever alpha is chosen after looking at them.
    """
    least = min((one.limit for one in _candidates(probabilities, grounded)), default=1.0)
    return next((alpha for alpha in ALPHAS if least <= alpha), None)


def smallest_reject_alpha(probabilities: Floats, grounded: Flags) -> float | None:
    """The same for `choose_reject`."""
    return smallest_accept_alpha(*_mirrored(probabilities, grounded))


class _Candidate(NamedTuple):
    at: float
    answers: int
    wrong: int
    limit: float

    def threshold(self) -> Threshold:
        return Threshold(at=self.at, answers=self.answers, wrong=self.wrong, limit=round(self.limit, 6))


def _candidates(probabilities: Floats, grounded: Flags) -> Iterator[_Candidate]:
    """From the highest to the lowest."""
    descending = np.argsort(-probabilities, kind="stable")
    ranked, wrong = probabilities[descending], ~grounded[descending]
    for step in range(1, CANDIDATES + 1):
        cut = len(ranked) * step // CANDIDATES
        at = float(ranked[cut]) if cut < len(ranked) else 0.0
        beyond = ranked > at
        answers, errors = int(beyond.sum()), int(wrong[beyond].sum())
        yield _Candidate(at, answers, errors, upper_limit(errors, answers))


def _mirrored(probabilities: Floats, grounded: Flags) -> tuple[Floats, Flags]:
    return np.round(1 - probabilities, DIGITS), ~grounded


def upper_limit(wrong: int, answers: int) -> float:
    """Clopper-Pearson's upper limit of the share of wrong ones, at the corrected confidence; 1 without answers."""
    from scipy.stats import beta  # noqa: PLC0415 - heavy

    if wrong >= answers:
        return 1.0
    return float(beta.ppf(1 - (1 - CONFIDENCE) / CANDIDATES, wrong + 1, answers - wrong))
