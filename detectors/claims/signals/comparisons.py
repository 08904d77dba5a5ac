"""`A is heavier than B` and `from x to y`, checked by the values that the contexts give."""

import numpy as np

from detectors.claims import changes
from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity
from detectors.claims.signal import Signal
from detectors.lexicon import measures
from detectors.parser import Token


class Comparisons(Signal):
    """See Signal."""

    def score(self, claim: Claim) -> float | None:
        """1 where the values bear the comparison or the change out, 0 where they contradict it; None where no two can be compared."""
        comparing = [i for i, token in enumerate(claim.parse) if token.text.lower() in measures().comparing]
        verdicts = [verdict for i in comparing if (verdict := _verdict(claim, i)) is not None]
        verdicts += changes.verdicts(claim)
        return float(np.mean(verdicts)) if verdicts else None


def _verdict(claim: Claim, than: int) -> float | None:
    tokens = claim.parse
    word = tokens[tokens[than].head]
    lemma = _base(word)
    first, second = _subject(tokens, than), _subtree(tokens, than)
    mine, other = _words(claim, first) - _words(claim, second), _words(claim, second) - _words(claim, first)
    turned = any(t.head == tokens[than].head and t.text.lower() in measures().lessening for t in tokens)
    held = _held(claim, mine, other)
    for table, sign in ((measures().upward, 1), (measures().downward, -1)):
        for a, b in held if lemma in table else ():
            if a.value != b.value and (not table[lemma] or {a.dimension, b.dimension} & {*table[lemma]}):
                return float(((a.value - b.value) * sign > 0) != turned)
    return None


def _base(token: Token) -> str:
    lemma, known = token.lemma.lower(), (*measures().upward, *measures().downward)
    if lemma in known:
        return lemma
    stripped = lemma.removesuffix("er").removesuffix("i")
    return next((w for w in known if len(stripped) > 2 and (w.startswith(stripped) or stripped == w + w[-1])), lemma)


def _subtree(tokens: list[Token], top: int) -> set[int]:
    members = {top}
    for _ in range(6):
        members |= {i for i, t in enumerate(tokens) if t.head in members}
    return members - {top}


def _subject(tokens: list[Token], than: int) -> set[int]:
    i = tokens[than].head
    for _ in range(len(tokens)):
        for j, t in enumerate(tokens):
            if t.head == i and t.dep in ("nsubj", "nsubjpass"):
                return _subtree(tokens, j) | {j}
        if tokens[i].head == i:
            break
        i = tokens[i].head
    return set()


def _words(claim: Claim, tokens: set[int]) -> frozenset[str]:
    """Stems of content words and numbers."""
    index = {i for t in tokens for i in claim.sentence.words_of(claim.parse[t])}
    return frozenset(claim.sentence.stems[i] for i in index if claim.sentence.rarity[i] > 0)


def _held(claim: Claim, mine: frozenset[str], other: frozenset[str]) -> list[tuple[Quantity, Quantity]]:
    """Pairs of values of the same dimension, one told of each side: a value belongs to the side that was named last before it."""
    told: dict[bool, list[Quantity]] = {True: [], False: []}
    holder: bool | None = None
    if not mine or not other:
        return []
    for j in sorted(claim.ranked):
        sentence = claim.evidence.sentences[j]
        at = {i: q for q in sentence.quantities for i in sentence.word_at(q.start, q.end)}
        for i, word in enumerate(sentence.stems):
            holder = True if word in mine else False if word in other else holder
            if i in at and holder is not None and word not in mine | other and at[i] not in told[holder]:
                told[holder].append(at[i])
    return [(a, b) for a in told[True] for b in told[False] if a.kind == b.kind == "number" and _comparable(a, b)]


def _comparable(a: Quantity, b: Quantity) -> bool:
    """Whether their dimensions agree; a bare number takes on the other's: `Maria is 34 years old, Jonas 29`."""
    return a.dimension == b.dimension or not (a.dimension and b.dimension)
