"""`groundwatch expire` and `groundwatch erase`: what is kept, and for how long."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, settings_of
from worker.cli.output import note, print_json, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worker.settings import Settings
    from worker.store import Erasable, Erasure


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("expire", epilog=f"Example: groundwatch expire --set retention.days.texts=7.  {GLOBAL_NOTE}")(_expire)
    app.command("erase", epilog=f"Example: groundwatch erase --subject u-4711 --by dpo --reason 'ticket 88'.  {GLOBAL_NOTE}")(_erase)


def _expire(context: typer.Context, as_json: Json = False) -> None:
    """Delete what is older than retention.days allows, now.

    Workers do so by themselves, hourly. Exit 1 while one of them is at it.
    """
    counts = asyncio.run(_expire_all(settings_of(context)))
    print_json(counts) if as_json else print(", ".join(f"{what}: {count:,}" for what, count in counts.items()))


def _erase(
    context: typer.Context,
    responses: Annotated[
        list[str] | None, typer.Option("--response-id", metavar="ID", help="Erase this response's texts. Repeatable.")
    ] = None,
    subjects: Annotated[
        list[str] | None, typer.Option("--subject", metavar="SUBJECT", help="Erase this person's texts, as events name them. Repeatable.")
    ] = None,
    requested_by: Annotated[str | None, typer.Option("--by", metavar="WHO", help="Who asked for it; noted.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", metavar="WHY", help="Why; noted.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="Show what was erased so far, and erase nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Erase someone's texts from the store, for good: they are not stored again when their messages come again.

    Exit 1 when nothing was there under a name, which is noted all the same. Topics keep their messages until they expire.
    """
    from worker.store import Erasable

    wanted = [(Erasable.RESPONSE, name) for name in responses or ()] + [(Erasable.SUBJECT, name) for name in subjects or ()]
    if bool(wanted) == listing or not all(name for _, name in wanted):
        raise WrongUse("say whom to erase, with --response-id ID or --subject SUBJECT, or --list to see what was erased")
    settings = settings_of(context)
    erasures = asyncio.run(_listed(settings) if listing else _erase_all(settings, wanted, requested_by, reason))
    _print(erasures, as_json=as_json)
    absent = [erasure for erasure in erasures if not erasure.texts + erasure.originals]
    if absent and not listing:
        note(f"nothing was stored under {len(absent)} of {len(erasures)} names; what comes under them is not stored from now on")
        raise typer.Exit(1)


def _print(erasures: Sequence[Erasure], *, as_json: bool) -> None:
    rows = [
        {
            "kind": erasure.kind.value,
            "name": erasure.name,
            "erased_at": erasure.erased_at.isoformat(timespec="seconds"),
            "by": erasure.requested_by,
            "reason": erasure.reason,
            "texts": erasure.texts,
            "originals": erasure.originals,
        }
        for erasure in erasures
    ]
    headings = ["kind", "name (of a subject its hash)", "erased at", "by", "reason", "texts", "dead letters' messages"]
    print_json(rows) if as_json else print_table(headings, [list(row.values()) for row in rows], empty="nothing was erased")


async def _expire_all(settings: Settings) -> dict[str, int]:
    from worker.cli.services import open_store
    from worker.retention import expire
    from worker.store import Perishable

    counts: Counter[str] = Counter({what.value: 0 for what in Perishable})
    async with open_store(settings) as store:
        with progress("expiring", None) as advance:
            async for what, count in expire(settings, store, asyncio.Event()):
                counts[what.value] += count
                advance(count)
    return dict(counts)


async def _erase_all(
    settings: Settings, wanted: Sequence[tuple[Erasable, str]], requested_by: str | None, reason: str | None
) -> Sequence[Erasure]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return [await store.erase(kind, name, requested_by=requested_by, reason=reason) for kind, name in wanted]


async def _listed(settings: Settings) -> Sequence[Erasure]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.erasures()
