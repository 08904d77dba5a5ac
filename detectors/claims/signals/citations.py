"""Citations such as [2], checked against the passage they name."""

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal


class Citations(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """Best coverage in the cited passages as a share of the best anywhere; 0 when none of them exists; None without a citation.

        With a single context the numbers are those of a longer list that was not sent along: None as well.
        """
        if not claim.citations or claim.evidence.sentences[-1].passage == 0:
            return None
        passages = [s.passage + 1 for s in claim.evidence.sentences]
        cited = [c for c, p in zip(claim.coverage.tolist(), passages, strict=True) if p in claim.citations]
        return min(1.0, max(cited, default=0.0) / max(1e-6, float(claim.coverage.max())))
