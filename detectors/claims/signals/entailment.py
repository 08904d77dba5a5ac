"""Whether the contexts entail the claim, by the cross-encoder that the profile names under `entailment`."""

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal
from detectors.claims.windows import windows


class Entailment(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """Highest probability of entailment, 0 to 1, over the windows that speak most of the claim; None without a cross-encoder."""
        judge = claim.evidence.cross_encoder
        if judge is None:
            return None
        text = claim.in_full
        read = windows(claim, judge.windows, lambda premise: judge.fits(premise, text))
        return max((judge.entails(premise, text) for premise in read), default=None)
