"""All, most, some, only, at least, at most: how much of the thing is meant."""

import re

from detectors.claims.claim import Claim

_CLASSES = {
    "all": r"\b(?:all|every|each|everyone|everything|everybody|entire|always|anyone|any|whole|both)\b",
    "none": r"\b(?:none|no one|nobody|never|neither)\b",
    "most": r"\b(?:most|majority|mainly|mostly|largely|usually|nearly all|almost all)\b",
    "some": r"\b(?:some|several|a few|few|many|certain|sometimes|half|part of|partly)\b",
    "only": r"\b(?:only|solely|exclusively|nothing but|restricted to|limited to)\b",
    "least": r"\b(?:at least|or more|no (?:fewer|less|sooner|earlier) than|minimum|minimally|or older|more than|over|above|exceed\w*|longer than)\b",
    "most_of_all": r"\b(?:at most|up to|no (?:more|later|longer) than|not exceed|maximum|or (?:less|fewer)|fewer than|less than|below|within|as many as|under)\b",
}
_PATTERNS = {name: re.compile(pattern, re.I) for name, pattern in _CLASSES.items()}
_RIVALS = {
    "all": {"most", "some", "only", "none"},
    "none": {"all", "most", "some"},
    "most": {"some", "none"},
    "some": {"none"},
    "only": {"all"},
    "least": {"most_of_all"},
    "most_of_all": {"least"},
}
UNSAID = {"all": 0.6, "none": 0.6, "only": 0.6, "most": 0.8}
"""Value where the contexts put no limit at all on what the claim limits."""


def score(claim: Claim) -> float | None:
    """Lowest agreement of the claim's quantifiers with those of the best-matching context sentence, 0 to 1; None without any."""
    mine, told = classes(claim.sentence.text), classes(_told(claim))
    values = [1.0 if name in told else 0.0 if told & _RIVALS[name] else UNSAID.get(name, 1.0) for name in mine]
    return min(values, default=None)


def classes(text: str) -> set[str]:
    """Names of the quantifier classes that occur in the text."""
    return {name for name, pattern in _PATTERNS.items() if pattern.search(text)}


def _told(claim: Claim) -> str:
    return claim.evidence.sentences[claim.ranked[0]].text
