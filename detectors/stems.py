"""A light stemmer for English."""

import re
from functools import lru_cache
from typing import Final

_MARKS: Final = ("sses", "ss"), ("ies", "y"), ("ied", "y"), ("ying", "y"), ("ations", "ate"), ("ation", "ate"), ("ings", "ing")
_REMEMBERED: Final = 1 << 16
"""Words: bounded, since a stream never stops bringing new ones."""


@lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """A light English stem; numbers, short words and other scripts stay as they are, lower-cased."""
    word = word.lower().removesuffix("'s").replace("-", "")
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, to in _MARKS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            word = word.removesuffix(ending) + to
            break
    else:
        word = word if word.endswith(("ss", "us", "is")) else word.removesuffix("s")
    word = _without_ending(word)
    if len(word) > 3:
        word = word[:-1] if word.endswith("e") else word[:-1] + "i" if word.endswith("y") else word
    return word


def _without_ending(word: str) -> str:
    for ending in ("edly", "ing", "ed", "ly"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and re.search("[aeiouy]", base):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word
