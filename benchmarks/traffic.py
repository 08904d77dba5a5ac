"""Production as a simulation: answers with a truth, scores that part them, verdicts, and labels that are sought where it was flagged."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from schemas import Verdict
from worker.measurement.cells import Cell, Judged, bin_of

GAP: Final = 1.2
"""How far grounded answers score above the others, in standard deviations of the scores before they are squeezed to 0 to 1."""
_LABELLED_AT: Final = datetime(2025, 1, 1, tzinfo=UTC)


class Traffic(NamedTuple):
    """Answers (n), in the order in which they were served."""

    scores: NDArray[np.float64]
    grounded: NDArray[np.bool_]
    verdicts: NDArray[np.str_]
    labelled: NDArray[np.bool_]
    """Those that get a label …"""
    audited: NDArray[np.bool_]
    """… and those that chance chose for one."""
    chances: NDArray[np.float64]
    """Of each to get a label, before chance was asked."""


def auroc_at(gap: float) -> float:
    """The AUROC of scores that part the classes by so much."""
    return float(norm.cdf(gap / np.sqrt(2)))


def gap_at(auroc: float) -> float:
    """The gap of scores that have so high an AUROC."""
    return float(np.sqrt(2) * norm.ppf(auroc))


TRUTH: Final = auroc_at(GAP)
"""The AUROC of all answers, where nothing else is asked for."""


def traffic(
    answers: int, *, audit: float, review: float = 0.3, seed: int = 0, gap: float = GAP, rise: NDArray[np.float64] | float = 0.0
) -> Traffic:
    """One in seven hallucinates, and scores higher by `rise` (n, or for all). Reviewers get to a share of what was flagged, the worst
    scores first; of the audit slice four in five."""
    draw = np.random.default_rng(seed)
    grounded = draw.random(answers) < 0.85
    scores = 1 / (1 + np.exp(-(draw.normal(size=answers) + np.where(grounded, gap, rise) - 0.2)))
    verdicts = np.where(scores > 0.55, "ACCEPT", np.where(scores < 0.3, "REJECT", "REVIEW"))
    audited = draw.random(answers) < audit
    sought = np.where(verdicts == "ACCEPT", 0.0, review * np.clip(1.6 - 2 * scores, 0.1, 1))
    labelled = (audited & (draw.random(answers) < 0.8)) | (draw.random(answers) < sought)
    return Traffic(scores, grounded, verdicts, labelled, audited, 1 - (1 - 0.8 * audit) * (1 - sought))


def cells_of(seen: Traffic) -> list[Cell]:
    """Each answer's cell."""
    return [(str(verdict), bin_of(score)) for verdict, score in zip(seen.verdicts, seen.scores.tolist(), strict=True)]


def judged_of(seen: Traffic) -> list[Judged]:
    """The labelled answers, in order."""
    return [
        Judged(Verdict(seen.verdicts[i]), float(seen.scores[i]), 1 if seen.grounded[i] else 0, bool(seen.audited[i]))
        for i in np.flatnonzero(seen.labelled).tolist()
    ]
