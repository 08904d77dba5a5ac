"""`groundwatch schema`: the messages, described for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from worker.cli.options import Json
from worker.cli.output import print_json


def create_group() -> typer.Typer:
    """The `schema` commands."""
    group = typer.Typer(
        help="Descriptions of every message.",
        no_args_is_help=True,
        rich_markup_mode=None,
        epilog="Example: groundwatch schema export docs/schemas",
    )
    group.command("export", epilog="Example: groundwatch schema export docs/schemas")(_export)
    return group


def _export(
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help="Where to write them; without it, they are printed as one JSON object by file name.", file_okay=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a JSON Schema per message and an AsyncAPI document."""
    from schemas.export import documents, write_documents

    if directory is None:
        print_json(dict(documents()))
        return
    written = [str(path) for path in write_documents(directory)]
    print_json({"written": written}) if as_json else print("\n".join(written))
