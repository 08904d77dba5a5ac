"""`groundwatch db`: the database schema."""

import asyncio

import typer

from worker.cli.options import Json, settings_of
from worker.cli.output import print_json


def create_group() -> typer.Typer:
    """The `db` commands."""
    group = typer.Typer(help="The database schema.", no_args_is_help=True, rich_markup_mode=None, epilog="Example: groundwatch db upgrade")
    group.callback()(lambda: None)
    group.command("upgrade", epilog="Example: groundwatch db upgrade --config groundwatch.yaml")(_upgrade)
    return group


def _upgrade(context: typer.Context, as_json: Json = False) -> None:
    """Bring the database to this version's schema. Safe to repeat."""
    from worker.store.migration import upgrade

    applied = [str(name) for name in asyncio.run(upgrade(settings_of(context).store)) or ()]
    if as_json:
        print_json({"applied": applied})
    else:
        print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
