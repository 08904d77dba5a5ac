"""`groundwatch gate`: may this release go out?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from worker.cli.options import GLOBAL_NOTE, UNKNOWN, Json, WrongUse, settings_of
from worker.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from worker.gate.judgement import Report, Side
    from worker.settings import Settings

_LIVE: Final = ("model", "fingerprint")


def register(app: typer.Typer) -> None:
    """Add the command."""
    example = "Example: groundwatch gate main.jsonl change.jsonl --labels labels.jsonl --junit gate.xml"
    app.command("gate", epilog=f"{example}.  {GLOBAL_NOTE}")(_gate)


def _gate(
    context: typer.Context,
    baseline: Annotated[
        str,
        typer.Argument(
            metavar="BASELINE", help="Decisions as `groundwatch score` writes them, or model=NAME or fingerprint=HEX for live ones."
        ),
    ],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The same for what is to be released.")],
    labels: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="Label events for the decisions in files. Repeatable.")
    ] = None,
    score: Annotated[str, typer.Option(help="The score that is measured.")] = "final",
    days: Annotated[float, typer.Option(min=0.01, max=36_500, help="Of live decisions, those labelled in so many days until now.")] = 7,
    junit: Annotated[Path | None, typer.Option(metavar="FILE.xml", dir_okay=False, help="Also write JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE.md", dir_okay=False, help="Also write Markdown.")] = None,
    as_json: Json = False,
) -> None:
    """Compare a candidate with a baseline by AUROC on labelled answers, dataset by dataset.

    Both may have scored the same answers (another detector: the paired test), or different ones (another model or prompt).
    Exit 0 when it may go out, 1 when it is worse, 3 when the labels are too few to tell. What counts as worse is in the settings, gate.*.
    """
    from worker.gate.judgement import judge
    from worker.gate.report import as_json as report_as_json
    from worker.gate.report import as_junit, as_markdown

    settings = settings_of(context)
    sides = asyncio.run(_sides((baseline, candidate), labels or [], score, timedelta(days=days), settings))
    report = judge(sides[0], sides[1], settings.gate)
    if junit is not None:
        junit.write_text(as_junit(report), encoding="utf-8")
    if markdown is not None:
        markdown.write_text(as_markdown(report), encoding="utf-8")
    if as_json:
        print_json(report_as_json(report))
    else:
        tell(report)
    if code := exit_code(report):
        raise typer.Exit(code)


def tell(report: Report) -> None:
    """The report on stdout."""
    from worker.gate.report import HEADINGS, rows

    print_table(HEADINGS, rows(report), empty="no dataset has labelled answers on both sides")
    for reason in report.reasons:
        say(reason)
    say(f"gate: {report.outcome.replace('_', ' ')}")


def exit_code(report: Report) -> int:
    """What the gate ends with."""
    from worker.gate.judgement import Outcome

    return {Outcome.OK: 0, Outcome.WORSE: 1, Outcome.NOT_ENOUGH: UNKNOWN}[report.outcome]


async def _sides(sources: tuple[str, str], labels: list[Path], score: str, age: timedelta, settings: Settings) -> list[Side]:
    from worker.cli.sides import read_decisions, read_labels

    known = read_labels(labels, settings.limits)
    found: list[Side] = []
    for source in sources:
        key, equals, name = source.partition("=")
        if equals and key in _LIVE:
            found.append(await _live(key, name, score, age, settings))
        else:
            found.append(read_decisions(Path(source), known, score, settings.limits))
    _refuse_ids_of_two_answers(*found, with_labels=bool(labels))
    return found


async def _live(key: str, name: str, score: str, age: timedelta, settings: Settings) -> Side:
    from worker.cli.services import open_store
    from worker.cli.sides import of_pairs
    from worker.store import PairFilter

    which = PairFilter(
        model=name if key == "model" else None,
        fingerprint=name if key == "fingerprint" else None,
        since=datetime.now(UTC) - age,
    )
    async with open_store(settings) as store:
        return of_pairs(await store.pairs(which), score)


def _refuse_ids_of_two_answers(baseline: Side, candidate: Side, *, with_labels: bool) -> None:
    """One label cannot be that of two answers."""
    if not with_labels:
        return
    for dataset in baseline.keys() & candidate.keys():
        both = baseline[dataset].keys() & candidate[dataset].keys()
        for name in sorted(both):
            if baseline[dataset][name].response_sha256 != candidate[dataset][name].response_sha256:
                raise WrongUse(f"{name} ({dataset}) stands for two answers; give the candidate's an id and a label of its own")
