"""What has shifted between two periods' decisions, without any label."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from schemas import Verdict
from worker.measurement.auroc import Floats
from worker.measurement.drift import Comparison, categories, energy, judge, ks, psi

EXAMPLES: Final = 3
"""Responses that are named for each shift."""
TRAITS: Final = ("question_characters", "response_characters", "contexts", "context_characters")
TEXTS: Final = ("question", "response", "context")


class Decided(NamedTuple):
    """A decision, as far as it is compared."""

    response_id: str
    decision: Verdict
    scores: Mapping[str, float | None]
    traits: Mapping[str, Any]
    """Of the texts, by the names of `schemas.Traits`; empty where they are not known."""


class Shift(NamedTuple):
    """One figure of the decisions, held against the reference."""

    what: str
    """`decisions`, `coverage` (whether there is a score), the name of a score or of a trait of the texts, or the text whose `direction`."""
    compared: Comparison
    before: float | None
    """The mean of the reference's values; None for counts and directions."""
    now: float | None
    examples: tuple[str, ...]
    """Responses of now that lie farthest on the side to which the scores moved; none unless it has drifted."""


def shifts(reference: Sequence[Decided], current: Sequence[Decided], alpha: float = 0.01) -> list[Shift]:
    """Verdicts, coverage, `final` by PSI, every score and trait of the texts by Kolmogorov and Smirnov's test, and where the texts lie by
    the energy test; judged as one family."""
    columns = {name: (_column(reference, name), _column(current, name)) for name in _scores((*reference, *current))}
    columns |= {name: (_trait(reference, name), _trait(current, name)) for name in TRAITS}
    vectors = {f"direction of {name}": (_directions(reference, name), _directions(current, name)) for name in TEXTS}
    tests = [
        ("decisions", categories(_verdicts(reference), _verdicts(current))),
        ("coverage", categories(_coverage(reference), _coverage(current))),
        *(("final", psi(*columns[name])) for name in columns if name == "final"),
        *((name, ks(*both)) for name, both in columns.items()),
        *((name, energy(*both)) for name, both in vectors.items()),
    ]
    judged = judge([compared for _, compared in tests], alpha)
    both = columns | vectors
    return [_shift(what, compared, both.get(what), current) for (what, _), compared in zip(tests, judged, strict=True)]


def _shift(what: str, compared: Comparison, both: tuple[Floats, Floats] | None, current: Sequence[Decided]) -> Shift:
    if both is None:
        return Shift(what, compared, None, None, ())
    before, now = (None, None) if both[0].ndim > 1 else tuple(map(_mean, both))
    return Shift(what, compared, before, now, tuple(current[i].response_id for i in _farthest(*both)) if compared.drifted else ())


def _farthest(reference: Floats, current: Floats) -> list[int]:
    """The rows of `current` that lie farthest in the direction in which its mean has moved."""
    before, now = (np.nanmean(of.reshape(len(of), -1), axis=0) for of in (reference, current))
    along = current.reshape(len(current), -1) @ (now - before)
    return [int(i) for i in np.argsort(-along)[:EXAMPLES]]  # absent ones, NaN, come last


def _scores(decided: Sequence[Decided]) -> list[str]:
    return sorted({name for one in decided for name in one.scores}, key=lambda name: (name != "final", name))


def _trait(decided: Sequence[Decided], name: str) -> Floats:
    return np.array([np.nan if (value := one.traits.get(name)) is None else value for one in decided], dtype=np.float64)


def _directions(decided: Sequence[Decided], name: str) -> Floats:
    """Rows × the figures of a direction; absent ones are NaN."""
    known = [one.traits.get("directions", {}).get(name) for one in decided]
    width = max((len(one) for one in known if one), default=1)
    return np.array([one if one and len(one) == width else [np.nan] * width for one in known], dtype=np.float64).reshape(len(known), width)


def _column(decided: Sequence[Decided], name: str) -> Floats:
    return np.array([np.nan if (value := one.scores.get(name)) is None else value for one in decided], dtype=np.float64)


def _mean(column: Floats) -> float | None:
    return None if np.isnan(column).all() else float(np.nanmean(column))


def _verdicts(decided: Sequence[Decided]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([sum(one.decision is verdict for one in decided) for verdict in Verdict], dtype=np.int64)


def _coverage(decided: Sequence[Decided]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    scored = sum(one.scores.get("final") is not None for one in decided)
    return np.array([scored, len(decided) - scored], dtype=np.int64)
