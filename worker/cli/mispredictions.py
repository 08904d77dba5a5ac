"""`groundwatch mispredictions`: the decisions that labels prove wrong."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import GLOBAL_NOTE, Json, settings_of
from worker.cli.output import print_json, print_table

if TYPE_CHECKING:
    from worker.measurement.mispredictions import Misprediction
    from worker.settings import Settings

_HEADINGS = ("response", "dataset", "model", "what", "final", "labelled", "misled by")


def register(app: typer.Typer) -> None:
    """Add the command."""
    example = "Example: groundwatch mispredictions --hours 24 --segment travel/gpt-x"
    app.command("mispredictions", epilog=f"{example}.  {GLOBAL_NOTE}")(_mispredictions)


def _mispredictions(
    context: typer.Context,
    hours: Annotated[float, typer.Option(min=0.01, max=876_000, help="Of the labels given in the last so many hours.")] = 24,
    most: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 50,
    segment: Annotated[str | None, typer.Option(metavar="DATASET/MODEL", help="Of this segment only.")] = None,
    as_json: Json = False,
) -> None:
    """Show accepted answers that are hallucinated and rejected ones that are grounded, the most confident decisions first.

    Half of either kind as far as there are. Each with the signals that spoke for the wrong decision, beside their usual values.
    """
    found = asyncio.run(_find(settings_of(context), timedelta(hours=hours), most, segment))
    if as_json:
        print_json([_as_json(one) for one in found])
    else:
        print_table(_HEADINGS, [_row(one) for one in found], empty="no label contradicts a decision in that time")


async def _find(settings: Settings, age: timedelta, most: int, segment: str | None) -> list[Misprediction]:
    from worker.cli.period import NO_LABEL
    from worker.cli.services import chosen, open_store
    from worker.measurement.mispredictions import mispredictions
    from worker.store import PairFilter

    since = datetime.now(UTC) - age
    async with open_store(settings) as store:
        if segment is None:
            return mispredictions(await store.pairs(PairFilter(since=since)), most)
        named = [PairFilter(dataset=one.dataset, model=one.model, since=since) for one in chosen(await store.segments(), segment, NO_LABEL)]
        return [one for which in named for one in mispredictions(await store.pairs(which), most)]


def _row(one: Misprediction) -> tuple[object, ...]:
    pair = one.pair
    misled = ", ".join(f"{each.signal} {each.value:.2f} (usually {each.grounded:.2f} / {each.hallucinated:.2f})" for each in one.misled)
    return (pair.response_id, *pair.segment, one.kind.replace("_", " "), pair.scores["final"], f"{pair.labelled_at:%Y-%m-%d %H:%M}", misled)


def _as_json(one: Misprediction) -> dict[str, Any]:
    return {"kind": one.kind, "misled": [each._asdict() for each in one.misled], "pair": one.pair.model_dump(mode="json")}
