"""One sentence and what is read of it."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.claims.quantities import quantities
from detectors.claims.quantity import Quantity
from detectors.lexicon import english, rarity
from detectors.parser import Token
from detectors.stems import stem
from detectors.words import Word
from schemas import Offsets


@dataclass
class Sentence:
    """One sentence with its words' stems, rarities and vectors."""

    text: str
    passage: int
    """Index of its context; -1 in the response, -2 in the question."""
    start: int
    """Offset in the cleaned text."""
    origin: Offsets
    """Its place in the text as it came."""
    words: list[Word]
    vector: NDArray[np.float32] = field(repr=False)
    """Of length 1."""
    vectors: NDArray[np.float32] = field(repr=False)
    """(words, dimensions), each of length 1; zeros where the encoder gives none."""

    @cached_property
    def stems(self) -> list[str]:
        """Of the words; a letter that names something keeps its capital: the A of `plan A` is no article."""
        return [word if i in self._labels else stem(word) for i, (word, _, _) in enumerate(self.words)]

    @cached_property
    def rarity(self) -> NDArray[np.float32]:
        """0 for stop words, .15 to 1 for content words."""
        label = english().rarity.label
        return np.array([label if i in self._labels else rarity(word) for i, (word, _, _) in enumerate(self.words)], np.float32)

    @cached_property
    def _labels(self) -> frozenset[int]:
        """Single capitals, but for the pronoun and a leading article."""
        lone = ((i, word) for i, (word, _, _) in enumerate(self.words) if len(word) == 1 and "A" <= word <= "Z")
        return frozenset(i for i, letter in lone if letter != "I" and (i > 0 or letter != "A"))

    @cached_property
    def quantities(self) -> list[Quantity]:
        """In order."""
        return quantities(self.text)

    def words_of(self, token: Token) -> list[int]:
        """Words that a token of the sentence's parse covers."""
        return self.word_at(token.start, token.end)

    def word_at(self, start: int, end: int) -> list[int]:
        """Indices of the words that overlap the characters [start, end)."""
        first = bisect_right(self._ends, start)
        return list(range(first, max(first, bisect_left(self._starts, end))))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for _, start, _ in self.words]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, _, end in self.words]
