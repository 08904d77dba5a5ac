"""`groundwatch dead-letters`: messages that could not be processed."""

from __future__ import annotations

import asyncio
import base64
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import Json, WrongUse, settings_of
from worker.cli.output import note, print_json, print_table
from worker.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from worker.settings import Settings
    from worker.store import Position, StoredDeadLetter

REPLAY_HEADER = "groundwatch-replay-of"
"""Names the place of the message that a replayed one stands for."""

Place = Annotated[str, typer.Argument(metavar="TOPIC/PARTITION/OFFSET", help="Where the message stood, as `list` shows it.")]


class Kind(StrEnum):
    """What was wrong."""

    UNREADABLE = "unreadable"
    INVALID = "invalid"
    POISON = "poison"


def create_group() -> typer.Typer:
    """The `dead-letters` commands."""
    group = typer.Typer(
        help="Messages that could not be processed.",
        no_args_is_help=True,
        rich_markup_mode=None,
        epilog="Example: groundwatch dead-letters show llm.responses/0/17",
    )
    group.command("list", epilog="Example: groundwatch dead-letters list --kind invalid")(_list)
    group.command("show", epilog="Example: groundwatch dead-letters show llm.responses/0/17 --raw > message.json")(_show)
    group.command("replay", epilog="Example: groundwatch dead-letters replay llm.responses/0/17 --with mended.json")(_replay)
    return group


def _list(
    context: typer.Context,
    kind: Annotated[Kind | None, typer.Option(help="This kind only.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most to show.")] = 100,
    as_json: Json = False,
) -> None:
    """The newest dead letters, newest first."""
    stored = asyncio.run(_newest(settings_of(context), kind.value if kind else None, limit))
    rows = [_summary(one) for one in stored]
    if as_json:
        print_json(rows)
    else:
        print_table(
            ["place", "kind", "field", "reason", "failed at", "replayed at"],
            [list(row.values())[:6] for row in rows],
            empty="no dead letters",
        )


def _show(
    context: typer.Context,
    place: Place,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write the original message, byte for byte, and nothing else. It may hold private text.")
    ] = False,
    as_json: Json = False,
) -> None:
    """One dead letter: what was wrong and with what. The message itself only with --raw."""
    stored = asyncio.run(_one(settings_of(context), _position(place)))
    if raw:
        sys.stdout.buffer.write(stored.letter.original or b"")
        sys.stdout.buffer.flush()
        return
    summary = _summary(stored)
    print_json(summary) if as_json else print("\n".join(f"{name}: {value}" for name, value in summary.items()))


def _replay(
    context: typer.Context,
    place: Place,
    mended: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE", exists=True, dir_okay=False, help="Send this file's bytes in place of the original."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Send a dead letter's message to its topic again, as it was or mended, and note that."""
    position = _position(place)
    earlier = asyncio.run(_send_again(settings_of(context), position, mended.read_bytes() if mended else None))
    if earlier is not None:
        note(f"{place} had been replayed already, at {earlier.isoformat(timespec='seconds')}")
    print_json({"replayed": place}) if as_json else print(f"replayed {place}")


async def _newest(settings: Settings, kind: str | None, limit: int) -> Sequence[StoredDeadLetter]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.dead_letters(kind=kind, limit=limit)


async def _one(settings: Settings, position: Position) -> StoredDeadLetter:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.dead_letter(position)


async def _send_again(settings: Settings, position: Position, mended: bytes | None) -> datetime | None:
    """When it was replayed before, if it was. Marked only once the broker has acknowledged it: a crash in between can send it twice,
    never lose it.
    """
    from worker.cli.services import open_store
    from worker.topics import open_producer

    async with open_store(settings) as store:
        stored = await store.dead_letter(position)
        letter, value = stored.letter, stored.letter.original if mended is None else mended
        if value is None:
            raise NotFound(f"{'/'.join(map(str, position))} has no original to send; give a mended message with --with FILE")
        headers = [(name, base64.b64decode(value)) for name, value in letter.headers if name != REPLAY_HEADER]
        headers.append((REPLAY_HEADER, "/".join(map(str, position)).encode()))
        async with open_producer(settings.kafka, settings.limits) as producer:
            await producer.send_and_wait(letter.topic, value, key=letter.key, headers=headers)
        await store.mark_replayed(position)
    return stored.replayed_at


def _position(place: str) -> Position:
    from worker.store import Position

    topic, _, rest = place.partition("/")
    partition, _, offset = rest.partition("/")
    if not (topic and partition.isdecimal() and offset.isdecimal()):
        raise WrongUse(f"{place!r} is no TOPIC/PARTITION/OFFSET such as llm.responses/0/17")
    return Position(topic, int(partition), int(offset))


def _summary(stored: StoredDeadLetter) -> dict[str, Any]:
    letter = stored.letter
    return {
        "place": f"{letter.topic}/{letter.partition}/{letter.offset}",
        "kind": letter.kind,
        "field": letter.field or "(whole message)",
        "reason": letter.reason,
        "failed_at": letter.failed_at.isoformat(timespec="seconds"),
        "replayed_at": stored.replayed_at.isoformat(timespec="seconds") if stored.replayed_at else None,
        "bytes": None if letter.original is None else len(letter.original),
    }
