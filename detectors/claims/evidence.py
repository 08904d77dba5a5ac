"""The sentences of an answer's contexts and their words in a row."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.claims.clauses import Clause
from detectors.claims.quantity import Quantity
from detectors.claims.sentence import Sentence
from detectors.cross_encoder import CrossEncoder
from detectors.parser import Token


class Evidence:
    """s sentences with p words; `starts` (s + 1,) holds each sentence's first word, `sentence_of` (p,) each word's sentence."""

    def __init__(
        self, sentences: Sequence[Sentence], passages: Sequence[int], question: Sequence[Sentence], judge: CrossEncoder | None = None
    ) -> None:
        self.sentences, self.question = sentences, question
        self.passages = np.array(passages, np.int64)
        """(s,): index of each sentence's context."""
        self.cross_encoder = judge
        """None unless the profile names one."""
        lengths = [len(sentence.words) for sentence in sentences]
        self.starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.sentence_of = np.repeat(np.arange(len(lengths)), lengths)

    def parse(self, indices: Iterable[int]) -> None:
        """Parse context sentences that will be asked for, together."""
        Sentence.parse(self.sentences[index] for index in indices)

    def tokens(self, index: int) -> list[Token]:
        """The parse of a context sentence without its entities."""
        return self.sentences[index].tokens

    def clauses(self, index: int) -> list[Clause]:
        """The clauses of a context sentence."""
        return self.sentences[index].clauses

    def text_at(self, position: int) -> str:
        """The word at a position, as it is written."""
        sentence = int(self.sentence_of[position])
        return self.sentences[sentence].words[position - int(self.starts[sentence])][0]

    def sentence_cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """(s,): cosine of `vector` to each sentence."""
        cosines: NDArray[np.float32] = self._vectors @ vector
        return cosines

    @cached_property
    def stems(self) -> list[str]:
        """(p,)"""
        return [stem for sentence in self.sentences for stem in sentence.stems]

    def like(self, quantity: Quantity) -> dict[Quantity, list[int]]:
        """The values that agree with it, each with the positions of its words."""
        near = dict.fromkeys(told for key in quantity.keys for told in self._by_key.get(key, ()))
        return {told: self.quantities[told] for told in near if quantity.agrees(told)}

    @cached_property
    def quantities(self) -> dict[Quantity, list[int]]:
        """Every value, without its place, with the positions of its words."""
        found: dict[Quantity, list[int]] = {}
        for sentence, start in zip(self.sentences, self.starts, strict=False):
            for quantity in sentence.quantities:
                places = found.setdefault(quantity.anywhere, [])
                places += [int(start) + i for i in sentence.word_at(quantity.start, quantity.end)]
        return found

    @cached_property
    def _by_key(self) -> dict[tuple[str, int], list[Quantity]]:
        table: dict[tuple[str, int], list[Quantity]] = {}
        for told in self.quantities:
            for key in told.keys:
                table.setdefault(key, []).append(told)
        return table

    @cached_property
    def initials(self) -> str:
        """The stems' first characters."""
        return "".join(stem[0] for stem in self.stems)

    @cached_property
    def content(self) -> NDArray[np.bool_]:
        """(p,): whether a word is a content word."""
        return np.concatenate([sentence.rarity for sentence in self.sentences]) > 0

    @cached_property
    def where(self) -> dict[str, list[int]]:
        """Positions of each stem."""
        table: dict[str, list[int]] = {}
        for position, word in enumerate(self.stems):
            table.setdefault(word, []).append(position)
        return table

    @cached_property
    def word_vectors(self) -> NDArray[np.float32]:
        """(p, dimensions)."""
        return np.concatenate([sentence.spelled.words for sentence in self.sentences]).astype(np.float32)

    @cached_property
    def has_word_vectors(self) -> bool:
        """False when the encoder has none."""
        return bool(self.word_vectors.any())

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        return np.stack([sentence.vector for sentence in self.sentences])
