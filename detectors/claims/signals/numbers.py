"""Numbers, quantities and dates by value, and whether they belong to the same thing."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity
from detectors.lexicon import measures

ELSEWHERE = 0.1
"""Credit for a value that the contexts name, but not where they speak of this claim."""


def score(claim: Claim) -> float | None:
    """Support of the claim's quantities, 0 to 1: half their mean, half the worst of them, since one wrong value makes a claim false however
    many others are right; None without any."""
    supports = [_support(claim, quantity) for quantity in claim.sentence.quantities if _counts(claim, quantity)]
    return (float(np.mean(supports)) + min(supports)) / 2 if supports else None


def _counts(claim: Claim, quantity: Quantity) -> bool:
    """Whether it can be checked: weekdays only where the contexts name some."""
    if claim.sentence.text[quantity.start : quantity.end].lower() in measures().uncounted:
        return False
    return quantity.kind != "weekday" or any(told.kind == "weekday" for told in claim.evidence.quantities)


def _support(claim: Claim, quantity: Quantity) -> float:
    like = claim.evidence.like(quantity)
    here = [claim.place_of[position] for positions in like.values() for position in positions if position in claim.place_of]
    if not here:
        return ELSEWHERE if like else 0.0
    density = claim.density(claim.sentence.word_at(quantity.start, quantity.end) or [0])
    peers = density[claim.told.get((quantity.kind, quantity.dimension), [])].max(initial=1e-6)
    return min(1.0, float(density[here].max() / peers))
