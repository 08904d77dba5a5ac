"""A sentence of the response and its matches in the contexts: what the signals look at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.claims.evidence import Evidence
from detectors.claims.matching import Array, best_by_sentence, match_words
from detectors.claims.sentence import Sentence
from detectors.claims.settings import Matching
from detectors.parser import Token


@dataclass
class Claim:
    """n words of its own, m content words of the question when it is short (else 0), p words and s sentences in the contexts."""

    sentence: Sentence
    evidence: Evidence
    matching: Matching
    vector: Array = field(repr=False)
    """The sentence's vector, or that of question and answer together when the answer is short."""
    short: bool = False
    """Whether it says too little to be understood without its question."""
    parse: list[Token] = field(default_factory=list, repr=False)
    """Empty where the English parser does not apply."""
    citations: tuple[int, ...] = ()
    """Passages that the claim names, counted from 1."""

    @property
    def weight(self) -> float:
        """How much the claim says: the sum of its words' rarities."""
        return max(self.matching.least, float(self.sentence.rarity.sum()))

    @property
    def in_full(self) -> str:
        """The sentence, behind the question when it is short."""
        return " ".join([*(asked.text for asked in self.evidence.question if self.short), self.sentence.text])

    @cached_property
    def cosines(self) -> Array:
        """(n, p) cosines of the words' vectors."""
        cosines: Array = self.sentence.vectors @ self.evidence.word_vectors.T
        return cosines

    @cached_property
    def match(self) -> Array:
        """(n, p): see match_words; the words of a value match those of the same value, however it is written."""
        match = match_words(self.sentence.stems, self.cosines, self.evidence, self.matching)
        for quantity in self.sentence.quantities:
            mine = self.sentence.word_at(quantity.start, quantity.end)
            for told, places in self.evidence.like(quantity).items():
                if quantity.told_by(told):
                    match[np.ix_(mine, places)] = 1.0
        return match

    @cached_property
    def _asked(self) -> list[tuple[Sentence, int]]:
        return [(asked, int(i)) for asked in self.evidence.question for i in np.flatnonzero(asked.rarity)] if self.short else []

    @cached_property
    def anchors(self) -> Array:
        """(m, p) matches of the question's content words."""
        if not self._asked:
            return np.zeros((0, len(self.evidence.stems)), np.float32)
        stems, vectors = [s.stems[i] for s, i in self._asked], np.stack([s.vectors[i] for s, i in self._asked])
        return match_words(stems, vectors @ self.evidence.word_vectors.T, self.evidence, self.matching)

    @cached_property
    def anchor_weights(self) -> Array:
        """(m,)"""
        return np.array([self.matching.asked * sentence.rarity[i] for sentence, i in self._asked], np.float32)

    @cached_property
    def by_sentence(self) -> Array:
        """(n, s): each word's best match in each context sentence."""
        return best_by_sentence(self.match, self.evidence)

    @cached_property
    def coverage(self) -> Array:
        """(s,): rarity-weighted share of the claim (and of the question, for short answers) found in each context sentence."""
        mine, asked = self.sentence.rarity, self.anchor_weights
        found: Array = mine @ self.by_sentence
        if len(asked):
            found = found + asked @ best_by_sentence(self.anchors, self.evidence)
        return found / np.float32(max(1e-6, float(mine.sum() + asked.sum())))

    @cached_property
    def ranked(self) -> list[int]:
        """The context sentences that speak most of the claim, best first, 1 to `candidates`, without those that hardly do."""
        score = self.coverage + self.matching.meaning * self.cosines_to_sentences
        best = [int(j) for j in np.argsort(-np.round(score, 5), kind="stable")[: self.matching.candidates]]
        return best[:1] + [j for j in best[1:] if score[j] >= self.matching.candidates_from * abs(score[best[0]])]

    @cached_property
    def cosines_to_sentences(self) -> Array:
        """(s,): cosine to each context sentence, of the claim together with the question when the answer is short."""
        return self.evidence.sentence_cosines(self.vector)

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """Context word positions of the candidate sentences, in text order."""
        starts = self.evidence.starts
        return np.concatenate([np.arange(starts[j], starts[j + 1]) for j in sorted(self.ranked)])

    @cached_property
    def pull(self) -> NDArray[np.float64]:
        """(n + m, len(positions)): how near each claim (and question) word stands to each candidate position."""
        starts, rows = self.evidence.starts, np.concatenate([self.match, self.anchors])
        return np.concatenate([_pull(rows[:, starts[j] : starts[j + 1]], self.matching) for j in sorted(self.ranked)], axis=1)

    @cached_property
    def place_of(self) -> dict[int, int]:
        """Index among `positions` of each of them."""
        return {position: place for place, position in enumerate(self.positions.tolist())}

    @cached_property
    def told(self) -> dict[tuple[str, str], list[int]]:
        """Indices among `positions` of the words of the candidate sentences' values, by kind and dimension."""
        found: dict[tuple[str, str], list[int]] = {}
        for j in self.ranked:
            sentence, start = self.evidence.sentences[j], int(self.evidence.starts[j])
            for quantity in sentence.quantities:
                places = found.setdefault((quantity.kind, quantity.dimension), [])
                places += [self.place_of[start + i] for i in sentence.word_at(quantity.start, quantity.end)]
        return found

    def density(self, index: Sequence[int]) -> NDArray[np.float64]:
        """(len(positions),): how much of the claim's neighbourhood of words `index`, without them, stands near each candidate position,
        by how much its sentence speaks of the claim."""
        n = len(self.sentence.words)
        gap = np.min(np.abs(np.arange(n)[:, None] - np.asarray(index)[None, :]), axis=1)
        weights = self.sentence.rarity * np.exp(-gap / self.matching.near)
        weights[list(index)] = 0.0
        weights = np.concatenate([weights, self.anchor_weights])
        speaks = self.coverage[self.evidence.sentence_of[self.positions]] / max(1e-6, float(self.coverage.max()))
        density: NDArray[np.float64] = (weights @ self.pull) * speaks / max(1e-6, float(weights.sum()))
        return density


def _pull(rows: Array, matching: Matching) -> NDArray[np.float64]:
    """(rows, length) matches inside one sentence to how near each row's word stands to each place of the sentence."""
    at = np.arange(rows.shape[1])
    near = np.exp(-np.abs(at[:, None] - at[None, :]) / matching.near)
    return np.stack([(near[:, found] * row[found]).max(1, initial=0.0) for row in rows for found in [row > matching.near_from]])
