"""The tokens that values are made of: dates and times in figures, numbers with sign and currency, words."""

import re
from functools import cache
from typing import Final

from detectors.lexicon import measures
from detectors.word_lists import any_of

Tokens = list[re.Match[str]]

_NUMERAL: Final = (
    r"\d{1,3}(?:\.\d{3})++,\d++(?![\d.])|\d{1,3}(?:\.\d{3}){2,}+(?![\d.,])"
    r"|\d{1,3}(?:,\d{3})++(?:\.\d++)?(?!\d)|\d{1,3}(?:[\u202f\u00a0 ]\d{3})++(?:[.,]\d++)?(?!\d|,\d{3})|\d++(?:[.,]\d++)?"
)
"""Thousands by commas, by spaces, or by dots where a decimal comma or a second dot shows that they are; not by several.

Possessive: where what follows forbids a number, no shorter one is tried."""


def value_tokens(text: str) -> Tokens:
    """In order; what is none of them lies between."""
    return list(_pattern().finditer(text))


def word(tokens: Tokens, i: int) -> str:
    """The word at `i` in lower case, "" where there is none."""
    return (tokens[i]["word"] or tokens[i]["nth"] or "").lower() if 0 <= i < len(tokens) else ""


def decimal(digits: str) -> float:
    """The value of figures with any separators; infinite beyond what a float holds."""
    digits = re.sub(r"[\u202f\u00a0 ]", "", digits)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", digits):
        return float(digits.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,}", digits):
        return float(digits.replace(".", "").replace(",", "."))
    return float(digits.replace(",", "."))


@cache
def _pattern() -> re.Pattern[str]:
    of = measures()
    signs = re.escape("".join(sorted(of.leading_units)))
    tens, nth = ("|".join(sorted(table)) for table in (of.tens, {**of.ordinals, **of.day_ordinals}))
    return re.compile(
        r"(?P<ymd>(?<![\w.])\d{4}([-/.])\d{1,2}\2\d{1,2}(?!\w|[-/.]\d))|(?P<dmy>(?<![\w.])\d{1,2}([-/.])\d{1,2}\4\d{4}(?!\w|[-/.]\d))"
        r"|(?P<clock>\b\d{1,2}:\d{2}(?::\d{2})?\b)"
        rf"|(?P<cur>[{signs}]\s?)?(?P<sign>(?<![\w\d])[-−])?(?<![A-Za-z])(?P<num>{_NUMERAL})(?P<ord>{any_of(of.ordinal_endings)})?(?!\w{{0,64}}\d[a-z]\d)"
        rf"|(?P<nth>(?i:\b(?:(?:{tens})[- ])?(?:{nth})\b))|(?P<word>[^\W\d_]+)"
    )
