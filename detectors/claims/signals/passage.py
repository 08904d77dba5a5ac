"""Whether one passage tells the whole claim: a fact taken from a similarly named neighbour shows here."""

import numpy as np

from detectors.claims.claim import Claim

FOUND = 0.6
"""Match from which a word counts as found."""


def score(claim: Claim) -> float | None:
    """What the passage that says most holds of the words that the contexts hold, by rarity, the question's beside a short answer's own.

    0 to 1; None with a single passage, or where the passages are single sentences, which say nothing of what stands together.
    """
    passages = np.array([sentence.passage for sentence in claim.evidence.sentences])
    if passages[-1] == 0 or len(passages) < 2 * (passages[-1] + 1):
        return None
    words = np.concatenate([claim.match, claim.anchors]) >= FOUND
    weights = np.concatenate([claim.sentence.rarity, claim.anchor_weights])
    of_word = passages[claim.evidence.sentence_of]
    held = [float(weights @ words[:, of_word == passage].any(1)) for passage in np.unique(passages)]
    told = float(weights @ words.any(1))
    return max(held) / told if told else None
