"""How much is unsupported in all: every unsupported word is one more chance of a false fact."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.matching import two_best
from detectors.claims.signal import Signal
from detectors.settings_file import Share


class Gaps(Signal):
    """See Signal."""

    doubt: Share
    """Chance that a fully unsupported word of rarity 1 makes the claim false."""

    def score(self, claim: Claim) -> float | None:
        """Product over the content words of 1 - doubt * rarity * what the best two sentences leave unsupported, 0 to 1."""
        weights = claim.sentence.rarity
        if not weights.any():
            return None
        _, both = two_best(claim.by_sentence, weights, claim.matching)
        return float(np.prod(1.0 - self.doubt * weights * (1.0 - both)))
