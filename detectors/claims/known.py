"""Sentences that were read before: passages come again and again in the traffic of one application."""

from typing import Final

from cachetools import LRUCache

from detectors.claims.sentence import Sentence

_BYTES_A_WORD: Final = 1200
"""Text, stem, value, token and places of a word in Python's memory, roughly."""


Readers = tuple[str, str]
"""Digests of the encoder and the parser that read a sentence; what one of them reads never stands for what another one does."""


class Known:
    """The sentences read last, by their texts and readers, within a budget of bytes."""

    def __init__(self, budget: int) -> None:
        self._sentences: LRUCache[tuple[str, Readers], Sentence] = LRUCache(budget, getsizeof=footprint)

    def get(self, text: str, by: Readers) -> Sentence | None:
        """The sentence; None when they did not read it or it is forgotten."""
        return self._sentences.get((text, by))

    def add(self, sentence: Sentence, by: Readers) -> None:
        """Keep it, forgetting those that were not asked for longest. One larger than the budget is not kept."""
        if footprint(sentence) <= self._sentences.maxsize:
            self._sentences[sentence.text, by] = sentence


def footprint(sentence: Sentence) -> int:
    """Bytes that it takes with all that is read of it, roughly."""
    return sentence.spelled.vector.nbytes + sentence.spelled.words.nbytes + _BYTES_A_WORD * len(sentence.words)
