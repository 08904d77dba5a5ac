"""Dependency parses of English sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from detectors.entities import load_pipeline


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a dependency parse; `head` is an index, `start` a character offset."""

    text: str
    start: int
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    entity: str


Parse = Callable[[str], list[Token]]


class Parser:
    """A whole spaCy pipeline. One text at a time: its network's last bits change with the batch, and with them a close call."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline

    def parse(self, text: str) -> list[Token]:
        """The tokens of `text` in order."""
        with self._pipeline.memory_zone():  # else the vocabulary keeps every word it has ever seen
            return [Token(t.text, t.idx, t.lemma_, t.pos_, t.tag_, t.dep_, t.head.i, t.ent_type_) for t in self._pipeline(text)]


def load_parser(model: str) -> Parser:
    """The parser of a spaCy pipeline. Raises DetectorError when it is not installed."""
    return Parser(load_pipeline(model))
