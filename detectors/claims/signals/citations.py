"""Citations such as [2], checked against the passage they name."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal


class Citations(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """Best coverage in the cited passages as a share of the best anywhere; 0 when one of them does not exist; None without a citation.

        With a single context the numbers are those of a longer list that was not sent along: None as well.
        """
        if not claim.citations or claim.evidence.passages[-1] == 0:
            return None
        if not set(claim.citations) <= set((claim.evidence.passages + 1).tolist()):
            return 0.0
        cited = claim.coverage[np.isin(claim.evidence.passages + 1, claim.citations)]
        return min(1.0, float(cited.max(initial=0.0)) / max(1e-6, float(claim.coverage.max())))
