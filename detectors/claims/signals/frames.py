"""Facts of like things exchanged: `Oslo opened in 2010, Bergen in 2015`, and the claim says Bergen in 2010."""

from collections.abc import Container, Iterable, Iterator
from itertools import combinations
from typing import Final

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence
from detectors.claims.signal import Signal
from detectors.claims.slots import Filled, Slot, filled
from detectors.parser import Token
from detectors.settings_file import Count, Share

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
Frame = dict[Slot, set[int]]
"""Positions of the words that fill a clause's slots."""
_NAMED: Final = frozenset({"amod", "PROPN"})
"""Slots that tell like things apart: qualities, and names of their own. A noun may be another word for what was named before."""


class Frames(Signal):
    """See Signal."""

    held: Share
    """Match from which the claim holds a word of the contexts."""
    looked_at: Count
    """Best context sentences whose clauses are compared."""

    def score(self, claim: Claim) -> float | None:
        """0 where two clauses fill two slots with different words each and the claim takes one from either, though no sentence tells the
        two together; 1 where it takes both from one; None where no such clauses speak of it."""
        if not claim.parse:
            return None
        claim.evidence.parse(claim.ranked[: self.looked_at])
        if any(self._exchanged(claim, rank) for rank in claim.ranked[: self.looked_at]):
            return 0.0
        if not self._scattered(claim):
            return None
        frames = [frame for rank in claim.ranked[: self.looked_at] for frame in _frames(claim, rank)]
        verdicts = {verdict for one, other in combinations(frames, 2) for verdict in self._verdicts(claim, one, other)}
        return None if not verdicts else float(False not in verdicts)

    def _exchanged(self, claim: Claim, rank: int) -> bool:
        """Whether the claim fills two slots of a sentence the other way round: opened in 1987 and moved in 1921."""
        sentence, start = _place(claim, rank)
        mine, told = _frame(filled(claim.parse, claim.sentence.words_of), 0), _frame(sentence.slots, start)
        for one, other in combinations(sorted(mine.keys() & told.keys()), 2):
            straight = self._agree(claim, mine[one], told[one]) or self._agree(claim, mine[other], told[other])
            if not straight and self._agree(claim, mine[one], told[other]) and self._agree(claim, mine[other], told[one]):
                return True
        return False

    def _agree(self, claim: Claim, words: set[int], positions: set[int]) -> bool:
        return bool(words and self._words(claim, positions) & words)

    def _scattered(self, claim: Claim) -> bool:
        """Whether a word of the claim stands in a further sentence, but not in the best one, or that one has several clauses: else there is
        nothing to mix."""
        best, *others = claim.ranked[: self.looked_at]
        held = claim.by_sentence >= self.held
        return any((held[:, other] & ~held[:, best]).any() for other in others) or len(claim.evidence.clauses(best)) > 1

    def _verdicts(self, claim: Claim, one: Frame, other: Frame) -> Iterator[bool]:
        """Of each two slots that the clauses fill differently: whether the claim fills both as one of them does. A claim with both fillers
        of a slot speaks of both clauses."""
        shared = sorted(one.keys() & other.keys())
        filled = [(self._words(claim, one[slot]), self._words(claim, other[slot])) for slot in shared]
        if any(mine and its and mine.isdisjoint(its) for mine, its in filled):
            return
        chosen = [(bool(mine), mine | its, slot) for (mine, its), slot in zip(filled, shared, strict=True) if bool(mine) != bool(its)]
        for (first, words, slot), (second, others, other_slot) in combinations(chosen, 2):
            if _NAMED & {*slot, *other_slot}:
                yield first == second or self._told_together(claim, words, others)

    def _words(self, claim: Claim, positions: set[int]) -> set[int]:
        """Words of the claim that match one of the positions."""
        return {int(i) for i in np.flatnonzero(claim.match[:, sorted(positions)].max(1, initial=0.0) >= self.held)}

    def _told_together(self, claim: Claim, words: set[int], others: set[int]) -> bool:
        held = claim.by_sentence >= self.held
        return bool((held[list(words)].any(0) & held[list(others)].any(0)).any())


def _frames(claim: Claim, rank: int) -> Iterator[Frame]:
    """A clause without a subject of its own belongs to the one that governs it."""
    tokens, (sentence, start) = claim.evidence.tokens(rank), _place(claim, rank)
    own = {clause.head for clause in claim.evidence.clauses(rank) if _SUBJECTS & {tokens[i].dep for i in clause.tokens}}
    frames: dict[int, Frame] = {}
    for i, slot, words in sentence.slots:
        frames.setdefault(_owner(tokens, i, own), {}).setdefault(slot, set()).update(start + j for j in words)
    yield from frames.values()


def _frame(filled: Iterable[Filled], start: int) -> Frame:
    """Of a whole sentence."""
    frame: Frame = {}
    for _, slot, words in filled:
        frame.setdefault(slot, set()).update(start + j for j in words)
    return frame


def _place(claim: Claim, rank: int) -> tuple[Sentence, int]:
    return claim.evidence.sentences[rank], int(claim.evidence.starts[rank])


def _owner(tokens: list[Token], i: int, own: Container[int]) -> int:
    """The next of `own` that governs a token; the root when none does."""
    while i not in own and tokens[i].head != i:
        i = tokens[i].head
    return i
