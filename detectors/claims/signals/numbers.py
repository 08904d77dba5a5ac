"""Numbers, quantities and dates by value, and whether they belong to the same thing."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity
from detectors.claims.signal import Signal
from detectors.lexicon import measures
from detectors.settings_file import Share

_ROUNDED: Final = 0.005
"""How far off what was worked out may be, as a share of it."""
_MOST_DERIVED: Final = 12
"""Beyond so many values any number is near what some two of them come to."""


class Numbers(Signal):
    """See Signal."""

    elsewhere: Share
    """Credit for a value that the contexts name, but not where they speak of this claim."""
    worst: Share
    """Share of the worst value beside the mean: one wrong value makes a claim false however many others are right."""

    def score(self, claim: Claim) -> float | None:
        """Support of the claim's quantities, 0 to 1: their mean, and `worst` of the worst of them; None without any that can be checked:
        what is the sum, the difference or the ratio of two values told of it may have been worked out."""
        told: dict[Quantity, Places] = {}
        found = [self._support(claim, quantity, told) for quantity in claim.sentence.quantities if _counts(claim, quantity)]
        supports = [support for support in found if support is not None]
        return (1 - self.worst) * float(np.mean(supports)) + self.worst * min(supports) if supports else None

    def _support(self, claim: Claim, quantity: Quantity, told: dict[Quantity, "Places"]) -> float | None:
        """`told` remembers where the contexts tell each value: a sentence may repeat one thousands of times."""
        if (value := quantity.anywhere) not in told:
            told[value] = _places(claim, quantity)
        like, here = told[value]
        if not here.size:
            return self.elsewhere if like else None if _derived(claim, quantity) else 0.0
        density = claim.density(claim.sentence.word_at(quantity.start, quantity.end) or [0])
        peers = density[claim.told.get((quantity.kind, quantity.dimension), [])].max(initial=1e-6)
        return min(1.0, float(density[here].max() / peers))


class Places(NamedTuple):
    """Where the contexts tell a value."""

    like: bool
    """Whether they do at all …"""
    here: NDArray[np.intp]
    """… and where among the words held against the claim."""


def _places(claim: Claim, quantity: Quantity) -> Places:
    like = claim.evidence.like(quantity)
    here = [claim.place_of[position] for positions in like.values() for position in positions if position in claim.place_of]
    return Places(bool(like), np.array(here, dtype=np.intp))


def _counts(claim: Claim, quantity: Quantity) -> bool:
    """Whether it can be checked: weekdays only where the contexts name some."""
    if claim.sentence.text[quantity.start : quantity.end].lower() in measures().uncounted:
        return False
    return quantity.kind != "weekday" or any(told.kind == "weekday" for told in claim.evidence.quantities)


def _derived(claim: Claim, quantity: Quantity) -> bool:
    """Whether two values where the contexts speak of the claim come to it: of its dimension, or in per cent."""
    told = [q for j in claim.ranked for q in claim.evidence.sentences[j].quantities if q.kind == "number" and q.value > 0]
    if quantity.kind != "number" or len(told) > _MOST_DERIVED:
        return False
    return any(_near(quantity, value, dimension) for a, b in combinations(told, 2) for value, dimension in _combined(a, b))


def _combined(a: Quantity, b: Quantity) -> Iterator[tuple[float, str]]:
    """Sum, difference and ratio, with their dimensions; nothing where theirs differ."""
    if a.dimension == b.dimension:
        yield a.value + b.value, a.dimension
        yield abs(a.value - b.value), a.dimension
        yield 100 * min(a.value, b.value) / max(a.value, b.value), "percent"


def _near(quantity: Quantity, value: float, dimension: str) -> bool:
    return quantity.dimension == dimension and abs(quantity.value - value) <= max(quantity.slack, _ROUNDED * value)
