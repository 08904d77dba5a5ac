"""`groundwatch labels`: who said what of an answer, how far they agree, and what is to be decided by someone who weighs more."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.options import Json, settings_of
from worker.cli.output import print_json, print_table, say
from worker.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas import LabelEvent
    from worker.measurement.agreement import Agreement, Raters
    from worker.measurement.rating import Dispute, Rating
    from worker.settings import Settings

Hours = Annotated[float | None, typer.Option(min=0.01, max=876_000, help="Answers labelled in the last so many hours; all without it.")]
OfSegment = Annotated[str | None, typer.Option("--segment", metavar="DATASET/MODEL", help="This segment only.")]

_SAYS = {0: "hallucinated", 1: "grounded", None: "unsure"}


class Says(StrEnum):
    """A label as it is typed."""

    HALLUCINATED = "0"
    GROUNDED = "1"
    UNSURE = "unsure"


def create_group() -> typer.Typer:
    """The `labels` commands."""
    group = typer.Typer(
        help="What people and judges say of answers.",
        no_args_is_help=True,
        rich_markup_mode=None,
        epilog="Example: groundwatch labels disputed --hours 168",
    )
    group.command("show", epilog="Example: groundwatch labels show a-17")(_show)
    group.command("agreement", epilog="Example: groundwatch labels agreement --hours 720 --segment travel/gpt-x")(_agreement)
    group.command("disputed", epilog="Example: groundwatch labels disputed --hours 168")(_disputed)
    group.command("give", epilog="Example: groundwatch labels give a-17 0 --annotator jo")(_give)
    return group


def _show(context: typer.Context, response_id: Annotated[str, typer.Argument(metavar="RESPONSE")], as_json: Json = False) -> None:
    """Every label that a response was ever given, the one that counts first."""
    found = asyncio.run(_labels_of(settings_of(context), response_id))
    if not found:
        raise NotFound(f"response {response_id} has no label; `groundwatch labels give` gives one")
    if as_json:
        print_json([one._asdict() for one in found])
    else:
        rows = [(_SAYS[one.label], one.source, one.annotator, f"{one.labelled_at:%Y-%m-%d %H:%M:%S}", one is found[0]) for one in found]
        print_table(("label", "source", "annotator", "given at", "counts"), rows, empty="")


def _agreement(context: typer.Context, hours: Hours = None, segment: OfSegment = None, as_json: Json = False) -> None:
    """How far those who labelled the same answers agree beyond chance: Fleiss' kappa of all, Cohen's of any two, with 95 % intervals.

    A rater is a source and an annotator, so that judges are held against people too. The latest label of each counts; unsure is none.
    """
    from worker.measurement.agreement import between

    found = between(asyncio.run(_ratings(settings_of(context), hours, segment)))
    if as_json:
        two = [{"raters": pair, **one.model_dump(mode="json")} for pair, one in found.two.items()]
        print_json({"all": found.all.model_dump(mode="json"), "two": two})
    else:
        print_table(("raters", "answers", "agree", "kappa", "95 % interval"), _agreement_rows(found), empty="")


def _agreement_rows(found: Raters) -> list[tuple[object, ...]]:
    named = [("all (Fleiss)", found.all), *((" and ".join(pair), one) for pair, one in found.two.items())]
    return [(name, one.items, one.observed, one.reason if one.kappa is None else one.kappa, _interval(one)) for name, one in named]


def _interval(one: Agreement) -> str | None:
    return None if one.low is None or one.high is None else f"{one.low:.3f} – {one.high:.3f}"


def _disputed(
    context: typer.Context,
    hours: Hours = None,
    segment: OfSegment = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Most answers.")] = 100,
    as_json: Json = False,
) -> None:
    """Answers on which the weightiest source disagrees with itself, or cannot tell: for someone to adjudicate, the latest first.

    `groundwatch labels give` decides: its source, adjudication, weighs more than any other unless labels.precedence says otherwise.
    """
    from worker.measurement.rating import disputes

    found = disputes(asyncio.run(_ratings(settings_of(context), hours, segment)))[:limit]
    if as_json:
        print_json([{**one._asdict(), "ratings": [rating._asdict() for rating in one.ratings]} for one in found])
    else:
        print_table(("response", "why", "labels"), [_dispute_row(one) for one in found], empty="nothing is disputed")


def _dispute_row(one: Dispute) -> tuple[object, ...]:
    return one.response_id, one.why, ", ".join(f"{rating.rater} {_SAYS[rating.label]}" for rating in one.ratings)


def _give(
    context: typer.Context,
    response_id: Annotated[str, typer.Argument(metavar="RESPONSE")],
    label: Annotated[Says, typer.Argument(help="1: grounded, 0: hallucinated, or unsure.")],
    annotator: Annotated[str, typer.Option(metavar="NAME", help="Who says so.")],
    source: Annotated[str, typer.Option(help="What it counts as; labels.precedence says which source weighs how much.")] = "adjudication",
    as_json: Json = False,
) -> None:
    """Publish a label for a response, as from now."""
    from pydantic import ValidationError

    from schemas import LabelEvent
    from schemas.faults import first_fault
    from worker.cli.options import WrongUse

    value = label.value if label is Says.UNSURE else int(label)
    try:
        event = LabelEvent.model_validate(
            {"response_id": response_id, "label": value, "source": source, "annotator": annotator, "labelled_at": datetime.now(UTC)}
        )
    except ValidationError as wrong:
        fault = first_fault(wrong)
        raise WrongUse(f"{'.'.join(map(str, fault.place))} {fault.reason}") from None
    asyncio.run(_publish(settings_of(context), event))
    if as_json:
        print_json(event.model_dump(mode="json"))
    else:
        say(f"{response_id} is {_SAYS[event.sure]}, says {annotator}; `groundwatch labels show` knows it once a worker has read it")


async def _labels_of(settings: Settings, response_id: str) -> Sequence[Rating]:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await store.labels_of(response_id)


async def _ratings(settings: Settings, hours: float | None, segment: str | None) -> Sequence[Rating]:
    from worker.cli.period import NO_LABEL
    from worker.cli.services import chosen, open_store

    since = None if hours is None else datetime.now(UTC) - timedelta(hours=hours)
    async with open_store(settings) as store:
        one = chosen(await store.segments(), segment, NO_LABEL)[0] if segment is not None else None
        return await store.ratings(since, one)


async def _publish(settings: Settings, event: LabelEvent) -> None:
    from schemas import encode
    from worker.topics import open_producer

    async with open_producer(settings.kafka, settings.limits) as producer:
        await (await producer.send(settings.kafka.topics.labels, encode(event), key=event.response_id.encode()))
