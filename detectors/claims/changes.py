"""Changes `from x to y`, in the order in which the contexts date the two values."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from detectors.claims.claim import Claim
from detectors.claims.quantity import Quantity
from detectors.lexicon import measures
from detectors.word_lists import any_of

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
        if alike and _from().search(text[: a.start]) and _to().match(text[a.end : b.start]):
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


@cache
def _from() -> re.Pattern[str]:
    return re.compile(rf"\b{any_of(measures().change_from)}\W*$", re.I)


@cache
def _to() -> re.Pattern[str]:
    """Between the two values, a unit before it."""
    return re.compile(rf"^(?:\s[^\W\d]+)?\s{any_of(measures().change_to)}\W*$", re.I)
