"""Conditions and times: only if, unless, even when; still, no longer, will."""

import re

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence
from detectors.lexicon import stem

_PATTERNS = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "condition": r"\b(?:only (?:if|when|where|after|with|by|for)|unless|provided|as long as|except|save where|if|subject to|on condition|without)\b",
        "regardless": r"\b(?:even (?:if|when|after|though|without|for)|regardless|including when|whether or not|in any case|under all|always|at any time|automatically)\b",
        "still": r"\b(?:still|currently|continues? to|remains?|at present|nowadays|to this day)\b",
        "ended": r"\b(?:no longer|formerly|used to|until|given up|discontinued|ended|ceased|abolished|closed|stopped|previously|switched off|withdrawn|any more|anymore|former)\b",
        "future": r"\b(?:will|going to|shall|from next|is due to|are due to|plans? to|planned|upcoming|soon|not yet|scheduled|is to|are to)\b|'ll\b",
        "done": r"\b(?:already|has been|have been)\b",
    }.items()
}
_RIVALS = {
    "condition": {"regardless"},
    "regardless": {"condition"},
    "still": {"ended", "future"},
    "ended": {"still", "future"},
    "future": {"done", "ended"},
    "done": {"future"},
}
RIVAL = 0.2
_PAST, _FUTURE = frozenset({"VBD", "VBN"}), frozenset({"will", "shall", "'ll", "to"})


def score(claim: Claim) -> float | None:
    """RIVAL where claim and best context sentence differ in condition or time, 1 where they agree; None where neither shows."""
    told_sentence = claim.evidence.sentences[claim.ranked[0]]
    mine, told = classes(claim.sentence.text), classes(told_sentence.text)
    values = [RIVAL for name in mine - told if (told - mine) & _RIVALS[name]] + [1.0 for _ in mine & told]
    values += [RIVAL] if _tense_differs(claim, told_sentence) else []
    return min(values, default=None)


def classes(text: str) -> set[str]:
    """Names of the cue classes that occur in the text."""
    return {name for name, pattern in _PATTERNS.items() if pattern.search(text)}


def _tense_differs(claim: Claim, told: Sentence) -> bool:
    """Whether the claim tells as past a verb that the context foretells."""
    foretold = {told.stems[i] for i in range(len(told.stems)) if _FUTURE & set(told.stems[max(0, i - 2) : i]) and told.rarity[i] > 0}
    past = {stem(t.text) for t in claim.parse if t.tag in _PAST and t.pos == "VERB" and t.dep not in ("amod", "acl")}
    future = _FUTURE & set(claim.sentence.stems)
    return bool(past & foretold) and not future
