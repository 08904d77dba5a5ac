"""`groundwatch drift`: have the decisions shifted, without any label?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from worker.cli.options import GLOBAL_NOTE, Json, settings_of
from worker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from worker.measurement.shift import Shift
    from worker.settings import Drift, Settings
    from worker.store import Segment

_HEADINGS = ("dataset", "model", "what", "test", "before", "now", "effect", "floor", "p", "answers", "drifted", "examples")
_NO_DECISION: Final = "no decision; `groundwatch drift` without --segment lists those that have"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("drift", epilog=f"Example: groundwatch drift --hours 24 --against 168 --segment travel/gpt-x.  {GLOBAL_NOTE}")(_drift)


def _drift(
    context: typer.Context,
    hours: Annotated[float | None, typer.Option(min=0.01, max=876_000, help="Answers served in the last so many hours …")] = None,
    against: Annotated[float | None, typer.Option(min=0.01, max=876_000, help="… are held against those of so many hours before.")] = None,
    segment: Annotated[str | None, typer.Option(metavar="DATASET/MODEL", help="This segment only.")] = None,
    alpha: Annotated[float | None, typer.Option(min=1e-6, max=0.5, help="Share of a segment's drifts found that may be none.")] = None,
    as_json: Json = False,
) -> None:
    """Compare the decisions of two periods: verdicts, how many have a score, and every score's distribution.

    A drift is significant after correction for the number of tests, and larger than a floor; fewer than 50 answers are none. What is not
    said here stands in monitor.drift.
    Exit 1 when something has drifted.
    """
    settings = settings_of(context)
    given = {"hours": hours, "against_hours": against, "alpha": alpha}
    drift = settings.monitor.drift.model_copy(update={name: value for name, value in given.items() if value is not None})
    found = asyncio.run(_find(settings, segment, drift))
    if as_json:
        print_json([_as_json(one, shift) for one, shifts in found for shift in shifts])
    else:
        told = [(one, shift) for one, shifts in found for shift in shifts if shift.compared.reason is None]
        print_table(_HEADINGS, [_row(*one) for one in told], empty="nothing to compare: too few decisions in one of the periods")
        silent = sum(shift.compared.reason is not None for _, shifts in found for shift in shifts)
        if silent and told:
            note(f"{silent} figures more have too few answers")
    if any(shift.compared.drifted for _, shifts in found for shift in shifts):
        raise typer.Exit(1)


async def _find(settings: Settings, segment: str | None, drift: Drift) -> list[tuple[Segment, list[Shift]]]:
    from worker.cli.services import chosen, open_store
    from worker.periods import shifted

    now = datetime.now(UTC)
    async with open_store(settings) as store:
        known = chosen(sorted(await store.decision_counts()), segment, _NO_DECISION)
        return [(one, await shifted(store, one, drift, now)) for one in known]


def _row(segment: Segment, shift: Shift) -> tuple[object, ...]:
    one = shift.compared
    p = None if one.adjusted is None else f"{one.adjusted:.2g}"
    answers = f"{one.reference:,} / {one.current:,}"
    said = one.reason or one.drifted
    return (*segment, shift.what, one.test, shift.before, shift.now, one.effect, one.floor, p, answers, said, ", ".join(shift.examples))


def _as_json(segment: Segment, shift: Shift) -> dict[str, Any]:
    shown = {"what": shift.what, "before": shift.before, "now": shift.now, "examples": shift.examples}
    return {**segment._asdict(), **shown, **shift.compared.model_dump(mode="json")}
