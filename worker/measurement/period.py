"""The figures of the answers that were served, or labelled, in a period."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from schemas import Auroc, Verdict
from worker.measurement.auroc import auroc
from worker.measurement.cells import Cell, Judged, bin_of
from worker.measurement.corrected import Corrected, auroc_of_all


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


def measure_period(pairs: Sequence[Judged], cells: Mapping[Cell, int]) -> PeriodFigures:
    """`cells`: all scored decisions of the period, labelled or not, by verdict and bin."""
    scored = [pair for pair in pairs if pair.final is not None]
    usable = [pair for pair in scored if pair.audit or pair.decision is not Verdict.ACCEPT]
    return PeriodFigures(
        pairs=len(pairs),
        unscored=len(pairs) - len(scored),
        plain=auroc(_scores(scored), _labels(scored)),
        corrected=_corrected(usable, cells),
        outside=len(scored) - len(usable),
    )


def _corrected(pairs: Sequence[Judged], cells: Mapping[Cell, int]) -> Corrected:
    scores = _scores(pairs)
    of = [(pair.decision.value, bin_of(score)) for pair, score in zip(pairs, scores.tolist(), strict=True)]
    return auroc_of_all(scores, _labels(pairs), of, cells)


def _scores(pairs: Sequence[Judged]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([pair.final for pair in pairs], dtype=np.float64)


def _labels(pairs: Sequence[Judged]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([pair.label == 1 for pair in pairs], dtype=np.bool_)
