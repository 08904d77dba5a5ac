"""How much is unsupported in all: every unsupported word is one more chance of a false fact."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.matching import two_best

DOUBT = 0.25
"""Chance that a fully unsupported word of rarity 1 makes the claim false."""


def score(claim: Claim) -> float | None:
    """Product over the content words of 1 - DOUBT * rarity * what the best two sentences leave unsupported, 0 to 1."""
    weights = claim.sentence.rarity
    if not weights.any():
        return None
    _, both = two_best(claim.by_sentence, weights)
    return float(np.prod(1.0 - DOUBT * weights * (1.0 - both)))
