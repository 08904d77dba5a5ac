"""One sentence: where it stands, and what is read of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from detectors.claims.clauses import Clause, clauses
from detectors.claims.quantities import quantities
from detectors.claims.quantity import Quantity
from detectors.claims.slots import Filled, filled
from detectors.cleaning import Mapped
from detectors.encoder import Spelled
from detectors.lexicon import english, negative_verbs, rarity
from detectors.parser import Parser, Token
from detectors.stems import stem
from detectors.words import Word
from schemas import Offsets


class Part(NamedTuple):
    """Where a sentence stands."""

    text: str
    passage: int
    """Index of its context; -1 in the response, -2 in the question."""
    start: int
    """In the cleaned text."""
    end: int
    source: Mapped
    words: list[Word]

    @property
    def origin(self) -> Offsets:
        """Its place in the text as it came."""
        return self.source.origin(self.start, self.end)


@dataclass(eq=False)
class Sentence:
    """What is read of a sentence, wherever it stands: each once, when first asked for."""

    text: str
    words: list[Word]
    spelled: Spelled = field(repr=False)
    """Its vector and its words'; zeros where the encoder gives none."""
    parser: Parser = field(repr=False)

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """(dimensions,), of length 1."""
        return self.spelled.vector.astype(np.float32)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """(words, dimensions), each of length 1."""
        return self.spelled.words.astype(np.float32)

    @cached_property
    def tokens(self) -> list[Token]:
        """Its parse without entities."""
        return self.parser.parse([self.text], entities=False)[0]

    @staticmethod
    def parse(sentences: Iterable["Sentence"]) -> None:
        """Parse together those of a batch that are not parsed yet."""
        unparsed = list(dict.fromkeys(one for one in sentences if "tokens" not in vars(one)))
        if unparsed:
            parses = unparsed[0].parser.parse([one.text for one in unparsed], entities=False)
            for sentence, tokens in zip(unparsed, parses, strict=True):
                sentence.tokens = tokens

    @cached_property
    def clauses(self) -> list[Clause]:
        """Of that parse."""
        return clauses(self.tokens)

    @cached_property
    def slots(self) -> list[Filled]:
        """Of that parse."""
        return filled(self.tokens, self.words_of)

    @cached_property
    def words_of_tokens(self) -> list[list[int]]:
        """Of each token of its parse the words that it covers."""
        return [self.words_of(token) for token in self.tokens]

    @cached_property
    def stems(self) -> list[str]:
        """Of the words; a letter that names something keeps its capital: the A of `plan A` is no article."""
        return [word if i in self._labels else stem(word) for i, (word, _, _) in enumerate(self.words)]

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The stems, each once."""
        return frozenset(self.stems)

    @cached_property
    def may_negate(self) -> bool:
        """Whether a stem can negate."""
        endings = tuple(english().negative_endings)
        return any(s in english().negators or s in negative_verbs() or s.endswith(endings) for s in self.distinct)

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
