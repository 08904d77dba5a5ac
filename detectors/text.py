"""Texts as words, whatever script, markup and invisible characters they come in. Every pattern here runs in linear time."""

import re
import unicodedata
from html import unescape
from typing import Final

_INVISIBLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff]")
_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_ACRONYM: Final = re.compile(r"(?<!\w)(?:\w\.){2,}")
_GROUPED: Final = re.compile(r"(?<=\d)[,\u202f\u00a0'](?=\d{3}(?!\d))")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’]s?(?!\w)")
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’](?=\w)")
_LATIN: Final = re.compile(r"[a-z]+")
ARTICLES: Final = frozenset({"a", "an", "the"})


def clean(text: str) -> str:
    """`text` as a reader sees it: HTML entities resolved, NUL, zero-width and direction characters gone."""
    return _INVISIBLE.sub("", unescape(text) if "&" in text else text)


def latin_tokens(text: str) -> list[str]:
    """Lower-case runs of `[a-z]`, the seed's tokens."""
    return _LATIN.findall(text.lower())


def tokens(text: str) -> list[str]:
    """Folded words in order: any script, numbers whole, each Chinese or Japanese character by itself."""
    return _WORD.findall(_folded(text))


def entity_key(text: str) -> str:
    """`text` as its tokens without articles, single-spaced and padded: `key in entity_key(context)` looks an entity up by words."""
    return f" {' '.join(word for word in tokens(text) if word not in ARTICLES)} "


def _folded(text: str) -> str:
    """Case, diacritics, possessives, apostrophes, thousands separators and the dots of acronyms removed."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    plain = _ACRONYM.sub(lambda match: match[0].replace(".", ""), plain)
    return _APOSTROPHE.sub("", _POSSESSIVE.sub("", _GROUPED.sub("", plain)))
