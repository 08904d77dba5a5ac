"""All, most, some, only, at least, at most: how much of the thing is meant."""

from detectors.claims.claim import Claim
from detectors.lexicon import english
from detectors.word_lists import shown


def score(claim: Claim) -> float | None:
    """Lowest agreement of the claim's quantifiers with those of the best-matching context sentence, 0 to 1; None without any.

    What the contexts put no limit on at all is no contradiction: `unsaid` of the quantifier.
    """
    cues = english().quantifiers
    mine, told = shown(cues, claim.sentence.text), shown(cues, claim.evidence.sentences[claim.ranked[0]].text)
    values = [1.0 if name in told else 0.0 if told & cues[name].against else cues[name].unsaid for name in mine]
    return min(values, default=None)
