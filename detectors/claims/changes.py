"""Changes `from x to y`, in the order in which the contexts date the two values."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity

_FROM: Final = re.compile(r"\bfrom\W*$", re.I)
_TO: Final = re.compile(r"^(?:\s[^\W\d]+)?\s(?:to|till|until)\W*$", re.I)
"""Between the two values, a unit before it."""

Pair = tuple[Quantity, Quantity]


def verdicts(claim: Claim) -> Iterator[float]:
    """1 for each change that runs as told, 0 for each that runs the other way; nothing where the contexts do not date both values."""
    for before, after in _changes(claim.sentence.text, claim.sentence.quantities):
        first, second = _date_of(claim, before), _date_of(claim, after)
        if first and second and first != second:
            yield float(first < second)


def _changes(text: str, found: list[Quantity]) -> Iterator[Pair]:
    for a, b in pairwise(found):
        alike = a.kind == b.kind == "number" and a.dimension in ("", b.dimension)
        if alike and _FROM.search(text[: a.start]) and _TO.match(text[a.end : b.start]):
            yield a, b


def _date_of(claim: Claim, value: Quantity) -> tuple[int, ...] | None:
    """The date told last before the value, in the sentence that speaks most of the claim."""
    for j in claim.ranked:
        told = claim.evidence.sentences[j].quantities
        for k, quantity in enumerate(told):
            dates = [q.parts for q in told[:k] if q.kind == "date" and q.parts[0] is not None]
            if dates and quantity.kind == "number" and value.agrees(quantity):
                return tuple(part or 0 for part in dates[-1])
    return None
