"""Names in the claim, looked up softly where the contexts speak of the claim."""

import numpy as np

from detectors.claims.claim import Claim

_VALUES = frozenset({"CARDINAL", "ORDINAL", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY"})
FOUND = 0.6
"""Match from which a name's word counts as found."""
ELSEWHERE = 0.5


def score(claim: Claim) -> float | None:
    """Mean support of the named entities, 0 to 1: share of each name's words that are found, by rarity; None without a name."""
    names = [name for name in entities(claim) if name]
    return float(np.mean([_support(claim, name) for name in names])) if names else None


def entities(claim: Claim) -> list[list[int]]:
    """Word indices of each name: the recogniser's entities and further runs of proper nouns."""
    runs: list[list[int]] = []
    previous = ""
    for token in claim.parse:
        kind = token.entity if token.entity not in _VALUES else ""
        kind = kind or ("PROPN" if token.pos == "PROPN" and not token.entity else "")
        if kind:
            index = [i for i in claim.sentence.words_of(token) if claim.sentence.rarity[i] > 0]
            if previous == kind and runs:
                runs[-1].extend(i for i in index if i not in runs[-1])
            else:
                runs.append(index)
        previous = kind
    return runs


def _support(claim: Claim, name: list[int]) -> float:
    weights = claim.sentence.rarity[name]
    everywhere = claim.match[name].max(1)
    found = np.where(everywhere >= FOUND, everywhere, 0.0)
    if _initials(claim, name):
        return 1.0
    near = claim.match[name][:, claim.positions].max(1, initial=0.0)
    found = np.where(near >= FOUND, near, ELSEWHERE * found)
    return float(weights @ found / weights.sum())


def _initials(claim: Claim, name: list[int]) -> bool:
    """Whether the contexts hold the name's initials in capitals, or words with these initials in a row."""
    texts = [claim.sentence.words[i][0] for i in name]
    if len(texts) > 1:
        return any(claim.evidence.text_at(p).isupper() for p in claim.evidence.where.get("".join(t[0] for t in texts).lower(), ()))
    acronym = texts[0].lower()
    if not texts[0].isupper() or not 2 <= len(acronym) <= 5:
        return False
    return acronym in claim.evidence.initials
