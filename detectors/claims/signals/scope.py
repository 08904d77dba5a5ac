"""Conditions and times: only if, unless, even when; still, no longer, will."""

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence
from detectors.lexicon import english
from detectors.stems import stem
from detectors.word_lists import shown

RIVAL = 0.2
_PAST = frozenset({"VBD", "VBN"})


def score(claim: Claim) -> float | None:
    """RIVAL where claim and best context sentence differ in condition or time, 1 where they agree; None where neither shows."""
    told_sentence = claim.evidence.sentences[claim.ranked[0]]
    cues = english().scope
    mine, told = shown(cues, claim.sentence.text), shown(cues, told_sentence.text)
    values = [RIVAL for name in mine - told if (told - mine) & cues[name].against] + [1.0 for _ in mine & told]
    values += [RIVAL] if _tense_differs(claim, told_sentence) else []
    return min(values, default=None)


def _tense_differs(claim: Claim, told: Sentence) -> bool:
    """Whether the claim tells as past a verb that the context foretells."""
    signs = english().foretelling
    foretold = {told.stems[i] for i in range(len(told.stems)) if signs & set(told.stems[max(0, i - 2) : i]) and told.rarity[i] > 0}
    past = {stem(t.text) for t in claim.parse if t.tag in _PAST and t.pos == "VERB" and t.dep not in ("amod", "acl")}
    return bool(past & foretold) and not signs & set(claim.sentence.stems)
