"""Numbers, quantities with units, percentages, dates and times of a text, by value."""

import math
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from detectors.claims.dates import Read, read_date, read_time, read_weekday
from detectors.claims.quantity import Quantity
from detectors.claims.value_tokens import Tokens, decimal, value_tokens, word
from detectors.lexicon import measures
from detectors.word_lists import any_of

_THOUSAND: Final = 1000


def quantities(text: str) -> list[Quantity]:
    """All quantities in order; every number is read once, dates before times before numbers."""
    tokens = value_tokens(text)
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        name = tokens[i]["word"]
        readable = name is None or name.lower() in measures().starting
        quantity, used = (_read(text, tokens, i) if readable else None) or (None, 1)
        if quantity:
            found.append(quantity)
        i += used
    return _by_one_clock(_by_one_scale(text, found))


def _by_one_scale(text: str, found: list[Quantity]) -> list[Quantity]:
    """From 5 to 8 million: the first of two is counted as the second where it is a bare number."""
    out = list(found)
    for i, (a, b) in enumerate(pairwise(found)):
        bare = a.kind == b.kind == "number" and not a.dimension and text[a.start : a.end].replace(".", "").replace(",", "").isdigit()
        scale = next((measures().scales[word] for word in text[b.start : b.end].lower().split()[1:] if word in measures().scales), 0)
        if bare and scale and a.value < scale and _between().fullmatch(text[a.end : b.start]):
            out[i] = replace(a, value=a.value * scale)
    return out


def _read(text: str, tokens: Tokens, i: int) -> Read:
    return (
        read_date(tokens, i, _measured(tokens[i]))
        or read_time(tokens, i)
        or read_weekday(tokens, i)
        or _share(tokens, i)
        or _year_in_words(tokens, i)
        or _number(text, tokens, i)
    )


def _by_one_clock(found: list[Quantity]) -> list[Quantity]:
    """Where one time can only be of 24 hours, so are the others."""
    if any(q.kind == "time" and q.also is None and q.value >= 13 * 60 for q in found):
        return [replace(q, also=None) if q.kind == "time" else q for q in found]
    return found


def _measured(year: re.Match[str]) -> bool:
    """Whether what looks like a year has a unit, unlike the 1990s."""
    return bool(_unit(year.string, year.end(), None)[0]) and not re.match("s\\b", year.string[year.end() :])


def _share(tokens: Tokens, i: int) -> Read:
    """Two in three, one out of four, every fourth."""
    of = measures()
    if word(tokens, i) in of.each and (part := {**of.ordinals, **of.day_ordinals}.get(word(tokens, i + 1))):
        following = word(tokens, i + 2)
        if following and following not in of.day_of and of.unit_of.get(following.removesuffix("s"), ("",))[0] != "time":
            return _percent(1 / part, tokens, i, 2)
    joined = next((len(words) for words in map(str.split, sorted(of.share_joiners)) if _stand(tokens, i + 1, words)), 0)
    few, many = _whole(tokens, i), _whole(tokens, i + 1 + joined) if joined else None
    return _percent(few / many, tokens, i, 2 + joined) if few and many and few < many <= of.shares_of_at_most else None


def _stand(tokens: Tokens, i: int, words: list[str]) -> bool:
    return [word(tokens, i + place) for place in range(len(words))] == words


def _whole(tokens: Tokens, i: int) -> float | None:
    if i < len(tokens) and (tokens[i]["num"] or "").isdigit():
        return float(tokens[i]["num"])
    return measures().whole_of.get(word(tokens, i))


def _percent(share: float, tokens: Tokens, i: int, used: int) -> tuple[Quantity, int]:
    start, end = tokens[i].start(), tokens[i + used - 1].end()
    return Quantity("number", 100 * share, "percent", (None, None, None), start, end, 100.0, measures().shares_rounded), used


def _year_in_words(tokens: Tokens, i: int) -> Read:
    """Nineteen eighty-four."""
    of = measures()
    century, rest = of.whole_of.get(word(tokens, i), 0), of.tens.get(word(tokens, i + 1), 0)
    unit = of.ones.get(word(tokens, i + 2), 0) if rest else 0
    first, last = of.years_in_words
    year, used = int(100 * century + rest + unit), 3 if unit else 2
    if not rest or not first <= year <= last or tokens[i + 1].start() - tokens[i].end() != 1:
        return None
    return Quantity("date", year, "", (year, None, None), tokens[i].start(), tokens[i + used - 1].end()), used


