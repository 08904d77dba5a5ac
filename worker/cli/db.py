"""`groundwatch db`: the database schema, and who may do what with it."""

import asyncio
from typing import Annotated

import typer

from worker.cli.options import Json, WrongUse, settings_of
from worker.cli.output import print_json


def create_group() -> typer.Typer:
    """The `db` commands."""
    group = typer.Typer(help="The database schema.", no_args_is_help=True, rich_markup_mode=None, epilog="Example: groundwatch db upgrade")
    group.callback()(lambda: None)
    group.command("upgrade", epilog="Example: groundwatch db upgrade --config groundwatch.yaml")(_upgrade)
    group.command("grant", epilog="Example: groundwatch db grant --writer groundwatch --reviewer rita --reader dashboards")(_grant)
    return group


def _upgrade(context: typer.Context, as_json: Json = False) -> None:
    """Bring the database to this version's schema. Safe to repeat."""
    from worker.store.migration import upgrade

    applied = [str(name) for name in asyncio.run(upgrade(settings_of(context).store)) or ()]
    if as_json:
        print_json({"applied": applied})
    else:
        print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")


def _grant(
    context: typer.Context,
    writer: Annotated[str | None, typer.Option(metavar="ROLE", help="Adds, deletes what has expired, reads no text back.")] = None,
    reviewer: Annotated[str | None, typer.Option(metavar="ROLE", help="Reads texts too, writes labels, replays dead letters.")] = None,
    reader: Annotated[str | None, typer.Option(metavar="ROLE", help="Reads all that holds no person's text.")] = None,
    eraser: Annotated[str | None, typer.Option(metavar="ROLE", help="Erases a person's texts, without reading answers.")] = None,
    promoter: Annotated[str | None, typer.Option(metavar="ROLE", help="A reader that makes a challenger the champion.")] = None,
    as_json: Json = False,
) -> None:
    """Give roles that exist what they need on the tables, and take away what they have beyond.

    Connect as the owner of the schema: who ran `db upgrade`. Run it again after an upgrade. Safe to repeat.
    """
    from worker.store.roles import Kind, grant

    named: dict[Kind, str | None] = {"writer": writer, "reviewer": reviewer, "reader": reader, "eraser": eraser, "promoter": promoter}
    roles = {kind: role for kind, role in named.items() if role}
    if not roles:
        raise WrongUse("name at least one role with --writer, --reviewer, --reader, --eraser or --promoter")
    if len(set(roles.values())) < len(roles):
        raise WrongUse("a role is of one kind: what one kind may, is taken from it as the other; name a role for each")
    asyncio.run(grant(settings_of(context).store, roles))
    if as_json:
        print_json({"granted": roles})
    else:
        print("\n".join(f"{role} is {kind}" for kind, role in roles.items()))
