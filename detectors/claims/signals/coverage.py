"""Support of the content words."""

from detectors.claims.claim import Claim
from detectors.claims.matching import best_by_sentence, best_two
from detectors.claims.signal import Signal
from detectors.settings_file import Weight


class Coverage(Signal):
    """See Signal."""

    question: Weight
    """Weight of the question's words beside the answer's, for short answers."""

    def score(self, claim: Claim) -> float | None:
        """Rarity-weighted share of the content words found in the best sentence or two, 0 to 1; like words count in part.

        For a short answer the same sentence must speak of the question as well.
        """
        weights = claim.sentence.rarity
        total = float(weights.sum())
        if not total:
            return None
        if not len(claim.anchor_weights):
            return best_two(claim.by_sentence, weights, claim.matching)
        answer = (weights @ claim.by_sentence) / total
        asked = (claim.anchor_weights @ best_by_sentence(claim.anchors, claim.evidence)) / max(1e-6, float(claim.anchor_weights.sum()))
        return float((answer * (1 + self.question * asked) / (1 + self.question)).max())
