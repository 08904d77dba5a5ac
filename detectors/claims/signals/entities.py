"""Names in the claim, looked up softly where the contexts speak of the claim."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal
from detectors.settings_file import Count, Share

_VALUES = frozenset({"CARDINAL", "ORDINAL", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY"})


class Entities(Signal):
    """See Signal."""

    found: Share
    """Match from which a name's word counts as found."""
    elsewhere: Share
    """Credit for a word that the contexts hold, but not where they speak of this claim."""
    longest_acronym: Count
    """Most letters of a word in capitals that may stand for words with these initials."""

    def score(self, claim: Claim) -> float | None:
        """Mean support of the named entities, 0 to 1: share of each name's words that are found, by rarity; None without a name."""
        names = [name for name in entities(claim) if name]
        return float(np.mean([self._support(claim, name) for name in names])) if names else None

    def _support(self, claim: Claim, name: list[int]) -> float:
        weights = claim.sentence.rarity[name]
        everywhere = claim.match[name].max(1)
        found = np.where(everywhere >= self.found, everywhere, 0.0)
        if self._initials(claim, name):
            return 1.0
        near = claim.match[name][:, claim.positions].max(1, initial=0.0)
        found = np.where(near >= self.found, near, self.elsewhere * found)
        return float(weights @ found / weights.sum())

    def _initials(self, claim: Claim, name: list[int]) -> bool:
        """Whether the contexts hold the name's initials in capitals, or words with these initials in a row."""
        texts = [claim.sentence.words[i][0] for i in name]
        if len(texts) > 1:
            return any(claim.evidence.text_at(p).isupper() for p in claim.evidence.where.get("".join(t[0] for t in texts).lower(), ()))
        acronym = texts[0].lower()
        if not texts[0].isupper() or not 2 <= len(acronym) <= self.longest_acronym:
            return False
        return acronym in claim.evidence.initials


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
