"""Dates, clock times and weekdays of a text."""

import re
from functools import cache
from itertools import takewhile
from typing import Final

from detectors.claims.quantity import Parts, Quantity
from detectors.claims.value_tokens import Tokens, decimal, word
from detectors.lexicon import measures

Read = tuple[Quantity, int] | None
"""A value and how many tokens it takes."""

_LONE_DAY: Final = re.compile(r"[0-3]?\d[a-z]+(?!\w|[ -]\w)")
_DATES: Final = ("DomY", "DoomY", "DmY", "mDY", "moDY", "mY", "Dm", "mD", "moD", "Dom", "Doom", "m", "Y")
"""Day, month, year and what joins them, in the order tried."""
_CAPITAL: Final = re.compile(" [A-Z]")
_NO_DATE: Final[Parts] = (None, None, None)


def read_date(tokens: Tokens, i: int, measured: bool) -> Read:
    """A date from token `i` on; `measured`: whether its number has a unit and so is no year."""
    first = tokens[i]
    if first["ymd"] or first["dmy"]:
        return _in_figures(first)
    if first["ord"] and _stands_alone(tokens, i):
        return _date((None, None, int(first["num"])), [first]), 1
    kinds = "".join(_shape(token) for token in tokens[i : i + 5])
    shape = next((shape for shape in _DATES if kinds.startswith(shape)), None)
    if not shape or (shape == "m" and first["word"].lower() in measures().doubtful_months):
        return None
    if shape == "Y" and measured:
        return None
    part = dict(zip(shape, tokens[i:], strict=False))
    year, day = (int(part[kind]["num"] or _nth(part[kind])) if kind in part else None for kind in "YD")
    month = measures().month_of[part["m"]["word"].lower()] if "m" in part else None
    return _date((year, month, day), tokens[i : i + len(shape)], value=year if shape == "Y" and year else 0), len(shape)


def _stands_alone(tokens: Tokens, i: int) -> bool:
    """Whether an ordinal in figures is a day: by the 20th, but not the 20th century."""
    text, start = tokens[i].string, tokens[i].start()
    return text[start - 1] == " " and word(tokens, i - 1) in measures().before_lone_days and _LONE_DAY.match(text, start) is not None


def _in_figures(token: re.Match[str]) -> Read:
    """Year first, else day or month first."""
    a, b, c = (int(part) for part in re.split(r"[-/.]", token[0]))
    possible = [(y, m, d) for y, m, d in (((a, b, c),) if token["ymd"] else ((c, b, a), (c, a, b))) if 1 <= m <= 12 and 1 <= d <= 31]
    also = _date(possible[1], [token]) if len(possible) == 2 else None
    return (_date(possible[0], [token], also=also), 1) if possible else None


def _date(parts: Parts, tokens: Tokens, value: float = 0, also: Quantity | None = None) -> Quantity:
    return Quantity("date", value, "", parts, tokens[0].start(), tokens[-1].end(), also=also)


def _nth(token: re.Match[str]) -> float:
    return sum(measures().nth_of[part] for part in re.split("[- ]", token["nth"].lower()))


def _shape(token: re.Match[str]) -> str:
    """Month, joiner, year, day or other."""
    name, num = (token["word"] or "").lower(), token["num"] or ""
    first, last = measures().years
    if name in measures().month_of and token["word"][0].isupper():
        return "m"
    if name in measures().date_joiners:
        return "o"
    if token["nth"]:
        return "D" if _nth(token) <= 31 else "x"
    if num.isdigit() and not token["cur"]:
        return "Y" if len(num) == 4 and first <= int(num) <= last else "D" if len(num) < 3 and 1 <= int(num) <= 31 else "x"
    return "x"


