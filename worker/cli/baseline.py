"""`groundwatch baseline`: are the pinned segments still as good as they were?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, settings_of
from worker.cli.output import print_json, print_table

if TYPE_CHECKING:
    from schemas import Auroc
    from worker.measurement.corrected import Corrected
    from worker.measurement.period import PeriodFigures
    from worker.measurement.watch import Day, Watch
    from worker.settings import Baseline, Settings
    from worker.store import Segment, Store

_HEADINGS = ("segment", "figure", "baseline", "recent", "outcome", "why", "days", "alarm", "changed")
_NOT_ENOUGH: Final = 3
"""Exit code when the labels do not tell, as of `gate`."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("baseline", epilog=f"Example: groundwatch baseline --days 7 --json.  {GLOBAL_NOTE}")(_baseline)


def _baseline(
    context: typer.Context,
    days: Annotated[int, typer.Option(min=1, help="How many days until now count as recent.")] = 7,
    at_most: Annotated[int, typer.Option(min=2, help="How many whole days to look back at, day by day.")] = 60,
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
        raise typer.Exit(1 if "worse" in outcomes else _NOT_ENOUGH)


async def _watch_all(settings: Settings, days: int, at_most: int) -> dict[str, Watch]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return {
            name: await _watch(store, name, baseline, settings, days, at_most)
            for name, baseline in sorted(settings.monitor.baselines.items())
        }


async def _watch(store: Store, name: str, baseline: Baseline, settings: Settings, days: int, at_most: int) -> Watch:
    from worker.measurement.watch import Day, watch
    from worker.store import Segment

    known = (one for one in await store.segments() if "/".join(one) == name)  # either part may hold a slash itself
    segment = next(known, Segment(*name.split("/", maxsplit=1)))
    now = datetime.now(UTC)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    first = max(baseline.until, today - timedelta(days=at_most))
    starts = [start for back in range(at_most, 0, -1) if (start := today - timedelta(days=back)) >= first]
    each: list[Day] = [Day(start.date(), await _measure(store, segment, start, start + timedelta(days=1))) for start in starts]
    pinned = await _measure(store, segment, baseline.since, baseline.until)
    recent = await _measure(store, segment, max(baseline.until, now - timedelta(days=days)), now)
    return watch(pinned, recent, each, settings.gate.delta)


async def _measure(store: Store, segment: Segment, since: datetime, until: datetime) -> PeriodFigures:
    from worker.measurement.period import measure_period
    from worker.store import Clock, PairFilter

    which = PairFilter(dataset=segment.dataset, model=segment.model, since=since, until=until, clock=Clock.SERVED)
    return measure_period(await store.pairs(which), await store.scored_cells(which))


def _row(segment: str, one: Watch) -> tuple[object, ...]:
    days = one.sums.days if one.sums else 0
    return segment, one.figure, _figure(one.baseline), _figure(one.recent), one.outcome, one.reason, days, one.alarm, one.changed


def _figure(one: Auroc | Corrected) -> str | None:
    return one.reason if one.auroc is None else f"{one.auroc:.3f} ({one.low:.3f} – {one.high:.3f})"


def _as_json(one: Watch) -> dict[str, Any]:
    shown = {name: getattr(one, name) for name in ("outcome", "reason", "figure", "alarm", "changed")}
    models = {name: getattr(one, name) for name in ("check", "sums", "change", "baseline", "recent")}
    return shown | {name: None if model is None else model.model_dump(mode="json") for name, model in models.items()}
