"""Production as a simulation: answers with a truth, scores that part them, verdicts, and labels that are sought where it was flagged."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from schemas import Pair, Verdict
from tests.unit.worker.monitor.factories import pair
from worker.measurement.cells import Cell, bin_of
from worker.measurement.corrected import Corrected, auroc_of_all

GAP = 1.2
"""How far grounded answers score above the others, in standard deviations of the scores before they are squeezed to 0 to 1."""
TRUTH = float(norm.cdf(GAP / np.sqrt(2)))
"""The AUROC of such scores."""


class Traffic(NamedTuple):
    """Answers; `labelled` marks those that got a label, `audited` those that chance chose for one."""

    scores: NDArray[np.float64]
    grounded: NDArray[np.bool_]
    verdicts: NDArray[np.str_]
    labelled: NDArray[np.bool_]
    audited: NDArray[np.bool_]


def traffic(answers: int, *, audit: float, review: float = 0.3, seed: int = 0, gap: float = GAP) -> Traffic:
    """One in seven hallucinates. Reviewers get to a share of what was flagged, the worst scores first; of the audit slice four in five."""
    draw = np.random.default_rng(seed)
    grounded = draw.random(answers) < 0.85
    scores = 1 / (1 + np.exp(-(draw.normal(size=answers) + gap * grounded - 0.2)))
    verdicts = np.where(scores > 0.55, "ACCEPT", np.where(scores < 0.3, "REJECT", "REVIEW"))
    audited = draw.random(answers) < audit
    sought = np.where(verdicts == "ACCEPT", 0.0, review * np.clip(1.6 - 2 * scores, 0.1, 1))
    labelled = (audited & (draw.random(answers) < 0.8)) | (draw.random(answers) < sought)
    return Traffic(scores, grounded, verdicts, labelled, audited)


def cells_of(seen: Traffic) -> list[Cell]:
    """Each answer's cell."""
    return [(str(verdict), bin_of(score)) for verdict, score in zip(seen.verdicts, seen.scores.tolist(), strict=True)]


def corrected(seen: Traffic) -> Corrected:
    """The corrected figure from what production shows."""
    usable = seen.labelled & ((seen.verdicts != "ACCEPT") | seen.audited)
    cells = cells_of(seen)
    labelled = [cell for cell, used in zip(cells, usable, strict=True) if used]
    return auroc_of_all(seen.scores[usable], seen.grounded[usable], labelled, Counter(cells))


def pairs_of(seen: Traffic) -> list[Pair]:
    """The labelled answers as pairs."""
    return [
        pair(
            i,
            label=int(seen.grounded[i]),
            scores={"final": seen.scores[i]},
            decision=Verdict(seen.verdicts[i]),
            audit=bool(seen.audited[i]),
        )
        for i in np.flatnonzero(seen.labelled).tolist()
    ]
