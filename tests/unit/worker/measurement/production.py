"""Production as a simulation: answers with a truth, scores that part them, verdicts, and labels that are sought where it was flagged."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from worker.measurement.corrected import Cell, Corrected, bin_of, corrected_auroc, stratify

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


def corrected(seen: Traffic) -> Corrected:
    """The corrected figure from what production shows."""
    usable = seen.labelled & ((seen.verdicts != "ACCEPT") | seen.audited)
    cells: list[Cell] = [(str(verdict), bin_of(score)) for verdict, score in zip(seen.verdicts, seen.scores, strict=True)]
    decided, labelled = Counter(cells), Counter(cell for cell, used in zip(cells, usable, strict=True) if used)
    strata = stratify(decided, labelled)
    sizes = [0] * (max(strata.values()) + 1)
    for cell, count in decided.items():
        sizes[strata[cell]] += count
    numbers = np.array([strata[cell] for cell, used in zip(cells, usable, strict=True) if used], dtype=np.intp)
    return corrected_auroc(seen.scores[usable], seen.grounded[usable], numbers, sizes)
