"""`groundwatch worker`: judge the stream."""

from enum import StrEnum
from typing import Annotated

import typer

from worker.cli.options import GLOBAL_NOTE, Json, settings_of


class Role(StrEnum):
    """A half of the worker."""

    TRIAGE = "triage"
    MONITOR = "monitor"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("worker", epilog=f"Example: groundwatch worker --role triage --config groundwatch.yaml.  {GLOBAL_NOTE}")(_worker)


def _worker(
    context: typer.Context,
    role: Annotated[list[Role] | None, typer.Option(help="Run this role only. Without it, both.")] = None,
    as_json: Json = False,
) -> None:
    """Judge the stream until told to stop.

    Logs are JSON lines on stderr, with or without --json. Exit 1 when it ends by itself.
    """
    from worker.run import run_worker

    run_worker(settings_of(context), tuple(one.value for one in role or list(Role)))
