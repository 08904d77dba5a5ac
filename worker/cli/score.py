"""`groundwatch score`: a file of answers in, decisions out, without any service."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, scorer_of, settings_of


class Format(StrEnum):
    """The shape of the decisions."""

    GROUNDWATCH = "groundwatch"
    OTEL = "otel"
    OPENINFERENCE = "openinference"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score", epilog=f"Example: groundwatch score answers.jsonl --out decisions.jsonl --profile seed.  {GLOBAL_NOTE}")(_score)


def _score(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(metavar="IN.jsonl", help="Answers, one JSON object a line; - reads stdin."),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", dir_okay=False, allow_dash=True, help="Where the decisions go, one a line; - is stdout.")
    ] = Path("-"),
    rejects: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where lines without a decision are named. [default: IN.rejects.jsonl, only when there are any]",
        ),
    ] = None,
    profile: Annotated[str | None, typer.Option(help="Detector profile, by name or file.")] = None,
    shape: Annotated[Format, typer.Option("--format", help="Shape of the decisions.")] = Format.GROUNDWATCH,
    as_json: Json = False,
) -> None:
    """Judge a file of answers. Every non-empty line gives one decision or one named reject, in order.

    The same answer under a response_id that came before is passed over and counted; another one is a reject.
    Exit 0 without rejects, 1 when there were some. The summary goes to stderr (as JSON with --json).
    """
    from worker.cli.lines import require_file
    from worker.cli.scoring import Paths, score_file

    require_file(source)
    settings = settings_of(context)
    paths = Paths(source, out, rejects or _default_rejects(source))
    for path in (paths.out, paths.rejects):
        if path != Path("-") and path.exists() and source.exists() and path.samefile(source):
            raise WrongUse(f"{path} is the input; name another file")
    tally = score_file(paths, scorer_of(settings, profile), settings.limits, shape.value, lines=not as_json)
    tally.report(as_json=as_json)
    if tally.rejects:
        raise typer.Exit(1)


def _default_rejects(source: Path) -> Path:
    """Beside the input; standard input has no place, so its rejects go to stderr."""
    return source if source == Path("-") else source.with_name(f"{source.name.removesuffix('.jsonl')}.rejects.jsonl")
