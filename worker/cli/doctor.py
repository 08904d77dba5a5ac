"""`groundwatch doctor`: whether everything that groundwatch needs is there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from worker.cli.options import GLOBAL_NOTE, Json, load
from worker.cli.output import print_json
from worker.errors import ConfigurationError

if TYPE_CHECKING:
    from worker.checks import Check

_STYLES = {"ok": typer.colors.GREEN, "warning": typer.colors.YELLOW, "failed": typer.colors.RED}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", epilog=f"Example: groundwatch doctor --config groundwatch.yaml.  {GLOBAL_NOTE}")(_doctor)


def _doctor(context: typer.Context, as_json: Json = False) -> None:
    """Check that all that is needed is there.

    Configuration, models, broker, topics and database: one line each, with how to mend it. Exit 1 when a check failed.
    """
    checks = asyncio.run(_examine(context))
    if as_json:
        print_json([vars(check) for check in checks])
    else:
        for check in checks:
            typer.echo(f"{typer.style(f'{check.status:8}', fg=_STYLES[check.status])}{check.name:14}{check.detail}")
    if any(check.status == "failed" for check in checks):
        raise typer.Exit(1)


async def _examine(context: typer.Context) -> list[Check]:
    from worker.checks import Check, check_all

    try:
        settings = load(context)
    except ConfigurationError as wrong:
        return [Check(name="configuration", status="failed", detail=str(wrong))]
    return await check_all(settings)