def read_time(tokens: Tokens, i: int) -> Read:
    """A time of the day from token `i` on: 18:15, 6.15 pm, seven in the evening, noon, half past six."""
    first, name, of = tokens[i], word(tokens, i), measures()
    if name in of.times_of_day:
        return _time(of.times_of_day[name], first.start(), first.end(), 1, exact=True)
    back = word(tokens, i + 1) in of.to_hour and name in of.before_to_hour
    if back or word(tokens, i + 1) in of.past_hour:
        minutes, hours = _minutes(tokens, i), _count(tokens, i + 2)
        used = 3
    else:
        hours, minutes, used = *_hours(tokens, i), 1
    if hours is None or minutes is None or not 0 <= hours <= 24 or not 0 <= minutes < 60:
        return None
    end = tokens[i + used - 1].end()
    half = _halves().match(first.string, end)
    if used == 1 and not (first["clock"] or (half and first["cur"] is None)):
        return None
    value = 60 * hours + (-minutes if back else minutes)
    if half and (shift := of.halves_of_day[" ".join(half[1].lower().split())]) is not None and hours <= 12:
        return _time(value % 720 + 60 * shift, first.start(), half.end(), _taken(tokens, i, half.end()), exact=True)
    exact = hours > 12 or hours == 0 or first[0].startswith("0")
    stop = half.end() if half else end
    return _time(value, first.start(), stop, _taken(tokens, i, stop), exact)


def _taken(tokens: Tokens, i: int, end: int) -> int:
    return sum(1 for _ in takewhile(lambda token: token.start() < end, tokens[i:]))


def _hours(tokens: Tokens, i: int) -> tuple[float | None, float | None]:
    first = tokens[i]
    if first["clock"] or (first["num"] and re.fullmatch(r"\d{1,2}\.[0-5]\d", first["num"])):
        hours, minutes = re.split("[:.]", first[0])[:2] if first["clock"] else first["num"].split(".")
        return int(hours), int(minutes)
    return _count(tokens, i), 0


def _minutes(tokens: Tokens, i: int) -> float | None:
    fraction = measures().fractions.get(word(tokens, i))
    return 60 / fraction if fraction else _count(tokens, i)


def _count(tokens: Tokens, i: int) -> float | None:
    if i < len(tokens) and tokens[i]["num"]:
        value = decimal(tokens[i]["num"])
        return value if value.is_integer() else None
    return measures().whole_of.get(word(tokens, i))


def _time(value: float, start: int, end: int, used: int, exact: bool) -> tuple[Quantity, int]:
    also = None if exact else Quantity("time", value + 720, "", _NO_DATE, start, end)
    return Quantity("time", value, "", _NO_DATE, start, end, also=also), used


@cache
def _halves() -> re.Pattern[str]:
    names = sorted(measures().halves_of_day, key=lambda name: (-len(name), name))
    choices = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in names)
    return re.compile(rf"\s?({choices})(?!\w)", re.I)


def _is_name(tokens: Tokens, i: int) -> bool:
    """Whether a weekday is part of a name, such as Sunday Times."""
    following, of = word(tokens, i + 1), measures()
    return bool(_CAPITAL.match(tokens[i].string, tokens[i].end())) and following not in of.month_of and following not in of.day_of


def read_weekday(tokens: Tokens, i: int) -> Read:
    """A weekday, or all from one to another."""
    first, of = tokens[i], measures()
    name = word(tokens, i)
    if name in of.several_weekdays:
        days, used = frozenset(of.day_of[day] for day in of.several_weekdays[name]), 1
    elif name in of.day_of and first[0][0].isupper() and not _is_name(tokens, i):
        start, used = of.day_of[name], 1
        between, to = first.string[first.end() : tokens[i + 1].start()] if i + 1 < len(tokens) else "", word(tokens, i + 1)
        last, used = (i + 2, 3) if to in of.range_joiners else (i + 1, 2) if between.strip() in ("-", "–") else (i, 1)
        end = of.day_of.get(word(tokens, last), start)
        used = used if word(tokens, last) in of.day_of else 1
        days = frozenset((start + step) % 7 for step in range((end - start) % 7 + 1))
    else:
        return None
    return Quantity("weekday", 0, "", _NO_DATE, first.start(), tokens[i + used - 1].end(), days=days), used
