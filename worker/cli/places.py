"""How commands say which dead letters they mean."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.options import WrongUse

if TYPE_CHECKING:
    from worker.store import Position


class Kind(StrEnum):
    """What was wrong."""

    UNREADABLE = "unreadable"
    INVALID = "invalid"
    POISON = "poison"


OfKind = Annotated[Kind | None, typer.Option("--kind", help="Of this kind only.")]
OfTopic = Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="From this topic only.")]
OfField = Annotated[str | None, typer.Option("--field", metavar="FIELD", help='With this field at fault only ("" for the whole message).')]
OfReason = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="With this text in the reason only.")]


def position_of(place: str) -> Position:
    """Where the message stood. Raises WrongUse."""
    from worker.store import Position

    topic, _, rest = place.partition("/")
    partition, _, offset = rest.partition("/")
    if not (topic and all(number.isdecimal() and len(number) < most for number, most in ((partition, 10), (offset, 19)))):
        raise WrongUse(f"{place!r} is no TOPIC/PARTITION/OFFSET such as llm.responses/0/17")
    return Position(topic, int(partition), int(offset))
