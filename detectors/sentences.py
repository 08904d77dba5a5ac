"""Splitting a cleaned text into sentences that keep their place in it. Linear in the text's length, any script."""

import re
from collections.abc import Iterator
from typing import Final

from detectors.lexicon import english

_CJK: Final = r"\u3000-\u30ff\u3400-\u9fff"
_LINE: Final = r"\n\r\v\f\x85\u2028\u2029"
_BREAK: Final = re.compile(
    rf"""(?<![.!?…؟۔।])[.!?…؟۔।]++(?:["'”’»)\]]*+(?=\s|$)|(?<=[!?])(?=[{_CJK}]))"""  # the look-behind tries a run of marks once
    rf"|[。！？｡]++[」』”’）)\]]*+|[{_LINE}]++"
)
_BULLET: Final = re.compile(rf"(?:(?![{_LINE}])\s)*+(?:[-*•‣◦·–—]|\d{{1,3}}[.)])(?=\s++\S)")
_LONGEST_ABBREVIATION: Final = 12
_WINDOW: Final = 1200
"""Fifths of a word piece, estimated from above, after which a sentence is cut: the encoder reads no more of one."""
_LATIN, _OTHER = 2, 5
"""The same of a Latin letter without marks, and of what may be a piece of its own: digits, marks, letters of other scripts."""


def sentences(text: str) -> list[tuple[int, int]]:
    """(start, end) of the sentences and list items, without surrounding whitespace, bullets and list numbers; blank ones are left out.

    A line break always ends one. A full stop does not before a lower-case word, nor after an abbreviation, a single letter or a number that
    stands alone.
    """
    pieces = (piece for start, end in _stretches(text) for piece in _pieces(text, start, end))
    stripped = ((end - len(text[start:end].lstrip()), start + len(text[start:end].rstrip())) for start, end in pieces)
    return [(start, end) for start, end in stripped if end > start]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """From one end of a sentence to the next."""
    start = _after_bullet(text, 0)
    for match in _BREAK.finditer(text):
        inside_bullet = match.end() <= start
        if inside_bullet or (not match[0].strip(".…") and _goes_on(text, start, match.start(), match.end())):
            continue
        yield start, match.end()
        start = _after_bullet(text, match.end()) if match[0].isspace() else match.end()
    yield start, len(text)


def _after_bullet(text: str, start: int) -> int:
    match = _BULLET.match(text, start)
    return match.end() if match else start


def _goes_on(text: str, start: int, stop: int, end: int) -> bool:
    following = text[end : end + 8].lstrip()[:1]
    words = text[max(start, stop - _LONGEST_ABBREVIATION) : stop].split()
    word = words[-1].lower().lstrip("([\"'") if words else ""
    alone = len(words) == 1 and stop - start < _LONGEST_ABBREVIATION
    if word in english().abbreviations_before_numbers and (alone or following.isdigit()):
        return True
    numbered, initial = alone and word.isdigit() and len(word) < 4, len(word) == 1 and word.isalpha()
    return numbered or initial or following.islower() or word in english().abbreviations


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch, cut at spaces where it is longer than a window; without spaces, inside a word."""
    if _OTHER * (end - start) <= _WINDOW:
        yield start, end
        return
    read, word, of_word = 0, start, 0
    for at in range(start, end):
        if text[at].isspace():
            word, of_word = at, 0
        cost = _cost(text[at])
        read, of_word = read + cost, of_word + cost
        if read > _WINDOW:
            cut, read = (word, of_word) if word > start else (at, cost)
            yield start, cut
            start, word, of_word = cut, cut, read
    yield start, end


def _cost(char: str) -> int:
    return 0 if char.isspace() else _LATIN if char.isascii() and char.isalpha() else _OTHER
