"""Splitting a text into sentences that keep their place in it. Linear in the text's length."""

import re
from collections.abc import Container
from typing import Final

from schemas import Offsets

_BREAK: Final = re.compile(
    r"""(?<![.!?…؟۔।])[.!?…؟۔।]++["'”’»)\]]*+(?=\s)"""  # the look-behind tries a run of marks once, at its start
    r"|[。！？｡]++[」』”’）]*+"
    r"|[\n\r\u2028\u2029]++"
)
_SEED_BREAK: Final = re.compile(r"(?<=[.!?])\s++")
_BULLET: Final = re.compile(r"\s*+(?:(?:[-*•‣◦·–—]|\d{1,3}[.)])\s++)?+")
_LONGEST_ABBREVIATION: Final = 12


def sentences(text: str, abbreviations: Container[str] = ()) -> list[Offsets]:
    """The sentences and list items of `text`, without surrounding whitespace and bullets; blank ones are left out.

    Full stops end no sentence after one of `abbreviations` (lower case) or a single letter, nor before a lower-case word.
    """
    found: list[Offsets] = []
    start = 0
    for match in _BREAK.finditer(text):
        if not match[0].strip(".…") and _goes_on(text, match.start(), match.end(), abbreviations):
            continue
        found += _trimmed(text, start, match.end())
        start = match.end()
    return found + _trimmed(text, start, len(text))


def seed_sentences(text: str) -> list[Offsets]:
    """The seed's sentences: cut at whitespace after a full stop, exclamation or question mark."""
    cuts = [(match.start(), match.end()) for match in _SEED_BREAK.finditer(text)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [Offsets(start=start, end=end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _goes_on(text: str, stop: int, end: int, abbreviations: Container[str]) -> bool:
    following = text[end : end + 8].lstrip()[:1]
    words = text[max(0, stop - _LONGEST_ABBREVIATION) : stop].split()
    word = words[-1].lower().lstrip("([\"'") if words else ""
    return following.islower() or word in abbreviations or (len(word) == 1 and word.isalpha())


def _trimmed(text: str, start: int, end: int) -> list[Offsets]:
    match = _BULLET.match(text, start, end)
    start = match.end() if match else start
    end = start + len(text[start:end].rstrip())
    return [Offsets(start=start, end=end)] if end > start else []
