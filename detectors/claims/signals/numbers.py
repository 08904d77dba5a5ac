"""Numbers, quantities and dates by value, and whether they belong to the same thing."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity
from detectors.claims.signal import Signal
from detectors.lexicon import measures
from detectors.settings_file import Share


class Numbers(Signal):
    """See Signal."""

    elsewhere: Share
    """Credit for a value that the contexts name, but not where they speak of this claim."""
    worst: Share
    """Share of the worst value beside the mean: one wrong value makes a claim false however many others are right."""

    def score(self, claim: Claim) -> float | None:
        """Support of the claim's quantities, 0 to 1: their mean, and `worst` of the worst of them; None without any."""
        supports = [self._support(claim, quantity) for quantity in claim.sentence.quantities if _counts(claim, quantity)]
        return (1 - self.worst) * float(np.mean(supports)) + self.worst * min(supports) if supports else None

    def _support(self, claim: Claim, quantity: Quantity) -> float:
        like = claim.evidence.like(quantity)
        here = [claim.place_of[position] for positions in like.values() for position in positions if position in claim.place_of]
        if not here:
            return self.elsewhere if like else 0.0
        density = claim.density(claim.sentence.word_at(quantity.start, quantity.end) or [0])
        peers = density[claim.told.get((quantity.kind, quantity.dimension), [])].max(initial=1e-6)
        return min(1.0, float(density[here].max() / peers))


def _counts(claim: Claim, quantity: Quantity) -> bool:
    """Whether it can be checked: weekdays only where the contexts name some."""
    if claim.sentence.text[quantity.start : quantity.end].lower() in measures().uncounted:
        return False
    return quantity.kind != "weekday" or any(told.kind == "weekday" for told in claim.evidence.quantities)
