"""Decisions by verdict and score, and what labels are taken to stand for. Needs no arrays, so that the store may count by it."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from schemas import Verdict

Cell = tuple[str, int]
"""A verdict and a bin of its scores."""


class Judged(NamedTuple):
    """A labelled decision, as far as figures of periods need it."""

    decision: Verdict
    final: float | None
    label: Literal[0, 1]
    audit: bool


BINS: Final = 20
"""Of equal width, which the final score's range from 0 to 1 is cut into."""
FEWEST: Final = 10
"""Labels that a stratum needs; one with fewer is joined with the next of its verdict."""


def bin_of(score: float) -> int:
    """The bin of a score, 0 to BINS - 1; scores beyond 0 and 1 belong to the outer ones."""
    return min(max(int(score * BINS), 0), BINS - 1)


def stratify(decided: Mapping[Cell, int], labelled: Mapping[Cell, int], fewest: int = FEWEST) -> dict[Cell, int]:
    """A stratum's number for each cell that has decisions. Cells of a verdict are joined, in order of their bins, until each stratum has
    `fewest` labels; what is left over at the end joins the last."""
    strata: dict[Cell, int] = {}
    number = 0
    for verdict in sorted({verdict for verdict, _ in decided}):
        cells = sorted(cell for cell, count in decided.items() if cell[0] == verdict and count)
        first, labels = number, 0
        for cell in cells:
            strata[cell] = number
            labels += labelled.get(cell, 0)
            if labels >= fewest:
                number, labels = number + 1, 0
        if number > first and strata[cells[-1]] == number:  # too few were left for a stratum of their own
            strata |= {cell: number - 1 for cell in cells if strata[cell] == number}
        elif number == first:
            number += 1
    return strata
