"""Numbers, quantities with units, percentages and dates of a text, by value."""

import re
from dataclasses import dataclass
from functools import cache

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {w: 10 * n for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}
_WORDS: dict[str, float] = {w: float(n) for n, w in enumerate(_SMALL)} | {w: float(n) for w, n in _TENS.items()}
_WORDS |= {"dozen": 12, "half": 0.5, "quarter": 0.25, "halves": 0.5, "quarters": 0.25, "thirds": 1 / 3, "once": 1, "twice": 2}
_WORDS |= {"couple": 2, "fifths": 0.2, "tenths": 0.1, "nought": 0}
_SCALE = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "m": 1e6, "bn": 1e9, "mn": 1e6}
_ORDINALS = {
    w: float(n)
    for n, w in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"], 1
    )
}
_MONTHS = {
    m: n
    for n, m in enumerate(
        ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"], 1
    )
}
_MONTHS |= {m[:3]: n for m, n in _MONTHS.items()} | {"sept": 9}
_DAYS = {d: n for n, d in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])}

_UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _table in {
    "time": "s,sec,second=1 ms,millisecond=.001 min,minute=60 h,hr,hour=3600 day=86400 week=604800 fortnight=1209600 month=2629800 year=31557600 decade=315576000 century,centurie=3155760000",
    "length": "mm,millimetre,millimeter=.001 cm,centimetre,centimeter=.01 m,metre,meter=1 km,kilometre,kilometer=1000 inch,inche=.0254 ft,foot,feet=.3048 yard=.9144 mile=1609.344",
    "mass": "µg,mcg,microgram=1e-6 mg,milligram=.001 g,gram,gramme=1 kg,kilo,kilogram=1000 tonne,t=1e6 lb,pound_mass=453.6 ounce,oz=28.35",
    "volume": "ml,millilitre,milliliter=.001 cl=.01 l,litre,liter=1 gallon=3.785 m³=1000",
    "area": "m²,sqm=1 km²=1e6 hectare,ha=1e4 acre=4046.9",
    "speed": "km/h,kmh,kph=1 mph=1.609 m/s=3.6 knot=1.852",
    "data": "byte=1 kb,kib=1e3 mb,mib=1e6 gb,gib=1e9 tb,tib=1e12",
    "power": "w,watt=1 kw,kilowatt=1000 mw,megawatt=1e6",
    "percent": "%,percent,pc,per cent=1",
    "euro": "€,eur,euro=1 cent=.01",
    "dollar": "$,usd,dollar=1",
    "pound": "£,gbp,pound=1",
    "yen": "¥,yen=1",
    "temperature": "°c,celsiu=1",
    "fahrenheit": "°f,fahrenheit=1",
    "pressure": "bar=1 mbar=.001",
    "sound": "db,decibel=1",
    "frequency": "hz=1 khz=1000 mhz=1e6 ghz=1e9",
    "voltage": "v,volt=1",
}.items():
    for _entry in _table.split(" ") if _dimension != "percent" else [_table]:
        _names, _factor = _entry.rsplit("=", 1)
        _UNITS |= {name: (_dimension, float(_factor)) for name in _names.split(",")}

