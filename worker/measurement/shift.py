"""What has shifted between two periods' decisions, without any label."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from schemas import Verdict
from worker.measurement.auroc import Floats
from worker.measurement.drift import Comparison, categories, judge, ks, psi

EXAMPLES: Final = 3
"""Responses that are named for each shift."""


class Decided(NamedTuple):
    """A decision, as far as it is compared."""

    response_id: str
    decision: Verdict
    scores: Mapping[str, float | None]


class Shift(NamedTuple):
    """One figure of the decisions, held against the reference."""

    what: str
    """`decisions`, `coverage` (whether there is a score) or the name of a score."""
    compared: Comparison
    before: float | None
    """The mean of the reference's scores; None for counts."""
    now: float | None
    examples: tuple[str, ...]
    """Responses of now that lie farthest on the side to which the scores moved; none unless it has drifted."""


def shifts(reference: Sequence[Decided], current: Sequence[Decided], alpha: float = 0.01) -> list[Shift]:
    """Verdicts, coverage, `final` by PSI and every score by Kolmogorov and Smirnov's test, judged as one family."""
    names = sorted({name for one in (*reference, *current) for name in one.scores}, key=lambda name: (name != "final", name))
    columns = {name: (_column(reference, name), _column(current, name)) for name in names}
    tests = [
        ("decisions", categories(_verdicts(reference), _verdicts(current))),
        ("coverage", categories(_coverage(reference), _coverage(current))),
        *(("final", psi(*columns[name])) for name in names if name == "final"),
        *((name, ks(*columns[name])) for name in names),
    ]
    judged = judge([compared for _, compared in tests], alpha)
    return [_shift(what, compared, columns.get(what), current) for (what, _), compared in zip(tests, judged, strict=True)]


def _shift(what: str, compared: Comparison, columns: tuple[Floats, Floats] | None, current: Sequence[Decided]) -> Shift:
    if columns is None:
        return Shift(what, compared, None, None, ())
    before, now = map(_mean, columns)
    if not compared.drifted or before is None or now is None:
        return Shift(what, compared, before, now, ())
    order = np.argsort(columns[1] if now < before else -columns[1])  # absent ones, NaN, come last
    return Shift(what, compared, before, now, tuple(current[i].response_id for i in order[:EXAMPLES]))


def _column(decided: Sequence[Decided], name: str) -> Floats:
    return np.array([np.nan if (value := one.scores.get(name)) is None else value for one in decided], dtype=np.float64)


def _mean(column: Floats) -> float | None:
    return None if np.isnan(column).all() else float(np.nanmean(column))


def _verdicts(decided: Sequence[Decided]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([sum(one.decision is verdict for one in decided) for verdict in Verdict], dtype=np.int64)


def _coverage(decided: Sequence[Decided]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    scored = sum(one.scores.get("final") is not None for one in decided)
    return np.array([scored, len(decided) - scored], dtype=np.int64)
