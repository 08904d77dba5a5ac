"""`groundwatch topics`: the topics on the broker."""

import asyncio

import typer

from worker.cli.options import Json, settings_of
from worker.cli.output import note, print_json, print_table


def create_group() -> typer.Typer:
    """The `topics` commands."""
    group = typer.Typer(
        help="The topics on the broker.", no_args_is_help=True, rich_markup_mode=None, epilog="Example: groundwatch topics create"
    )
    group.command("create", epilog="Example: groundwatch topics create --set kafka.partitions=12 --set kafka.replication_factor=3")(_create)
    group.command("list", epilog="Example: groundwatch topics list --json")(_list)
    return group


def _create(context: typer.Context, as_json: Json = False) -> None:
    """Make the topics that are absent.

    Those that exist stay as they are, so it is safe to repeat.
    """
    from worker.topics import create_topics

    settings = settings_of(context)
    states = asyncio.run(create_topics(settings.kafka, settings.limits))
    if as_json:
        print_json([vars(state) for state in states])
    else:
        print_table(["topic", "partitions", "state"], [(state.name, state.partitions, state.state) for state in states], empty="")
    for state in states:
        if state.state == "too_few_partitions":
            note(
                f"warning: {state.name} has {state.partitions} partitions, fewer than kafka.partitions = {settings.kafka.partitions}; "
                "add some with kafka-topics --alter (their keys are then spread anew)"
            )


def _list(context: typer.Context, as_json: Json = False) -> None:
    """List the six topics.

    With their partitions. Exit 1 when one is absent.
    """
    from worker.topics import topic_partitions

    kafka = settings_of(context).kafka
    present = asyncio.run(topic_partitions(kafka))
    rows = [(name, present.get(name)) for name in kafka.topics.all()]
    if as_json:
        print_json([{"name": name, "partitions": partitions} for name, partitions in rows])
    else:
        print_table(
            ["topic", "partitions"],
            [(name, partitions or "absent: run `groundwatch topics create`") for name, partitions in rows],
            empty="",
        )
    if not all(partitions for _, partitions in rows):
        raise typer.Exit(1)