_NUMBER = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)|(?P<clock>\b\d{1,2}:\d{2}(?::\d{2})?\b)"
    r"|(?P<cur>[$€£¥]\s?)?(?P<sign>(?<![\w\d])[-−])?(?P<num>\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?)(?P<ord>st|nd|rd|th)?(?![\w]*\d[a-z]\d)"
    r"|(?P<word>[^\W\d_]+)"
)
_OF_UNIT = re.compile(r"\s+(?:of\s+)?an?\s+(\w+)")
_UNIT = re.compile(r"[ \u00a0-]?(%|°\s?[CF]|€|\$|£|km/h|m/s|m²|km²|m³|per cent|[^\W\d_]+)", re.I)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its dimension; `start` and `end` are character offsets."""

    kind: str
    """number, date or time."""
    value: float
    dimension: str
    """Of the unit, such as mass; "" when the unit is none that is known."""
    parts: tuple[int | None, int | None, int | None]
    """Year, month and day of a date."""
    start: int
    end: int

    def agrees(self, other: "Quantity") -> bool:
        """Whether both tell the same value: a date by the parts that both name, a quantity in base units."""
        if "date" in (self.kind, other.kind):
            return self.kind == other.kind and _same_date(self.parts, other.parts)
        same = self.kind == other.kind and abs(self.value - other.value) <= 1e-6 * max(1.0, abs(self.value))
        if self.dimension and other.dimension:
            return same and self.dimension == other.dimension
        return same or bool(self._bare() & other._bare())

    def _bare(self) -> set[float]:
        return {round(self.value / factor, 6) for factor in _factors(self.dimension)} | {round(self.value, 6)}


@cache
def _factors(dimension: str) -> frozenset[float]:
    return frozenset(factor for of, factor in _UNITS.values() if of == dimension)


def _same_date(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> bool:
    shared = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return bool(shared) and all(x == y for x, y in shared)


def quantities(text: str) -> list[Quantity]:
    """All quantities in order; every number is read once, dates before numbers."""
    tokens = list(_NUMBER.finditer(text))
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        quantity, used = _date(tokens, i) or _number(text, tokens, i) or (None, 1)
        if quantity:
            found.append(quantity)
        i += used
    return found


def _date(tokens: list[re.Match[str]], i: int) -> tuple[Quantity, int] | None:
    first = tokens[i]
    if first["iso"]:
        y, m, d = (int(p) for p in first["iso"].split("-"))
        return Quantity("date", 0, "", (y, m, d), first.start(), first.end()), 1
    kinds = "".join(_shape(t) for t in tokens[i : i + 4])
    if first["ord"] and kinds.startswith("D") and kinds[:2] != "Dm" and kinds[:3] != "Dom":
        return Quantity("date", 0, "", (None, None, int(first["num"])), first.start(), first.end()), 1
    for shape in ("Dm Y", "DmY", "mDY", "DoMY", "mY", "Dm", "mD", "Dom", "m", "Y"):
        if kinds.startswith(shape) and not (
            shape == "m" and first["word"].lower() in ("may", "march", "mar", "sep", "dec") and first["word"] not in ("March",)
        ):
            used = tokens[i : i + len(shape)]
            part = dict(zip(shape, used, strict=True))
            year = int(part["Y"]["num"]) if "Y" in part else None
            day = int(part["D"]["num"]) if "D" in part else None
            month = _MONTHS[part["m"]["word"].lower()] if "m" in part else None
            return Quantity("date", 0, "", (year, month, day), used[0].start(), used[-1].end()), len(used)
    return None


def _shape(token: re.Match[str]) -> str:
    word, num = (token["word"] or "").lower(), token["num"] or ""
    if word:
        return "m" if word in _MONTHS and token["word"][0].isupper() else "o" if word in ("of", "the") else "x"
    if num.isdigit() and not token["cur"]:
        return "Y" if len(num) == 4 and 1000 <= int(num) <= 2100 else "D" if len(num) < 3 and 1 <= int(num) <= 31 else "x"
    return "x"


def _number(text: str, tokens: list[re.Match[str]], i: int) -> tuple[Quantity, int] | None:
    first, used = tokens[i], 1
    word = (first["word"] or "").lower()
    if first["clock"]:
        hours, minutes = first["clock"].split(":")[:2]
        return Quantity("time", int(hours) * 60 + int(minutes), "", (None, None, None), first.start(), first.end()), 1
    if first["num"]:
        value = _decimal(first["num"]) * (-1 if first["sign"] else 1)
    elif word in _WORDS or (word in _ORDINALS and word not in ("second", "first")):
        value = _WORDS.get(word, _ORDINALS.get(word, 0.0))
    else:
        return None
    while i + used < len(tokens) and tokens[i + used].start() - tokens[i + used - 1].end() <= 1:
        nxt = (tokens[i + used]["word"] or "").lower()
        if nxt in _SCALE and (
            len(nxt) > 2 or nxt in ("bn", "mn") or first["cur"] or (tokens[i + used].start() == tokens[i + used - 1].end() and nxt == "k")
        ):
            value *= _SCALE[nxt]
        elif nxt in _SMALL[1:10] and word in _TENS:
            value += _WORDS[nxt]
        elif nxt in ("half", "quarter", "third", "thirds", "quarters") and word and value < 20 and nxt != "half":
            value *= {"half": 0.5, "third": 1 / 3, "thirds": 1 / 3}.get(nxt, 0.25)
        else:
            break
        used += 1
    dimension, factor = _unit(text, tokens[i + used - 1].end(), first["cur"])
    of_unit = _OF_UNIT.match(text, tokens[i + used - 1].end()) if word in ("half", "quarter") else None
    if of_unit and of_unit[1].lower() in _UNITS:
        dimension, factor = _UNITS[of_unit[1].lower()]
    if word in ("half", "quarter") and not dimension:
        dimension, value = "percent", value * 100
    return Quantity("number", value * factor, dimension, (None, None, None), first.start(), tokens[i + used - 1].end()), used


def _decimal(digits: str) -> float:
    digits = re.sub(r"[\u202f\u00a0 ]", "", digits)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", digits):
        return float(digits.replace(",", ""))
    return float(digits.replace(",", "."))


def _unit(text: str, end: int, currency: str | None) -> tuple[str, float]:
    if currency:
        return _UNITS[currency.strip()]
    match = _UNIT.match(text, end)
    if not match:
        return "", 1.0
    name = match[1].replace(" ", "") if match[1][0] == "°" else match[1]
    exact, lower = name, name.lower()
    if lower in ("m", "t", "s", "g", "l", "v", "w", "h", "k") and not exact.islower() and lower not in ("v", "w", "l"):
        return "", 1.0
    for form in (lower, lower.removesuffix("s")):
        if form in _UNITS:
            return _UNITS[form]
    return "", 1.0
