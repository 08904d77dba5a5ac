"""Numbers, quantities with units, percentages and dates of a text, by value."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from detectors.lexicon import measures

Tokens = list[re.Match[str]]

_NUMERAL: Final = r"\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?"
_OF_UNIT: Final = re.compile(r"\s+(?:of\s+)?an?\s+(\w+)")
_LONE_DAY: Final = re.compile(r"\bthe [0-3]?\d(?:st|nd|rd|th)(?!\w|[ -]\w)", re.I)
"""By the 20th, but not the 20th century."""
_LONGEST_FRACTION_OF: Final = 20
_DATES: Final = ("DomY", "DmY", "mDY", "mY", "Dm", "mD", "Dom", "m", "Y")
"""Day, month, year and what joins them, in the order tried."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its dimension; `start` and `end` are character offsets."""

    kind: str
    """number, date or time."""
    value: float
    """In base units; of a date: the year where nothing else shows that it is one, else 0."""
    dimension: str
    """Of the unit, such as mass; "" when the unit is none that is known."""
    parts: tuple[int | None, int | None, int | None]
    """Year, month and day of a date."""
    start: int
    end: int

    def agrees(self, other: "Quantity") -> bool:
        """Whether both tell the same value: a date by the parts that both name, a quantity in base units."""
        if self.kind == other.kind == "date":
            return _same_date(self.parts, other.parts)
        if "date" in (self.kind, other.kind):
            return self.value == other.value != 0 and not self.dimension and not other.dimension
        same = self.kind == other.kind and abs(self.value - other.value) <= 1e-6 * max(1.0, abs(self.value))
        if self.dimension and other.dimension:
            return same and self.dimension == other.dimension
        return same or bool(self._bare() & other._bare())

    def _bare(self) -> set[float]:
        return {round(self.value / factor, 6) for factor in _factors(self.dimension)} | {round(self.value, 6)}


@cache
def _factors(dimension: str) -> frozenset[float]:
    return frozenset(measures().units.get(dimension, {}).values())


@cache
def _tokens() -> re.Pattern[str]:
    """Dates in figures, clock times, numbers with sign and currency, words."""
    signs = re.escape("".join(sorted(measures().leading_units)))
    return re.compile(
        r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)|(?P<clock>\b\d{1,2}:\d{2}(?::\d{2})?\b)"
        rf"|(?P<cur>[{signs}]\s?)?(?P<sign>(?<![\w\d])[-−])?(?P<num>{_NUMERAL})(?P<ord>st|nd|rd|th)?(?![\w]*\d[a-z]\d)"
        r"|(?P<word>[^\W\d_]+)"
    )


@cache
def _units() -> re.Pattern[str]:
    """The unit after a number: one of those that are no plain word, else any word."""
    signs = sorted((name for name in measures().unit_of if not name.isalpha()), key=lambda name: (-len(name), name))
    choices = "|".join(re.escape(name).replace("°", r"°\s?") for name in signs)
    return re.compile(rf"[ \u00a0-]?({choices}|[^\W\d_]+)", re.I)


