"""What was read before: passages come again and again in the traffic of one application."""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

from detectors.claims.passage import Passage
from detectors.claims.sentence import Sentence

_BYTES_A_WORD: Final = 1200
"""Text, stem, value, token and places of a word in Python's memory, roughly."""
_BYTES_A_CHARACTER: Final = 120
"""The same of a passage's character: text, tokens and places."""

T = TypeVar("T")


class Known(Generic[T]):
    """What was asked for last, by the text and whatever else it depends on, within a budget of bytes."""

    def __init__(self, budget: int, footprint: Callable[[T], int]) -> None:
        self._footprint = footprint
        self._known: LRUCache[Hashable, T] = LRUCache(budget, getsizeof=footprint)

    def get(self, key: Hashable) -> T | None:
        """What is known by `key`; None when it was not read or is forgotten."""
        return self._known.get(key)

    def add(self, key: Hashable, read: T) -> None:
        """Keep it, forgetting those that were not asked for longest. One larger than the budget is not kept."""
        if self._footprint(read) <= self._known.maxsize:
            self._known[key] = read


def sentence_footprint(sentence: Sentence) -> int:
    """Bytes that it takes with all that is read of it, roughly."""
    return sentence.spelled.vector.nbytes + sentence.spelled.words.nbytes + _BYTES_A_WORD * len(sentence.words)


def passage_footprint(passage: Passage) -> int:
    """Bytes that it takes beside its sentences, roughly."""
    return _BYTES_A_CHARACTER * (1 + len(passage.text))
