"""`groundwatch regress`: known cases before and after a change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.options import Json, settings_of
from worker.cli.output import note, print_json, say

if TYPE_CHECKING:
    from worker.gate.regression import Case

_Decisions = Annotated[Path, typer.Argument(metavar="DECISIONS.jsonl", help="Decisions on the cases, as `groundwatch score` writes them.")]
_Baseline = Annotated[Path, typer.Option(metavar="FILE.json", dir_okay=False, help="What is known of the cases.")]


def create_group() -> typer.Typer:
    """The `regress` commands."""
    example = "Example: groundwatch score cases.jsonl --out now.jsonl && groundwatch regress check now.jsonl --baseline baseline.json"
    group = typer.Typer(help="Known cases before and after a change.", no_args_is_help=True, rich_markup_mode=None, epilog=example)
    group.command("record", epilog="Example: groundwatch regress record decisions.jsonl --baseline baseline.json")(_record)
    group.command("check", epilog="Example: groundwatch regress check decisions.jsonl --baseline baseline.json")(_check)
    return group


def _record(context: typer.Context, decisions: _Decisions, baseline: _Baseline) -> None:
    """Write the cases' scores and decisions down as the baseline."""
    from worker.gate.regression import write_baseline

    cases = _cases(context, decisions)
    write_baseline(baseline, cases)
    note(f"{len(cases):,} cases written to {baseline}")


def _check(
    context: typer.Context,
    decisions: _Decisions,
    baseline: _Baseline,
    delta: Annotated[float, typer.Option(min=0, max=1, help="By how much a score may change.")] = 0.05,
    as_json: Json = False,
) -> None:
    """Compare the cases with the baseline: what fell, what rose, what is decided otherwise.

    Exit 1 when a score fell by more than --delta or went away, or a case is missing: the change must not go out.
    """
    from worker.cli.lines import require_file
    from worker.gate import regression

    require_file(baseline)
    found = regression.compare(regression.read_baseline(baseline), _cases(context, decisions), delta)
    if as_json:
        print_json(regression.as_json(found))
    else:
        for line in regression.describe(found):
            say(line)
    if found.blocked:
        raise typer.Exit(1)


def _cases(context: typer.Context, decisions: Path) -> dict[str, Case]:
    from worker.cli.sides import read_cases

    return read_cases(decisions, settings_of(context).limits)
