"""English words: rarity, opposites and the files they are read from. Fixed data, no fitting."""

import math
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import orjson

from detectors.measures import Measures
from detectors.settings_file import read
from detectors.stems import stem
from detectors.word_lists import English, Sides

FILES: Final = ("lexicon/english.yaml", "lexicon/quantities.yaml", "frequency/english.json")
"""In configs: all that is read."""


@cache
def english() -> English:
    """The words and cues. Raises ProfileError naming file and key."""
    return read("lexicon", "english", English)


@cache
def measures() -> Measures:
    """The numbers, dates, units and comparisons. Raises ProfileError naming file and key."""
    return read("lexicon", "quantities", Measures)


def lexicon_digest() -> str:
    """SHA-256 in hex over all FILES. Raises ProfileError naming file and key when one is wrong."""
    english(), measures()
    return sha256(b"\0".join((files("configs") / name).read_bytes() for name in FILES)).hexdigest()


def rarity(word: str) -> float:
    """0 for a stop word, else `smallest` to 1: the logarithm of the word's rank among English words by frequency; 1 for an unknown one."""
    word, of = word.lower(), english().rarity
    if word in english().stop:
        return 0.0
    if len(word) == 1:
        return of.smallest
    rank = _ranks().get(word)
    return 1.0 if rank is None else max(of.smallest, min(1.0, math.log(rank + of.first) / math.log(of.vocabulary)))


def is_english(text: str) -> bool:
    """Whether the English lists and parser apply: short Latin texts count as English, longer ones by their share of English stop words."""
    found, stop, of = re.findall(r"[^\W\d_]+", text.lower()), english().stop, english().recognition
    latin = sum(word.isascii() for word in found)
    return (
        bool(found)
        and latin >= of.latin * len(found)
        and (len(found) < of.short or sum(word in stop for word in found) >= of.stop * len(found))
    )


def alike(stemmed: str) -> frozenset[str]:
    """Stems that point the same way, such as rise and higher."""
    return _alike().get(stemmed, frozenset({stemmed}))


def antonyms(stemmed: str) -> frozenset[str]:
    """Stems that say the opposite: everyday opposites, negative prefixes, -less against -ful."""
    prefixes = english().negative_prefixes
    formed = {prefix + stemmed for prefix in prefixes} if len(stemmed) >= 4 else set()
    formed |= {stemmed.removeprefix(p) for p in prefixes if stemmed.startswith(p) and len(stemmed) - len(p) >= 4}
    if stemmed.endswith("less"):
        formed |= {stemmed.removesuffix("less"), stemmed.removesuffix("less") + "ful"}
    elif stemmed.endswith("ful"):
        formed.add(stemmed.removesuffix("ful") + "less")
    return _across(english().opposites).get(stemmed, frozenset()) | frozenset(formed - {stemmed})


def converse(stemmed: str) -> frozenset[str]:
    """Stems of the verbs that tell the same from the other party's side, such as buy and sell."""
    return _across(english().converses).get(stemmed, frozenset())


@cache
def negative_verbs() -> frozenset[str]:
    """Stems of the verbs that negate what they govern."""
    return frozenset(stem(word) for word in english().negative_verbs)


def foreign_antonyms(word: str) -> frozenset[str]:
    """Opposites of a word of another language."""
    return _across(english().foreign_opposites).get(word, frozenset())


@cache
def _ranks() -> dict[str, int]:
    words: list[str] = orjson.loads((files("configs") / "frequency" / "english.json").read_bytes())
    return {word: rank for rank, word in enumerate(words)}


def _stemmed(groups: tuple[Sides, ...]) -> list[tuple[set[str], set[str]]]:
    return [({stem(word) for word in left}, {stem(word) for word in right}) for left, right in groups]


@cache
def _alike() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for side in (side for sides in _stemmed(english().opposites) for side in sides):
        for word in side:
            table.setdefault(word, set()).update(side)
    return {word: frozenset(others) for word, others in table.items()}


@cache
def _across(groups: tuple[Sides, ...]) -> dict[str, frozenset[str]]:
    """Of each word all that stand on the other side."""
    table: dict[str, set[str]] = {}
    for left, right in ((a, b) for one, other in _stemmed(groups) for a in one for b in other):
        table.setdefault(left, set()).add(right)
        table.setdefault(right, set()).add(left)
    return {word: frozenset(others - {word}) for word, others in table.items()}
