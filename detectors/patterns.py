"""Matching phrases of the profile in a text, whatever its case, accents, apostrophes and spacing."""

import re
from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import AfterValidator

from detectors.words import tokens


def _readable(phrase: str) -> str:
    if not phrase.split() or not all(word in _SIGNS or all(tokens(choice) for choice in word.split("|")) for word in phrase.split()):
        raise ValueError("a phrase is made of words, `a|b`, `*`, `^` and `$`")
    return phrase


Phrase = Annotated[str, AfterValidator(_readable)]
"""Words; `a|b` for either (`_` joins the words of one alternative), `*` for at most GAP words in between, `^` and `$` at its ends."""

GAP: Final = 5
_SIGNS: Final = frozenset("*^$")
_NEVER: Final = "(?!)"


class Phrases:
    """A set of phrases, compiled once. A search takes time linear in the text: gaps are bounded."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._pattern = re.compile("|".join(_pattern(phrase) for phrase in sorted(phrases, key=_words, reverse=True)) or _NEVER)

    def found_in(self, words: Iterable[str]) -> bool:
        """True when some phrase stands in these tokens."""
        return self._pattern.search(f" {' '.join(words)} ") is not None

    def without(self, words: Iterable[str]) -> list[str]:
        """The tokens outside every phrase."""
        return self._pattern.sub(" ", f" {' '.join(words)} ").split()

    def split(self, words: Iterable[str]) -> list[list[str]]:
        """The tokens between the phrases, empty stretches left out."""
        pieces = (piece.split() for piece in self._pattern.split(f" {' '.join(words)} "))
        return [piece for piece in pieces if piece]


def _pattern(phrase: str) -> str:
    """Each token is followed by a space, so that neighbouring phrases may share none: the leading one is looked for, not taken."""
    parts: list[str] = []
    for word in phrase.split():
        if word == "*":
            parts.append(rf"(?:\S+ ){{0,{GAP}}}?")
        elif word == "^":
            parts.append(r"(?<=^ )")
        elif word == "$":
            parts.append("$")
        else:
            choices = sorted((" ".join(tokens(choice)) for choice in word.split("|")), key=len, reverse=True)
            parts.append(f"(?:{'|'.join(re.escape(choice) for choice in choices)}) ")
    return "(?<= )" + "".join(parts)


def _words(phrase: str) -> int:
    """Longer phrases are tried first, so that they take all that is theirs."""
    return len(phrase.split())