def _same_date(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> bool:
    shared = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return bool(shared) and all(x == y for x, y in shared)


def quantities(text: str) -> list[Quantity]:
    """All quantities in order; every number is read once, dates before numbers."""
    tokens = list(_tokens().finditer(text))
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        quantity, used = _date(tokens, i) or _clock(tokens[i]) or _number(text, tokens, i) or (None, 1)
        if quantity:
            found.append(quantity)
        i += used
    return found


def _date(tokens: Tokens, i: int) -> tuple[Quantity, int] | None:
    first = tokens[i]
    if first["iso"]:
        y, m, d = (int(part) for part in first["iso"].split("-"))
        return Quantity("date", 0, "", (y, m, d), first.start(), first.end()), 1
    if first["ord"] and _LONE_DAY.search(first.string, max(0, first.start() - 4), first.end() + 2):
        return Quantity("date", 0, "", (None, None, int(first["num"])), first.start(), first.end()), 1
    kinds = "".join(_shape(token) for token in tokens[i : i + 4])
    shape = next((shape for shape in _DATES if kinds.startswith(shape)), None)
    if not shape or (shape == "m" and first["word"] != "March" and first["word"].lower() in measures().doubtful_months):
        return None
    if shape == "Y" and _measured(first):
        return None
    part = dict(zip(shape, tokens[i:], strict=False))
    year, day = (int(part[kind]["num"]) if kind in part else None for kind in "YD")
    month = measures().month_of[part["m"]["word"].lower()] if "m" in part else None
    value = year if shape == "Y" and year else 0
    return Quantity("date", value, "", (year, month, day), first.start(), tokens[i + len(shape) - 1].end()), len(shape)


def _measured(year: re.Match[str]) -> bool:
    """Whether what looks like a year has a unit, unlike the 1990s."""
    return bool(_unit(year.string, year.end(), None)[0]) and not re.match("s\\b", year.string[year.end() :])


def _shape(token: re.Match[str]) -> str:
    """Month, joiner, year, day or other."""
    word, num = (token["word"] or "").lower(), token["num"] or ""
    if word in measures().month_of and token["word"][0].isupper():
        return "m"
    if word in measures().date_joiners:
        return "o"
    if num.isdigit() and not token["cur"]:
        return "Y" if len(num) == 4 and 1000 <= int(num) <= 2100 else "D" if len(num) < 3 and 1 <= int(num) <= 31 else "x"
    return "x"


def _clock(token: re.Match[str]) -> tuple[Quantity, int] | None:
    if not token["clock"]:
        return None
    hours, minutes = token["clock"].split(":")[:2]
    return Quantity("time", int(hours) * 60 + int(minutes), "", (None, None, None), token.start(), token.end()), 1


def _number(text: str, tokens: Tokens, i: int) -> tuple[Quantity, int] | None:
    first, word = tokens[i], _word(tokens, i)
    if first["num"]:
        value = _decimal(first["num"]) * (-1 if first["sign"] else 1)
    elif word in measures().value_of:
        value = measures().value_of[word]
    else:
        return None
    value, used = _scaled(tokens, i, value)
    end = tokens[i + used - 1].end()
    dimension, factor = _unit(text, end, first["cur"])
    if _word(tokens, i + used - 1) in (measures().shares if used == 1 else measures().fractions_after_words):
        of_unit = _OF_UNIT.match(text, end)
        dimension, factor = measures().unit_of.get(of_unit[1].lower() if of_unit else "", (dimension, factor))
        dimension, factor = (dimension, factor) if dimension else ("percent", 100.0)
    return Quantity("number", value * factor, dimension, (None, None, None), first.start(), end), used


def _scaled(tokens: Tokens, i: int, value: float) -> tuple[float, int]:
    """The value with the words that follow its first token and belong to it, such as `-five`, `million` or `quarters`; the tokens used."""
    of, first, word, used = measures(), tokens[i], _word(tokens, i), 1
    if word in of.shares and _word(tokens, i + 1) == "a" and _word(tokens, i + 2) in of.scales:
        used = 2
    while i + used < len(tokens) and (gap := tokens[i + used].start() - tokens[i + used - 1].end()) <= 1:
        following = _word(tokens, i + used)
        if following in of.scales:
            value *= of.scales[following]
        elif following in of.money_scales and (first["cur"] or (gap == 0 and following in of.attached_scales)):
            value *= of.money_scales[following]
        elif following in of.ones and word in of.tens:
            value += of.ones[following]
        elif following in of.fractions_after_words and word and value < _LONGEST_FRACTION_OF:
            value *= 1 / of.fractions_after_words[following]
        else:
            break
        used += 1
    return value, used


def _word(tokens: Tokens, i: int) -> str:
    return (tokens[i]["word"] or "").lower() if i < len(tokens) else ""


def _decimal(digits: str) -> float:
    digits = re.sub(r"[\u202f\u00a0 ]", "", digits)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", digits):
        return float(digits.replace(",", ""))
    return float(digits.replace(",", "."))


def _unit(text: str, end: int, currency: str | None) -> tuple[str, float]:
    """Dimension and factor of the unit that the number has before it or, from `end`, after it."""
    of = measures()
    if currency:
        return of.unit_of[currency.strip()]
    match = _units().match(text, end)
    if not match:
        return "", 1.0
    name = match[1].replace(" ", "") if match[1][0] == "°" else match[1]
    lower = name.lower()
    if lower in of.lower_case_units and not name.islower():
        return "", 1.0
    return of.unit_of.get(lower) or of.unit_of.get(lower.removesuffix("s")) or ("", 1.0)
