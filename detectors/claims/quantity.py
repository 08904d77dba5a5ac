"""A value of a text, and when two tell the same."""

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

_DAY: Final = 24 * 60
_NEARLY: Final = 1e-6
_STEP: Final = 0.1
"""Natural logarithms between two orders of size."""

Parts = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its dimension; `start` and `end` are character offsets."""

    kind: Literal["number", "date", "time", "weekday"]
    value: float
    """In base units, of a time minutes; of a date: the year where nothing else shows that it is one, else 0."""
    dimension: str
    """Of the unit, such as mass; "" when the unit is none that is known."""
    parts: Parts
    """Year, month and day of a date."""
    start: int
    end: int
    unit: float = 1.0
    """Its unit in base units: where only one has a unit that is known, the figures are compared."""
    slack: float = 0.0
    """How far off another value may be: a share in words and what is told as about so much stand for what they are rounded to."""
    days: frozenset[int] = frozenset()
    """0 to 6, Monday first."""
    also: "Quantity | None" = None
    """The other reading where there are two, such as of 3/4/2025 and of half past six."""

    @property
    def keys(self) -> set[tuple[str, int]]:
        """Quantities that agree share one."""
        reading = self.also.keys if self.also else set()
        if self.kind == "weekday":
            return {("weekday", day) for day in self.days}
        if self.kind == "time":
            return reading | {("minute", int(self.value % _DAY))}
        if self.kind == "date":
            parts = zip(("year", "month", "day"), self.parts, strict=True)
            return reading | {("number", int(self.value))} | {(name, part) for name, part in parts if part is not None}
        hour = {("minute", int(60 * self.value % _DAY))} if _may_be_hour(self) else set()
        return {("number", value) for value in (*self._around, round(self.value / self.unit))} | self._sizes | hour

    @property
    def _around(self) -> tuple[int, ...]:
        around = range(round(self.value - self.slack - _NEARLY), round(self.value + self.slack + _NEARLY) + 1)
        return (*around[:2], *around[-2:])

    @property
    def _sizes(self) -> set[tuple[str, int]]:
        """Its order of size, and those that its slack reaches: what is told as about so much is found by it."""
        low, high = (math.log(size) for size in (max(1.0, abs(self.value) - self.slack), max(1.0, abs(self.value) + self.slack)))
        return {("size", step) for step in range(math.floor(low / _STEP), math.floor(high / _STEP) + 1)}

    @property
    def anywhere(self) -> "Quantity":
        """The same value without its place."""
        return replace(self, start=0, end=0, also=self.also and self.also.anywhere)

    def agrees(self, told: "Quantity") -> bool:
        """Whether one reading of each is the same value: dates by the parts that both name, weekdays within those told."""
        mine, theirs = (self, self.also), (told, told.also)
        return any(a is not None and b is not None and a._same(b) for a in mine for b in theirs)

    def told_by(self, told: "Quantity") -> bool:
        """Whether they agree and `told` leaves no part of a date open."""
        return self.agrees(told) and all(theirs is not None for own, theirs in zip(self.parts, told.parts, strict=True) if own is not None)

    def _same(self, told: "Quantity") -> bool:
        kinds = (self.kind, told.kind)
        if kinds == ("date", "date"):
            return _same_date(self.parts, told.parts)
        if kinds == ("weekday", "weekday"):
            return self.days <= told.days
        if "time" in kinds:
            return _same_time(self, told)
        if "date" in kinds:
            return self.value == told.value != 0 and not self.dimension and not told.dimension
        return kinds == ("number", "number") and self._same_number(told)

    def _same_number(self, told: "Quantity") -> bool:
        same = abs(self.value - told.value) <= max(1e-6 * max(1.0, abs(self.value)), self.slack, told.slack)
        if self.dimension and told.dimension:
            return same and self.dimension == told.dimension
        return same or round(self.value / self.unit, 6) == round(told.value / told.unit, 6)


def _same_date(a: Parts, b: Parts) -> bool:
    shared = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return bool(shared) and all(x == y for x, y in shared)


def _same_time(a: Quantity, b: Quantity) -> bool:
    """The same minute of the day; a bare number may be an hour."""
    minutes = [q.value if q.kind == "time" else 60 * q.value for q in (a, b) if q.kind == "time" or _may_be_hour(q)]
    return len(minutes) == 2 and minutes[0] % _DAY == minutes[1] % _DAY


def _may_be_hour(q: Quantity) -> bool:
    return q.kind == "number" and not q.dimension and 0 < q.value <= 24
