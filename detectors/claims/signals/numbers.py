"""Numbers, quantities and dates by value, and whether they belong to the same thing."""

import numpy as np
from numpy.typing import NDArray

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
    density = claim.density(claim.sentence.word_at(quantity.start, quantity.end) or [0])
    here = _candidates(claim, density)
    peers = [pull for other, pull in here if other.kind == quantity.kind and other.dimension == quantity.dimension]
    found = [pull for other, pull in here if quantity.agrees(other)]
    if found:
        return min(1.0, max(found) / max([*peers, 1e-6]))
    return ELSEWHERE if claim.evidence.like(quantity) else 0.0


def _candidates(claim: Claim, density: NDArray[np.float64]) -> list[tuple[Quantity, float]]:
    """Quantities of the candidate sentences with how strongly the claim's other words stand around them."""
    pull = dict(zip(claim.positions.tolist(), density.tolist(), strict=True))
    out = []
    for j in claim.ranked:
        sentence, start = claim.evidence.sentences[j], int(claim.evidence.starts[j])
        for quantity in sentence.quantities:
            at = [pull[start + i] for i in sentence.word_at(quantity.start, quantity.end)]
            out.append((quantity, max(at, default=0.0)))
    return out
