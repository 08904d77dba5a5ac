"""Support of word pairs."""

from itertools import pairwise

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal


class Phrases(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """Share of adjacent word pairs (stems), of which one at least is a content word, that stand so in a sentence that speaks of it."""
        stems, rarity = claim.sentence.stems, claim.sentence.rarity
        pairs = [pair for pair, (x, y) in zip(pairwise(stems), pairwise(rarity), strict=True) if x or y]
        told = {pair for j in claim.ranked for pair in pairwise(claim.evidence.sentences[j].stems)}
        return sum(pair in told for pair in pairs) / len(pairs) if pairs else None
