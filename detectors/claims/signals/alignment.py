"""Token alignment (recall of BERTScore, Zhang et al. 2020) inside the best sentences."""

from detectors.claims.claim import Claim
from detectors.claims.matching import best_by_sentence, best_two
from detectors.claims.signal import Signal
from detectors.settings_file import Weight


class Alignment(Signal):
    """See Signal."""

    function_word: Weight
    """Weight of a stop word beside content words of .15 to 1."""

    def score(self, claim: Claim) -> float | None:
        """Weighted mean over the claim's words of the best cosine in the best sentence or two, 0 to 1; None without word vectors."""
        if not claim.evidence.has_word_vectors:
            return None
        weights = claim.sentence.rarity + self.function_word
        return min(1.0, max(0.0, best_two(best_by_sentence(claim.cosines, claim.evidence), weights, claim.matching)))
