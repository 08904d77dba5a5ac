"""A context of an answer."""

from dataclasses import dataclass
from functools import cached_property

from detectors.claims.sentence import Part
from detectors.words import tokens


@dataclass(frozen=True)
class Passage:
    """Its cleaned text and the sentences of it that hold a word, as of the first context."""

    text: str
    parts: tuple[Part, ...]

    @cached_property
    def tokens(self) -> list[str]:
        """Of its text."""
        return tokens(self.text)
