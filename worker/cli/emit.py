"""`groundwatch emit`: publish events from a file or a labelled data set."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, settings_of
from worker.cli.output import note, print_json, progress

if TYPE_CHECKING:
    from schemas import LabelEvent, Limits, ResponseEvent
    from worker.cli.lines import Reject
    from worker.kafka import Message
    from worker.settings import Settings, Topics

_IN_FLIGHT = 500
"""Messages sent before their acknowledgements are awaited."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    example = "Examples: groundwatch emit events.jsonl · groundwatch emit --dataset ragtruth data/ragtruth"
    app.command("emit", epilog=f"{example}.  {GLOBAL_NOTE}")(_emit)


def _emit(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|DIR",
            help="Events, one JSON object a line (- reads stdin); with --dataset its directory.",
        ),
    ],
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="Read DIR as this labelled data set.")] = None,
    as_json: Json = False,
) -> None:
    """Publish responses and labels.

    Lines that are no event are named on stderr, not sent, and make it exit 1.
    """
    from worker.cli.lines import require_file

    settings = settings_of(context)
    rejects: list[Reject] = []
    if dataset is None:
        require_file(source)
        messages: Iterable[Message] = _from_file(source, settings.kafka.topics, settings.limits, rejects)
    else:
        messages = _from_dataset(dataset, source, settings.kafka.topics)
    counts = asyncio.run(_publish(settings, messages))
    for reject in rejects:
        note(f"line {reject.line}: {reject.field or 'the line'} {reject.reason}")
    summary = counts | {"rejected": len(rejects)}
    print_json(summary) if as_json else print(", ".join(f"{name}: {count:,}" for name, count in summary.items()))
    if rejects:
        raise typer.Exit(1)


async def _publish(settings: Settings, messages: Iterable[Message]) -> dict[str, int]:
    """Messages a topic. Returns once the brokers have acknowledged every one of them."""
    from worker.topics import open_producer

    counts = {settings.kafka.topics.responses: 0, settings.kafka.topics.labels: 0}
    pending: list[Any] = []
    with progress("publishing", None) as advance:
        async with open_producer(settings.kafka, settings.limits) as producer:
            for message in messages:
                pending.append(await producer.send(message.topic, message.value, key=message.key))
                counts[message.topic] += 1
                advance(1)
                if len(pending) >= _IN_FLIGHT:
                    await asyncio.gather(*pending)
                    pending.clear()
            await asyncio.gather(*pending)
    return counts


def _from_file(source: Path, topics: Topics, limits: Limits, rejects: list[Reject]) -> Iterator[Message]:
    """Lines as they stand: what the worker reads is what the file holds."""
    from schemas import InvalidEvent, decode_label, decode_response
    from worker.cli.lines import Reject, open_input, read_lines
    from worker.kafka import Message

    with open_input(source) as stream:
        for number, value in read_lines(stream, limits.message_bytes):
            decode, topic = (decode_label, topics.labels) if _is_label(value) else (decode_response, topics.responses)
            try:
                event = decode(value, (), limits)
            except InvalidEvent as invalid:
                rejects.append(Reject(number, invalid.field, invalid.reason))
                continue
            yield Message(topic=topic, key=event.response_id.encode(), value=value)


def _from_dataset(name: str, directory: Path, topics: Topics) -> Iterable[Message]:
    from benchmarks import datasets

    if name not in datasets.NAMES:
        raise WrongUse(f"{name} is not a known data set; known are {', '.join(sorted(datasets.NAMES))}")
    return _as_messages(datasets.load(name, directory), topics)


def _as_messages(events: Iterable[tuple[ResponseEvent, LabelEvent]], topics: Topics) -> Iterator[Message]:
    from schemas import encode
    from worker.kafka import Message

    for response, label in events:
        yield Message(topic=topics.responses, key=response.response_id.encode(), value=encode(response))
        yield Message(topic=topics.labels, key=label.response_id.encode(), value=encode(label))


def _is_label(value: bytes) -> bool:
    """A label says `label` and holds no answer."""
    import orjson

    from schemas.aliases import LABEL_NAMES, RESPONSE_NAMES

    try:
        payload = orjson.loads(value)
    except orjson.JSONDecodeError:
        return False
    return (
        isinstance(payload, dict)
        and any(map(payload.__contains__, LABEL_NAMES["label"]))
        and not any(map(payload.__contains__, RESPONSE_NAMES["response"]))
    )
