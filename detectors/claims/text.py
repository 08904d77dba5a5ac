"""Sentences and words of a cleaned text, with offsets. Linear time, any script."""

import re
from typing import Final

_END: Final = re.compile(r"(?<![.!?…؟۔।])[.!?…؟۔।]++[\"'”’)\]]*+(?=\s|$)|[。！？]|\n+")
_ABBREVIATIONS: Final = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "no",
        "inc",
        "ltd",
        "co",
        "corp",
        "jr",
        "sr",
        "fig",
        "eq",
        "al",
        "approx",
        "dept",
        "u.s",
        "u.k",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "vol",
        "pp",
        "cf",
        "ca",
        "rev",
        "gen",
        "col",
        "sgt",
        "capt",
        "lt",
        "mt",
    ]
)
_WORD: Final = re.compile(
    r"(?i:\b(?:counter|non|anti|un|self|mis)-[^\W\d_]+)|\d+(?:[.,:/]\d+)*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_]+(?:'[^\W\d_]+)?|[^\W_]+"
)
MAX_SENTENCE: Final = 600
"""Characters after which a sentence is cut at a space, so that no encoder window is overrun."""

Word = tuple[str, int, int]


def words(text: str) -> list[Word]:
    """(word, start, end); a number with its separators is one word, a CJK character is one."""
    return [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]


def word_bounds(text: str) -> list[tuple[int, int]]:
    """(start, end) of the words."""
    return [(start, end) for _, start, end in words(text)]


def sentences(text: str) -> list[tuple[int, int]]:
    """(start, end) of the sentences; a line break always ends one."""
    bounds, start = [], 0
    for match in _END.finditer(text):
        if match[0] == "." and _is_abbreviation(text, start, match.end()):
            continue
        bounds.append((start, match.end()))
        start = match.end()
    bounds.append((start, len(text)))
    return [piece for start, end in bounds for piece in _pieces(text, start, end)]


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    token = text[max(start, end - 20) : end - 1].split()[-1:] or [""]
    last, following = token[0].lower().lstrip('("['), text[end : end + 3].lstrip()[:1]
    numbered = last.isdigit() and len(text[start:end].strip()) <= 4
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha()) or following.islower() or numbered


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    out = []
    while end - start > MAX_SENTENCE:
        cut = text.rfind(" ", start + 1, start + MAX_SENTENCE)
        cut = cut if cut > start else start + MAX_SENTENCE
        out.append((start, cut))
        start = cut
    out.append((start, end))
    stripped = ((s + len(text[s:e]) - len(text[s:e].lstrip()), s + len(text[s:e].rstrip())) for s, e in out)
    return [(s, e) for s, e in stripped if e > s]
