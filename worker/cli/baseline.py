"""`groundwatch baseline`: are the pinned segments still as good as they were?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import GLOBAL_NOTE, UNKNOWN, Json, WrongUse, settings_of
from worker.cli.output import print_json, print_table
from worker.cli.period import with_interval

if TYPE_CHECKING:
    from worker.measurement.watch import Watch
    from worker.settings import Settings

_HEADINGS = ("segment", "figure", "baseline", "recent", "outcome", "why", "days", "alarm", "changed")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("baseline", epilog=f"Example: groundwatch baseline --days 7 --json.  {GLOBAL_NOTE}")(_baseline)


def _baseline(
    context: typer.Context,
    days: Annotated[int, typer.Option(min=1, max=3_660, help="How many days until now count as recent.")] = 7,
    at_most: Annotated[int, typer.Option(min=2, max=3_660, help="How many whole days to look back at, day by day.")] = 60,
    as_json: Json = False,
) -> None:
    """Hold every segment of monitor.baselines against the period that is pinned there.

    Worse is what lost more than gate.delta for certain of late, or a little each whole day (of UTC) until it added up (CUSUM). What counts
    is when answers were served; labels may still come. Exit 0 when all are as good, 1 when one is worse, 3 when the labels do not tell.
    """
    settings = settings_of(context)
    if not settings.monitor.baselines:
        raise WrongUse(
            "no baseline is pinned; name a good period in the settings, monitor.baselines: {DATASET/MODEL: {since: …, until: …}}"
        )
    found = asyncio.run(_watch_all(settings, days, at_most))
    if as_json:
        print_json({segment: _as_json(one) for segment, one in found.items()})
    else:
        print_table(_HEADINGS, [_row(segment, one) for segment, one in found.items()], empty="")
    outcomes = {one.outcome for one in found.values()}
    if outcomes != {"same"}:
        raise typer.Exit(1 if "worse" in outcomes else UNKNOWN)


async def _watch_all(settings: Settings, days: int, at_most: int) -> dict[str, Watch]:
    from worker.cli.services import open_store
    from worker.periods import watched
    from worker.store import Segment

    now, delta = datetime.now(UTC), settings.gate.delta
    async with open_store(settings) as store:
        known = {segment.name: segment for segment in await store.segments()}  # either part may hold a slash itself
        return {
            name: await watched(
                store, known.get(name, Segment(*name.split("/", maxsplit=1))), baseline, delta, now=now, days=days, at_most=at_most
            )
            for name, baseline in sorted(settings.monitor.baselines.items())
        }


def _row(segment: str, one: Watch) -> tuple[object, ...]:
    days = one.sums.days if one.sums else 0
    return (
        segment,
        one.figure,
        with_interval(one.baseline),
        with_interval(one.recent),
        one.outcome,
        one.reason,
        days,
        one.alarm,
        one.changed,
    )


def _as_json(one: Watch) -> dict[str, Any]:
    shown = {name: getattr(one, name) for name in ("outcome", "reason", "figure", "alarm", "changed")}
    models = {name: getattr(one, name) for name in ("check", "sums", "change", "baseline", "recent")}
    return shown | {name: None if model is None else model.model_dump(mode="json") for name, model in models.items()}
