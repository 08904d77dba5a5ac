"""`groundwatch auroc`: how well the scores rank labelled answers, now."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, settings_of
from worker.cli.output import print_json, print_table
from worker.cli.period import Clock, Period, measure, print_period
from worker.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas import AurocSnapshot
    from worker.settings import Settings

_HEADINGS = ("dataset", "model", "score", "auroc", "95 % interval", "grounded", "hallucinated", "unscored", "fpr", "precision", "recall")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("auroc", epilog=f"Example: groundwatch auroc --segment travel/gpt-x.  {GLOBAL_NOTE}")(_auroc)


def _auroc(
    context: typer.Context,
    segment: Annotated[str | None, typer.Option(metavar="DATASET/MODEL", help="This segment only.")] = None,
    hours: Annotated[
        float | None,
        typer.Option(min=0.01, max=876_000, help="Of so many hours until now (24: a day, 168: a week)."),
    ] = None,
    by: Annotated[Clock, typer.Option(help="With --hours: answers served in that time, or labelled in it.")] = "served",
    dimension: Annotated[
        str | None,
        typer.Option(metavar="NAME[=VALUE]", help="With --hours: by that attribute, or one value of it; see monitor.dimensions."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how well the scores rank labelled answers, for every segment.

    Without --hours the rolling window: for each score the latest figure with its 95 % interval, or the reason why there is none.
    With --hours the final score's figure for a period: of the labelled answers, and of all, corrected for which ones reviewers looked at.
    """
    if hours is not None:
        period = Period(timedelta(hours=hours), by, segment, dimension)
        print_period(asyncio.run(measure(settings_of(context), period)), as_json=as_json)
        return
    if dimension is not None:
        raise WrongUse("--dimension takes --hours beside it: the rolling windows hold every answer of a segment")
    snapshots = asyncio.run(_latest(settings_of(context)))
    if segment is not None:
        snapshots = [one for one in snapshots if f"{one.dataset}/{one.model}" == segment]
        if not snapshots:
            raise NotFound(f"segment {segment} has no snapshot; `groundwatch auroc` lists those that have one")
    if as_json:
        print_json([snapshot.model_dump(mode="json") for snapshot in snapshots])
    else:
        print_table(_HEADINGS, [row for one in snapshots for row in _rows(one)], empty="no snapshot yet: labels must arrive first")


async def _latest(settings: Settings) -> Sequence[AurocSnapshot]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.latest_snapshots()


def _rows(snapshot: AurocSnapshot) -> list[list[object]]:
    """`final` first; the figures at the thresholds belong to the decision and so to its row."""
    names = sorted(snapshot.scores, key=lambda name: (name != "final", name))
    rows: list[list[object]] = []
    for name in names:
        one, at = snapshot.scores[name], snapshot.operating
        interval = None if one.low is None or one.high is None else f"{one.low:.3f} – {one.high:.3f}"
        operating = [at.false_positive_rate, at.precision, at.recall] if name == "final" else ["", "", ""]
        figure = one.reason if one.auroc is None else f"{one.auroc:.4f}"
        rows.append(
            [snapshot.dataset, snapshot.model, name, figure, interval, one.grounded, one.hallucinated, snapshot.unscored, *operating]
        )
    return rows
