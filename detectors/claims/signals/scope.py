"""Conditions and times: only if, unless, even when; still, no longer, will. And what the contexts tell only to refute it."""

import re
from functools import cache

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence
from detectors.lexicon import english
from detectors.stems import stem
from detectors.word_lists import shown

RIVAL = 0.2
SPEAKS = 0.7
"""Share of what the best sentence says of the claim that another must say to be looked at when the best shows nothing."""
HELD = 0.6
"""Match from which a word of the contexts counts as the claim's; share of the claim that a refuted clause must hold."""
_PAST = frozenset({"VBD", "VBN"})


def score(claim: Claim) -> float | None:
    """RIVAL where claim and context sentence differ in condition or time, `unsaid` of a restriction that the claim leaves out, RIVAL where
    the context refutes what the claim asserts, 1 where they agree; None where neither shows."""
    least = SPEAKS * float(claim.coverage[claim.ranked[0]])
    near = (_compared(claim, j) for j in claim.ranked[:3] if claim.coverage[j] >= least)
    return next((value for value in near if value is not None), None)


def _compared(claim: Claim, rank: int) -> float | None:
    told_sentence = claim.evidence.sentences[rank]
    cues = english().scope
    mine, told = shown(cues, claim.sentence.text), shown(cues, told_sentence.text)
    values = [RIVAL for name in mine - told if (told - mine) & cues[name].against] + [1.0 for _ in mine & told]
    values += [cues[name].unsaid for name in told - mine if cues[name].unsaid < 1 and _leaves_out(claim, rank, name)]
    values += [RIVAL] if _tense_differs(claim, told_sentence) or _refuted(claim, rank) else []
    return min(values, default=None)


def _leaves_out(claim: Claim, rank: int, name: str) -> bool:
    """Whether the claim holds the content word that the restriction follows, and no condition whatever."""
    if _conditional().search(claim.sentence.text):
        return False
    sentence = claim.evidence.sentences[rank]
    for start, _ in english().scope[name].places(sentence.text):
        before = [i for i in range(len(sentence.words)) if sentence.words[i][2] <= start and sentence.rarity[i] > 0]
        if before and claim.match[:, int(claim.evidence.starts[rank]) + before[-1]].max() >= HELD:
            return True
    return False


def _refuted(claim: Claim, rank: int) -> bool:
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
            return float(claim.sentence.rarity @ found) >= HELD * float(claim.sentence.rarity @ claim.by_sentence[:, rank])
    return False


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
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(english().conditional)))})\b", re.I)


def _tense_differs(claim: Claim, told: Sentence) -> bool:
    """Whether the claim tells as past a verb that the context foretells."""
    signs = english().foretelling
    foretold = {told.stems[i] for i in range(len(told.stems)) if signs & set(told.stems[max(0, i - 2) : i]) and told.rarity[i] > 0}
    past = {stem(t.text) for t in claim.parse if t.tag in _PAST and t.pos == "VERB" and t.dep not in ("amod", "acl")}
    return bool(past & foretold) and not signs & set(claim.sentence.stems)
