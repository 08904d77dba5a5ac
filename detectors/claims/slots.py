"""What fills which place beside its governor: `in 2010` under `opened`."""

from collections.abc import Callable
from typing import Final, NamedTuple

from detectors.parser import Token
from detectors.stems import stem

_FILLERS: Final = frozenset({"NOUN", "PROPN", "NUM", "ADJ"})
_ALIKE: Final = {"nsubjpass": "nsubj", "compound": "amod", "npadvmod": "pobj"}

Slot = tuple[str, str, str]
"""What governs a word, how, and whether it is a name: a stem, a dependency with the prepositions on the way, `PROPN` or nothing."""


class Filled(NamedTuple):
    """A token that fills a slot."""

    token: int
    slot: Slot
    words: list[int]
    """Of the sentence, that the token covers."""


def filled(tokens: list[Token], words_of: Callable[[Token], list[int]]) -> list[Filled]:
    """Every slot of a sentence, in the order of its tokens."""
    found = ((i, _slot(tokens, i)) for i in range(len(tokens)))
    return [Filled(i, slot, words_of(tokens[i])) for i, slot in found if slot]


def _slot(tokens: list[Token], i: int) -> Slot | None:
    token = tokens[i]
    if token.pos not in _FILLERS or token.head == i:
        return None
    at = tokens[token.head] if token.dep == "appos" else token
    up, via = at.head, [_ALIKE.get(at.dep, at.dep)]
    while tokens[up].pos == "ADP" and tokens[up].head != up:
        via.append(tokens[up].lemma.lower())
        up = tokens[up].head
    name = "PROPN" if token.pos == "PROPN" and via[0] != "amod" else ""
    return stem(tokens[up].lemma.lower()), " ".join(via), name
