"""`groundwatch dead-letters replay`: send messages that failed to their topics again."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import Json, WrongUse, settings_of
from worker.cli.output import note, print_json, progress
from worker.cli.places import OfField, OfKind, OfReason, OfTopic, position_of
from worker.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worker.settings import Settings
    from worker.store import LetterFilter, Position, Store, StoredDeadLetter


def replay(
    context: typer.Context,
    place: Annotated[
        str | None,
        typer.Argument(metavar="[TOPIC/PARTITION/OFFSET]", help="One message, by where it stood; else those that the options name."),
    ] = None,
    mended: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE", exists=True, dir_okay=False, help="Send this file's bytes in place of the one message."),
    ] = None,
    kind: OfKind = None,
    topic: OfTopic = None,
    field: OfField = None,
    reason: OfReason = None,
    everything: Annotated[bool, typer.Option("--all", help="All that were not replayed yet.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also those that failed again after a replay.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Most to send, the newest.")] = 1000,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be sent, and send nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Send dead letters' messages to their topics again, as they were or mended, and note that.

    Many at once leave out those that were sent again already and, without --again, those that failed again: poison does not go round.
    """
    from worker.store import LetterFilter

    settings = settings_of(context)
    which = LetterFilter(kind=kind.value if kind else None, topic=topic, field=field, reason=reason)
    filtered = everything or which != LetterFilter()
    if (place is None) != filtered or (mended and place is None):
        raise WrongUse("name one message, or several with --kind, --topic, --field, --reason or --all; --with mends one")
    if place is not None:
        positions = [position_of(place)]
    else:
        positions, held_back = asyncio.run(_find(settings, which, limit, again=again))
        if held_back:
            note(f"left out: {held_back:,} that failed again after a replay; --again sends them too")
    if not dry_run:
        for earlier in asyncio.run(_send_all(settings, positions, mended.read_bytes() if mended else None)):
            note(earlier)
    _say(positions, dry_run=dry_run, one=place is not None, as_json=as_json)


def _say(positions: Sequence[Position], *, dry_run: bool, one: bool, as_json: bool) -> None:
    places = [position.place for position in positions]
    if as_json:
        print_json({"replayed": [] if dry_run else places, "would_replay": places if dry_run else []})
        return
    if one or dry_run:
        print("\n".join(f"{'would replay' if dry_run else 'replayed'} {place}" for place in places) or "nothing to replay")
    else:
        print(f"replayed {len(places):,} messages; `groundwatch dead-letters list` shows how each ended")


async def _find(settings: Settings, which: LetterFilter, limit: int, *, again: bool) -> tuple[list[Position], int]:
    """What to send, oldest first, and how many are held back because they failed again."""
    from worker.cli.services import open_store
    from worker.store import Position

    async with open_store(settings) as store:
        found = await store.dead_letters(which, limit=limit, replayable=True, again=again)
        every = found if again else await store.dead_letters(which, limit=limit, replayable=True, again=True)
    letters = [stored.letter for stored in reversed(found)]
    held_back = sum(1 for stored in every if stored.attempt) if not again else 0
    return [Position(letter.topic, letter.partition, letter.offset) for letter in letters], held_back


async def _send_all(settings: Settings, positions: Sequence[Position], mended: bytes | None) -> list[str]:
    """What there is to say of those that were sent before."""
    from worker.cli.services import open_store
    from worker.topics import open_producer

    said = []
    async with open_store(settings) as store, open_producer(settings.kafka, settings.limits) as producer:
        with progress("replaying", len(positions)) as advance:
            for position in positions:
                before = await _send(settings, store, producer, position, mended)
                if before.replayed_at is not None:
                    said.append(f"{position.place} had been replayed already, at {before.replayed_at.isoformat(timespec='seconds')}")
                advance(1)
    return said


async def _send(settings: Settings, store: Store, producer: Any, position: Position, mended: bytes | None) -> StoredDeadLetter:
    """The dead letter as it was before. Marked only once the broker has acknowledged it: a crash in between can send it twice,
    never lose it.
    """
    from schemas import identity
    from worker.store import Position

    stored = await store.dead_letter(position)
    letter, value = stored.letter, stored.letter.original if mended is None else mended
    if value is None:
        raise NotFound(f"{position.place} has no original to send; give a mended message with --with FILE")
    sent = await producer.send_and_wait(letter.topic, value, key=letter.key, headers=_headers(stored, position))
    response_id = identity(letter.model_copy(update={"original_base64": base64.b64encode(value).decode()})).response_id
    at = Position(sent.topic, sent.partition, sent.offset)
    await store.mark_replayed(position, at, None if letter.topic == settings.kafka.topics.labels else response_id)
    return stored


def _headers(stored: StoredDeadLetter, position: Position) -> list[tuple[str, bytes]]:
    """The message's own, and which dead letter it stands for."""
    from worker.store.origin import ATTEMPT_HEADER, REPLAY_HEADER

    own = [(name, base64.b64decode(value)) for name, value in stored.letter.headers if name not in (REPLAY_HEADER, ATTEMPT_HEADER)]
    attempt = stored.attempt + len(stored.replays) + 1
    return [*own, (REPLAY_HEADER, position.place.encode()), (ATTEMPT_HEADER, str(attempt).encode())]
