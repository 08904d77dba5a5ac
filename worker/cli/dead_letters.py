"""`groundwatch dead-letters`: messages that could not be processed."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import Json, settings_of
from worker.cli.output import print_json, print_table, say
from worker.cli.places import OfField, OfKind, OfReason, OfTopic, position_of
from worker.cli.replay import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worker.settings import Settings
    from worker.store import LetterCount, LetterFilter, Position, StoredDeadLetter


def create_group() -> typer.Typer:
    """The `dead-letters` commands."""
    group = typer.Typer(
        help="Messages that could not be processed.",
        no_args_is_help=True,
        rich_markup_mode=None,
        epilog="Example: groundwatch dead-letters show llm.responses/0/17",
    )
    group.command("list", epilog="Example: groundwatch dead-letters list --by-reason --topic llm.responses")(_list)
    group.command("show", epilog="Example: groundwatch dead-letters show llm.responses/0/17 --raw > message.json")(_show)
    examples = "Examples: groundwatch dead-letters replay llm.responses/0/17 --with mended.json · … replay --reason 'at most' --dry-run"
    group.command("replay", epilog=examples)(replay)
    return group


def _list(
    context: typer.Context,
    kind: OfKind = None,
    topic: OfTopic = None,
    field: OfField = None,
    reason: OfReason = None,
    by_reason: Annotated[bool, typer.Option("--by-reason", help="Count those that failed alike, the most frequent first.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Most lines.")] = 100,
    as_json: Json = False,
) -> None:
    """The newest dead letters, newest first."""
    from worker.store import LetterFilter

    settings = settings_of(context)
    which = LetterFilter(kind=kind.value if kind else None, topic=topic, field=field, reason=reason)
    rows: list[dict[str, Any]]
    if by_reason:
        headings = ["topic", "kind", "field", "reason", "letters", "newest"]
        rows = [_count(one) for one in asyncio.run(_counts(settings, which, limit))]
    else:
        headings = ["place", "kind", "field", "reason", "failed at", "replayed at", "ended", "attempt"]
        rows = [_summary(one) for one in asyncio.run(_newest(settings, which, limit))]
    print_json(rows) if as_json else print_table(headings, [list(row.values())[: len(headings)] for row in rows], empty="no dead letters")


def _show(
    context: typer.Context,
    place: Annotated[str, typer.Argument(metavar="TOPIC/PARTITION/OFFSET", help="Where the message stood, as `list` shows it.")],
    raw: Annotated[
        bool, typer.Option("--raw", help="Write the original message, byte for byte, and nothing else. It may hold private text.")
    ] = False,
    as_json: Json = False,
) -> None:
    """One dead letter: what was wrong, with what, and what replaying did. The message itself only with --raw."""
    stored = asyncio.run(_one(settings_of(context), position_of(place)))
    if raw:
        sys.stdout.buffer.write(stored.letter.original or b"")
        sys.stdout.buffer.flush()
        return
    replays = [
        {"sent": one.sent.place, "replayed_at": one.replayed_at.isoformat(timespec="seconds"), "ended": one.ending.value}
        for one in stored.replays
    ]
    summary = _summary(stored)
    if as_json:
        print_json(summary | {"replays": replays})
        return
    for name, value in summary.items():
        say(f"{name}: {value}")
    for one in replays:
        say(f"replayed {one['replayed_at']} as {one['sent']}: {one['ended']}")


async def _counts(settings: Settings, which: LetterFilter, limit: int) -> Sequence[LetterCount]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.dead_letter_counts(which, limit=limit)


async def _newest(settings: Settings, which: LetterFilter, limit: int) -> Sequence[StoredDeadLetter]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.dead_letters(which, limit=limit)


async def _one(settings: Settings, position: Position) -> StoredDeadLetter:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.dead_letter(position)


def _count(one: LetterCount) -> dict[str, Any]:
    return one._asdict() | {"field": _field(one.field), "newest": one.newest.isoformat(timespec="seconds")}


def _summary(stored: StoredDeadLetter) -> dict[str, Any]:
    letter = stored.letter
    return {
        "place": f"{letter.topic}/{letter.partition}/{letter.offset}",
        "kind": letter.kind,
        "field": _field(letter.field),
        "reason": letter.reason,
        "failed_at": letter.failed_at.isoformat(timespec="seconds"),
        "replayed_at": stored.replayed_at.isoformat(timespec="seconds") if stored.replayed_at else None,
        "ended": stored.replays[-1].ending.value if stored.replays else None,
        "attempt": stored.attempt,
        "replay_of": stored.replay_of,
        "times_replayed": len(stored.replays),
        "message": "kept" if stored.kept else "expired or erased",
        "bytes": stored.bytes,
    }


def _field(field: str) -> str:
    return field or "(whole message)"
