"""`groundwatch drift`: have the decisions shifted, without any label?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from worker.cli.options import GLOBAL_NOTE, Json, settings_of
from worker.cli.output import print_json, print_table

if TYPE_CHECKING:
    from worker.measurement.shift import Decided, Shift
    from worker.settings import Settings
    from worker.store import Segment, Store

_HEADINGS = ("dataset", "model", "what", "test", "before", "now", "effect", "floor", "p", "answers", "drifted", "examples")
_MOST: Final = 5000
"""Decisions of a period that are compared; of more, a sample."""
_NO_DECISION: Final = "no decision; `groundwatch drift` without --segment lists those that have"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("drift", epilog=f"Example: groundwatch drift --hours 24 --against 168 --segment travel/gpt-x.  {GLOBAL_NOTE}")(_drift)


def _drift(
    context: typer.Context,
    hours: Annotated[float, typer.Option(min=0.01, help="Answers served in the last so many hours …")] = 24,
    against: Annotated[float, typer.Option(min=0.01, help="… are held against those of so many hours before.")] = 168,
    segment: Annotated[str | None, typer.Option(metavar="DATASET/MODEL", help="This segment only.")] = None,
    alpha: Annotated[float, typer.Option(min=1e-6, max=0.5, help="Share of the drifts found in a segment that may be none.")] = 0.01,
    as_json: Json = False,
) -> None:
    """Compare the decisions of two periods: verdicts, how many have a score, and every score's distribution.

    A drift is significant after correction for the number of tests, and larger than a floor; fewer than 50 answers are none.
    Exit 1 when something has drifted.
    """
    found = asyncio.run(_find(settings_of(context), timedelta(hours=hours), timedelta(hours=against), segment, alpha))
    if as_json:
        print_json([_as_json(one, shift) for one, shifts in found for shift in shifts])
    else:
        print_table(_HEADINGS, [_row(one, shift) for one, shifts in found for shift in shifts], empty="no decisions yet")
    if any(shift.compared.drifted for _, shifts in found for shift in shifts):
        raise typer.Exit(1)


async def _find(
    settings: Settings, length: timedelta, against: timedelta, segment: str | None, alpha: float
) -> list[tuple[Segment, list[Shift]]]:
    from worker.cli.services import chosen, open_store
    from worker.measurement.shift import shifts

    now = datetime.now(UTC)
    async with open_store(settings) as store:
        known = chosen(sorted(await store.decision_counts()), segment, _NO_DECISION)
        found = []
        for one in known:
            before = await _decided(store, one, now - length - against, now - length)
            found.append((one, shifts(before, await _decided(store, one, now - length, now), alpha)))
        return found


async def _decided(store: Store, segment: Segment, since: datetime, until: datetime) -> list[Decided]:
    from worker.measurement.shift import Decided
    from worker.store import PairFilter

    which = PairFilter(dataset=segment.dataset, model=segment.model, since=since, until=until)
    return [Decided(*row) for row in await store.decided(which, _MOST)]


def _row(segment: Segment, shift: Shift) -> tuple[object, ...]:
    one = shift.compared
    p = None if one.adjusted is None else f"{one.adjusted:.2g}"
    answers = f"{one.reference:,} / {one.current:,}"
    said = one.reason or one.drifted
    return (*segment, shift.what, one.test, shift.before, shift.now, one.effect, one.floor, p, answers, said, ", ".join(shift.examples))


def _as_json(segment: Segment, shift: Shift) -> dict[str, Any]:
    shown = {"what": shift.what, "before": shift.before, "now": shift.now, "examples": shift.examples}
    return {**segment._asdict(), **shown, **shift.compared.model_dump(mode="json")}
