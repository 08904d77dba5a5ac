"""Likeness of meaning as a whole."""

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal


class Similarity(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """Best cosine to a context sentence, clipped to 0 to 1; None without vectors."""
        if not claim.vector.size:
            return None
        return min(1.0, max(0.0, float(claim.cosines_to_sentences.max())))
