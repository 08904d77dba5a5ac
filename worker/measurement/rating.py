"""What each rater says of each answer, and where they disagree. Needs no arrays, so that the store may speak of it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal, NamedTuple


class Rating(NamedTuple):
    """One label of one answer."""

    response_id: str
    label: Literal[0, 1] | None
    """None: unsure."""
    source: str
    annotator: str | None
    labelled_at: datetime
    precedence: int
    """The weight of its source."""

    @property
    def rater(self) -> str:
        """Source and annotator: who gave it, as far as that is known."""
        return self.source if self.annotator is None else f"{self.source}:{self.annotator}"


class Dispute(NamedTuple):
    """An answer that someone whose word weighs more should decide about."""

    response_id: str
    why: Literal["disagreement", "unsure"]
    """`unsure`: nobody of the weightiest source says otherwise, and the latest of them cannot tell."""
    ratings: Sequence[Rating]
    """Those of the weightiest source, the latest first."""


def disputes(ratings: Iterable[Rating]) -> list[Dispute]:
    """The disputed ones of the answers, the latest rated first, from the latest label of each rater of each answer."""
    each = groupby(sorted(ratings, key=_by_answer), key=lambda one: one.response_id)
    found = [dispute for response_id, group in each if (dispute := _dispute(response_id, list(group)))]
    return sorted(found, key=lambda one: (one.ratings[0].labelled_at, one.response_id), reverse=True)


def _by_answer(one: Rating) -> tuple[str, int, float]:
    return one.response_id, -one.precedence, -one.labelled_at.timestamp()


def _dispute(response_id: str, ratings: Sequence[Rating]) -> Dispute | None:
    weightiest = [one for one in ratings if one.precedence == ratings[0].precedence]
    if {0, 1} <= {one.label for one in weightiest}:
        return Dispute(response_id, "disagreement", weightiest)
    return Dispute(response_id, "unsure", weightiest) if weightiest[0].label is None else None
