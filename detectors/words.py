"""Texts as words, whatever their script. Every pattern here runs in linear time."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

from detectors.lexicon import english
from detectors.word_lists import any_of

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_FOLDED: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_ACRONYM: Final = re.compile(r"(?<!\w)(?:\w\.){2,}")
_GROUPED: Final = re.compile(r"(?<=\d)[,\u202f\u00a0'](?=\d{3}(?!\d))")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’]s?(?!\w)")
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’](?=\w)")

Word = tuple[str, int, int]


def words(text: str) -> list[Word]:
    """(word, start, end) as written; a number with its separators is one word, a name such as X2, a CJK character."""
    return [(match[0], match.start(), match.end()) for match in _placed().finditer(text)]


def bounds(found: Iterable[Word]) -> list[tuple[int, int]]:
    """(start, end) of the words."""
    return [(start, end) for _, start, end in found]


def tokens(text: str) -> list[str]:
    """Folded words in order: any script, numbers whole, each Chinese or Japanese character by itself."""
    return _FOLDED.findall(_folded(text))


def entity_key(text: str) -> str:
    """`text` as its tokens without articles, single-spaced and padded: `key in entity_key(context)` looks an entity up by words."""
    return f" {' '.join(word for word in tokens(text) if word not in english().articles)} "


def _folded(text: str) -> str:
    """Case, diacritics, possessives, apostrophes, thousands separators and the dots of acronyms removed."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = decomposed if decomposed.isascii() else "".join(char for char in decomposed if not unicodedata.combining(char))
    plain = _ACRONYM.sub(lambda match: match[0].replace(".", ""), plain)
    return _APOSTROPHE.sub("", _POSSESSIVE.sub("", _GROUPED.sub("", plain)))


@cache
def _placed() -> re.Pattern[str]:
    return re.compile(
        rf"(?i:\b{any_of(english().hyphenated)}-[^\W\d_]+)|(?<![^\W_])[A-Za-z]+\d[A-Za-z0-9]*+|\d+(?:[.,:/]\d+)*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
        r"|[^\W\d_]+(?:'[^\W\d_]+)?|[^\W_]+"
    )
