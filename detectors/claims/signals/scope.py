"""Conditions and times: only if, unless, even when; still, no longer, will. And what the contexts tell only to refute it."""

import re
from functools import cache

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence
from detectors.claims.signal import Signal
from detectors.lexicon import english
from detectors.settings_file import Count, Share
from detectors.stems import stem
from detectors.word_lists import any_of, shown

_PAST = frozenset({"VBD", "VBN"})


class Scope(Signal):
    """See Signal."""

    differing: Share
    """Value where claim and contexts differ in condition or time, or the contexts refute it."""
    looked_at: Count
    """Best context sentences of which the first that shows something counts."""
    speaks: Share
    """Share of what the best sentence says of the claim that another must say to be looked at when the best shows nothing."""
    same: Share
    """Match from which a word of the contexts counts as the claim's."""
    refuted: Share
    """Share of what a sentence says of the claim that its refuted part must hold."""
    foretold_within: Count
    """Words after a sign of the future within which a verb is what it foretells."""

    def score(self, claim: Claim) -> float | None:
        """`differing` where claim and context sentence differ in condition or time or the context refutes what the claim asserts,
        `unsaid` of a restriction that the claim leaves out, 1 where they agree; None where neither shows."""
        least = self.speaks * float(claim.coverage[claim.ranked[0]])
        near = (self._compared(claim, j) for j in claim.ranked[: self.looked_at] if claim.coverage[j] >= least)
        return next((value for value in near if value is not None), None)

    def _compared(self, claim: Claim, rank: int) -> float | None:
        told_sentence = claim.evidence.sentences[rank]
        cues = english().scope
        mine, told = shown(cues, claim.sentence.text), shown(cues, told_sentence.text)
        values = [self.differing for name in mine - told if (told - mine) & cues[name].against] + [1.0 for _ in mine & told]
        values += [cues[name].unsaid for name in told - mine if cues[name].unsaid < 1 and self._leaves_out(claim, rank, name)]
        values += [self.differing] if self._tense_differs(claim, told_sentence) or self._refuted(claim, rank) else []
        return min(values, default=None)

    def _leaves_out(self, claim: Claim, rank: int, name: str) -> bool:
        """Whether the claim holds the content word that the restriction follows, and no condition whatever."""
        if _conditional().search(claim.sentence.text):
            return False
        sentence = claim.evidence.sentences[rank]
        for start, _ in english().scope[name].places(sentence.text):
            before = [i for i in range(len(sentence.words)) if sentence.words[i][2] <= start and sentence.rarity[i] > 0]
            if before and claim.match[:, int(claim.evidence.starts[rank]) + before[-1]].max() >= self.same:
                return True
        return False

    def _refuted(self, claim: Claim, rank: int) -> bool:
        """Whether most of what the sentence says of the claim stands in a part that tells a view which the context then turns against."""
        sentence, start = claim.evidence.sentences[rank], int(claim.evidence.starts[rank])
        known = english()
        if (known.reported | known.refuting) & {word.lower() for word, _, _ in claim.sentence.words}:
            return False
        parts = _parts(sentence, known.turning)
        for place, part in enumerate(parts):
            told = {sentence.words[i][0].lower() for i in part}
            turned = place + 1 < len(parts)
            if told & known.refuting or (turned and told & known.reported):
                found = claim.match[:, [start + i for i in part]].max(1)
                return float(claim.sentence.rarity @ found) >= self.refuted * float(claim.sentence.rarity @ claim.by_sentence[:, rank])
        return False

    def _tense_differs(self, claim: Claim, told: Sentence) -> bool:
        """Whether the claim tells as past a verb that the context foretells."""
        signs = english().foretelling
        before = [set(told.stems[max(0, i - self.foretold_within) : i]) for i in range(len(told.stems))]
        foretold = {word for word, signed, weight in zip(told.stems, before, told.rarity, strict=True) if signs & signed and weight > 0}
        past = {stem(t.text) for t in claim.parse if t.tag in _PAST and t.pos == "VERB" and t.dep not in ("amod", "acl")}
        return bool(past & foretold) and not signs & set(claim.sentence.stems)


def _parts(sentence: Sentence, turning: frozenset[str]) -> list[list[int]]:
    """Indices of the sentence's words, cut before each word that turns against what was said."""
    parts: list[list[int]] = [[]]
    for i, (word, _, _) in enumerate(sentence.words):
        if word.lower() in turning and parts[-1]:
            parts.append([])
        parts[-1].append(i)
    return parts


@cache
def _conditional() -> re.Pattern[str]:
    return re.compile(rf"\b{any_of(english().conditional)}\b", re.I)
