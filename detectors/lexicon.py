"""English words: stems, rarity, opposites and cues. Fixed data, no fitting."""

import math
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

import orjson
import yaml

_NEGATIVE_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non")
_MARKS: Final = ("sses", "ss"), ("ies", "y"), ("ied", "y"), ("ying", "y"), ("ations", "ate"), ("ation", "ate"), ("ings", "ing")
_SMALLEST: Final = 0.15
"""Rarity of the commonest content word."""
_VOCABULARY: Final = 28_000
"""Words of the vocabulary whose order the frequency list keeps."""
_FIRST: Final = 6
"""Rank of the list's first word."""


@cache
def word_list(name: str) -> frozenset[str]:
    """The list of that name in configs/lexicon/english.yaml."""
    return frozenset(str(_content()[name]).split())


@cache
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


def rarity(word: str) -> float:
    """0 for a stop word, else .15 to 1: the logarithm of the word's rank among English words by frequency; 1 for an unknown one."""
    word = word.lower()
    if word in word_list("stop"):
        return 0.0
    if len(word) == 1:
        return _SMALLEST
    rank = _ranks().get(word)
    return 1.0 if rank is None else max(_SMALLEST, min(1.0, math.log(rank + _FIRST) / math.log(_VOCABULARY)))


def is_english(text: str) -> bool:
    """Whether the English lists and parser apply: short Latin texts count as English, longer ones by their share of English stop words."""
    found, stop = re.findall(r"[^\W\d_]+", text.lower()), word_list("stop")
    latin = sum(word.isascii() for word in found)
    return bool(found) and latin >= 0.7 * len(found) and (len(found) < 6 or sum(word in stop for word in found) >= 0.15 * len(found))


def alike(stemmed: str) -> frozenset[str]:
    """Stems that point the same way, such as rise and higher."""
    return _alike().get(stemmed, frozenset({stemmed}))


def antonyms(stemmed: str) -> frozenset[str]:
    """Stems that say the opposite: everyday opposites, negative prefixes, -less against -ful."""
    formed = {prefix + stemmed for prefix in _NEGATIVE_PREFIXES} if len(stemmed) >= 4 else set()
    formed |= {stemmed.removeprefix(p) for p in _NEGATIVE_PREFIXES if stemmed.startswith(p) and len(stemmed) - len(p) >= 4}
    if stemmed.endswith("less"):
        formed |= {stemmed.removesuffix("less"), stemmed.removesuffix("less") + "ful"}
    elif stemmed.endswith("ful"):
        formed.add(stemmed.removesuffix("ful") + "less")
    return _antonyms().get(stemmed, frozenset()) | frozenset(formed - {stemmed})


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((files("configs") / "lexicon" / "english.yaml").read_bytes())
    return content


@cache
def _ranks() -> dict[str, int]:
    words: list[str] = orjson.loads((files("configs") / "frequency" / "english.json").read_bytes())
    return {word: rank for rank, word in enumerate(words)}


def _sides() -> list[tuple[list[str], list[str]]]:
    halves = [tuple([stem(word) for word in side.split()] for side in group.split("|")) for group in _content()["opposites"]]
    return [(left, right) for left, right in halves]


@cache
def _alike() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for side in (side for sides in _sides() for side in sides):
        for word in side:
            table.setdefault(word, set()).update(side)
    return {word: frozenset(others) for word, others in table.items()}


@cache
def _antonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for left, right in ((a, b) for one, other in _sides() for a in one for b in other):
        table.setdefault(left, set()).add(right)
        table.setdefault(right, set()).add(left)
    return {word: frozenset(others - {word}) for word, others in table.items()}
