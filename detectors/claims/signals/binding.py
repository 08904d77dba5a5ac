"""Whether each word stands among the same neighbours as in the contexts: attributes bound to the wrong thing show here."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal
from detectors.settings_file import Share


class Binding(Signal):
    """See Signal."""

    found: Share
    """Match from which a word counts as found."""

    def score(self, claim: Claim) -> float | None:
        """Mean, by rarity, over the content words found where the contexts speak of the claim: pull of its other words at the best place of
        the word / at the best place of all."""
        rarity = claim.sentence.rarity
        rows = [int(i) for i in np.flatnonzero(rarity) if claim.match[i, claim.positions].max() >= self.found]
        if len(rows) + len(claim.anchor_weights) < 2 or not rows:
            return None
        content = claim.evidence.content[claim.positions]
        values = [self._bound(claim, i, content) for i in rows]
        return float(np.average(values, weights=rarity[rows]))

    def _bound(self, claim: Claim, index: int, content: np.ndarray) -> float:
        density = claim.density([index])
        there = claim.match[index, claim.positions] >= self.found
        peak = density[content].max(initial=1e-6)
        return min(1.0, float(density[there].max(initial=0.0) / peak))