def _number(text: str, tokens: Tokens, i: int) -> Read:
    first, name, of = tokens[i], word(tokens, i), measures()
    sign = -1 if first["sign"] or word(tokens, i - 1) in of.negative else 1
    if first["num"]:
        value = sign * decimal(first["num"])
    elif name in of.value_of:
        value = sign * of.value_of[name]
    elif name in of.articles and word(tokens, i + 1) in of.scales:
        value = 1.0
    else:
        return None
    value, used = _counted(tokens, i, value)
    end = tokens[i + used - 1].end()
    dimension, factor = _unit(text, end, first["cur"])
    slack = 0.0
    if word(tokens, i + used - 1) in (of.shares if used == 1 else of.fractions_after_words):
        of_unit = _of_unit().match(text, end)
        dimension, factor = of.unit_of.get(of_unit[1].lower() if of_unit else "", (dimension, factor))
        dimension, factor, slack = (dimension, factor, 0.0) if dimension else ("percent", 100.0, of.shares_rounded)
    if not math.isfinite(value * factor):
        return None
    if word(tokens, i - 1) in of.approximate:
        slack = max(slack, of.rounded_within * abs(value * factor))
    return Quantity("number", value * factor, dimension, (None, None, None), first.start(), end, factor, slack), used


def _counted(tokens: Tokens, i: int, value: float) -> tuple[float, int]:
    """The value with the words that follow its first token and belong to it, such as `-five`, `million`, `hundred and twelve` or
    `quarters`; the tokens used."""
    of, first, used, thousands = measures(), tokens[i], 1, 0.0
    if word(tokens, i) in of.shares and word(tokens, i + 1) in of.articles and word(tokens, i + 2) in of.scales:
        used = 2
    while i + used < len(tokens) and (gap := tokens[i + used].start() - tokens[i + used - 1].end()) <= 1:
        before, following = word(tokens, i + used - 1), word(tokens, i + used)
        if (scale := of.scales.get(following, 0)) >= _THOUSAND:
            thousands, value = (thousands + value * scale, 0) if value else (thousands * scale, 0)
        elif scale:
            value *= scale
        elif following in of.money_scales and (first["cur"] or (gap == 0 and following in of.attached_scales)):
            value *= of.money_scales[following]
        elif following in of.ones and before in of.tens:
            value += of.ones[following]
        elif following in of.fractions_after_words and before and value < of.fractions_below:
            value *= 1 / of.fractions_after_words[following]
        elif before in of.scales and (added := _added(tokens, i + used)):
            value, used = value + added[0], used + added[1] - 1
        elif following in of.joining and word(tokens, i + used + 1) in of.articles and word(tokens, i + used + 2) in of.shares:
            value, used = value + 1 / of.fractions[word(tokens, i + used + 2)], used + 2
        else:
            break
        used += 1
    return thousands + value, used


def _added(tokens: Tokens, i: int) -> tuple[float, int] | None:
    """What a hundred or a thousand goes on with, `and` or not; the tokens used."""
    skipped = int(word(tokens, i) in measures().joining)
    value = measures().below_hundred.get(word(tokens, i + skipped))
    return (value, skipped + 1) if value else None


def _unit(text: str, end: int, currency: str | None) -> tuple[str, float]:
    """Dimension and factor of the unit that the number has before it or, from `end`, after it."""
    of = measures()
    if currency:
        return of.unit_of[currency.strip()]
    match = _units().match(text, end)
    if not match:
        return "", 1.0
    name = match[1].replace(" ", "") if match[1][0] == "°" else re.sub(r"s?\s", " ", match[1])
    lower = name.lower()
    if lower in of.lower_case_units and not name.islower():
        return "", 1.0
    return of.unit_of.get(lower) or of.unit_of.get(lower.removesuffix("s")) or ("", 1.0)


@cache
def _between() -> re.Pattern[str]:
    """Between the two values of a range or a change."""
    return re.compile(rf"\s?(?:-|–|{any_of(measures().ranging)})\s?[$€£¥]?", re.I)


@cache
def _of_unit() -> re.Pattern[str]:
    """Of an hour."""
    return re.compile(rf"\s+(?:{any_of(measures().parting)}\s+)?{any_of(measures().articles)}\s+(\w+)")


@cache
def _units() -> re.Pattern[str]:
    """The unit after a number: one of those that are no plain word, else any word."""
    signs = sorted((name for name in measures().unit_of if not name.isalpha()), key=lambda name: (-len(name), name))
    choices = "|".join(re.escape(name).replace("°", r"°\s?").replace(r"\ ", r"s?\s") for name in signs)
    return re.compile(rf"[ \u00a0-]?((?:{choices})s?(?!\w)|[^\W\d_]+)", re.I)
