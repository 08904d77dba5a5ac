"""Sentences that were read before: passages come again and again in the traffic of one application."""

from typing import Final

from cachetools import LRUCache

from detectors.claims.sentence import Sentence

_BYTES_A_WORD: Final = 400
"""Text, stem, value and token of a word in Python's memory, roughly."""


class Known:
    """The sentences read last, by their texts, within a budget of bytes."""

    def __init__(self, budget: int) -> None:
        self._sentences: LRUCache[str, Sentence] = LRUCache(budget, getsizeof=_size)

    def get(self, text: str) -> Sentence | None:
        """The sentence; None when it was not read or is forgotten."""
        return self._sentences.get(text)

    def add(self, sentence: Sentence) -> None:
        """Keep it, forgetting those that were not asked for longest. One larger than the budget is not kept."""
        if _size(sentence) <= self._sentences.maxsize:
            self._sentences[sentence.text] = sentence


def _size(sentence: Sentence) -> int:
    return sentence.spelled.vector.nbytes + sentence.spelled.words.nbytes + _BYTES_A_WORD * len(sentence.words)
