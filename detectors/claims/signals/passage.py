"""Whether one passage tells the whole claim: a fact taken from a similarly named neighbour shows here."""

import numpy as np

from detectors.claims.claim import Claim

FOUND = 0.6
"""Match from which a word counts as found."""


def score(claim: Claim) -> float | None:
    """What the passage that says most holds of the words that the contexts hold, by rarity, the question's beside a short answer's own.

    0 to 1; None with a single passage, or where that passage is a single sentence: what stood around it is not known.
    """
    passages = np.array([sentence.passage for sentence in claim.evidence.sentences])
    words = np.concatenate([claim.match, claim.anchors]) >= FOUND
    weights = np.concatenate([claim.sentence.rarity, claim.anchor_weights])
    of_word = passages[claim.evidence.sentence_of]
    held = {int(p): round(float(weights @ words[:, of_word == p].any(1)), 5) for p in np.unique(passages)}
    best, told = max(held, key=lambda p: held[p]), float(weights @ words.any(1))
    if len(held) < 2 or (passages == best).sum() < 2 or not told:
        return None
    return min(1.0, held[best] / told)
