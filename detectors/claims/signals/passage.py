"""Whether one passage tells the whole claim: a fact taken from a similarly named neighbour shows here."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal
from detectors.settings_file import Share


class Passage(Signal):
    """See Signal."""

    found: Share
    """Match from which a word counts as found."""
    rival: Share
    """Share of what the best passage holds from which another one may have lent its facts; passages on other things share words by
    chance."""

    def score(self, claim: Claim) -> float | None:
        """What the passage that says most holds of the words that it and its rivals hold, by rarity, with a short answer's question.

        0 to 1; None without a rival, or where that passage is a single sentence: what stood around it is not known.
        """
        passages = claim.evidence.passages
        words = np.concatenate([claim.match, claim.anchors]) >= self.found
        weights = np.concatenate([claim.sentence.rarity, claim.anchor_weights])
        of_word = passages[claim.evidence.sentence_of]
        held = {int(p): round(float(weights @ words[:, of_word == p].any(1)), 5) for p in np.unique(passages)}
        best = max(held, key=lambda p: held[p])
        rivals = [p for p in held if held[p] >= self.rival * held[best]]
        if len(rivals) < 2 or (passages == best).sum() < 2 or not held[best]:
            return None
        return min(1.0, held[best] / float(weights @ words[:, np.isin(of_word, rivals)].any(1)))
