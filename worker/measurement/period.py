"""The figures of the answers that were served, or labelled, in a period."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from schemas import Auroc, Pair, Verdict
from worker.measurement.auroc import auroc
from worker.measurement.corrected import Cell, Corrected, bin_of, corrected_auroc, stratify


@dataclass(frozen=True, kw_only=True)
class PeriodFigures:
    """How well `final` ranked the labelled answers of a period, and, corrected, all of its answers."""

    pairs: int
    """Labelled decisions."""
    unscored: int
    """Of these, without a score."""
    plain: Auroc
    """Of the labelled answers as they are."""
    corrected: Corrected
    """Of all answers served in the period."""
    outside: int
    """Labels of accepted answers that chance did not choose: nobody knows whom they stand for, and `corrected` leaves them out."""


def measure_period(pairs: Sequence[Pair], cells: Mapping[Cell, int]) -> PeriodFigures:
    """`cells`: all scored decisions of the period, labelled or not, by verdict and bin."""
    scored = [pair for pair in pairs if pair.scores.get("final") is not None]
    usable = [pair for pair in scored if pair.audit or pair.decision is not Verdict.ACCEPT]
    return PeriodFigures(
        pairs=len(pairs),
        unscored=len(pairs) - len(scored),
        plain=auroc(_scores(scored), _labels(scored)),
        corrected=_corrected(usable, cells),
        outside=len(scored) - len(usable),
    )


def _corrected(pairs: Sequence[Pair], cells: Mapping[Cell, int]) -> Corrected:
    of = [(pair.decision.value, bin_of(score)) for pair, score in zip(pairs, _scores(pairs), strict=True)]
    strata = stratify(cells, Counter(of))
    known = [i for i, cell in enumerate(of) if cell in strata]  # a decision may have come between the two readings
    decided = Counter[int]()
    for cell, count in cells.items():
        decided[strata[cell]] += count
    kept = [pairs[i] for i in known]
    numbers = np.array([strata[of[i]] for i in known], dtype=np.intp)
    return corrected_auroc(_scores(kept), _labels(kept), numbers, [decided[number] for number in range(len(decided))])


def _scores(pairs: Sequence[Pair]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([pair.scores["final"] for pair in pairs], dtype=np.float64)


def _labels(pairs: Sequence[Pair]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([pair.label == 1 for pair in pairs], dtype=np.bool_)
