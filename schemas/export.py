"""JSON Schema and AsyncAPI documents, generated from the models."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic.json_schema import models_json_schema

from schemas.auroc import AurocSnapshot
from schemas.base import SCHEMA_VERSION, Versioned
from schemas.dead_letter import DeadLetter
from schemas.decision import Decision
from schemas.label import LabelEvent
from schemas.pair import Pair
from schemas.response import ResponseEvent

GENERATED: Final = Path(__file__).parent / "generated"
"""Where the documents of this version stand."""

CHANNELS: Final[Mapping[str, tuple[str, type[Versioned], str, str]]] = {
    "responses": ("llm.responses", ResponseEvent, "receive", "the response id"),
    "labels": ("llm.labels", LabelEvent, "receive", "the response id"),
    "decisions": ("llm.decisions", Decision, "send", "the response id"),
    "pairs": ("llm.pairs", Pair, "send", "the segment"),
    "auroc": ("llm.auroc", AurocSnapshot, "send", "the segment"),
    "deadLetters": ("llm.dead-letters", DeadLetter, "send", "the key of the message that failed"),
}
"""Channel → default topic, model, what groundwatch does there, and what the message key is."""

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_CLOUD_EVENT: Final = {
    "type": "object",
    "description": "CloudEvents 1.0 attributes, in binary mode. All are optional: a message without them is read as it stands.",
    "properties": {
        "ce_specversion": {"type": "string", "pattern": r"^1(\.|$)"},
        "ce_id": {"type": "string", "description": "Stands in for an absent response_id of a response."},
        "ce_source": {"type": "string", "format": "uri-reference"},
        "ce_type": {"type": "string"},
        "ce_subject": {"type": "string", "description": "Stands in for an absent subject of a response."},
        "ce_time": {"type": "string", "format": "date-time", "description": "Stands in for an absent created_at or labelled_at."},
        "content-type": {"type": "string", "description": "application/cloudevents+json when the value is a structured CloudEvent."},
    },
}


def write_documents(directory: Path) -> list[Path]:
    """Write every document into `directory`, made if absent; returns the paths. Raises OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    return [_write(directory / name, document) for name, document in documents()]


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each document with its file name: one JSON Schema a model, and `asyncapi.json`."""
    for _, model, action, _ in CHANNELS.values():
        yield f"{model.__name__}.json", {"$schema": _DIALECT, **model.model_json_schema(mode=_mode(action))}
    yield "asyncapi.json", asyncapi()


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 description of the six topics, as groundwatch sees them: it receives responses and labels and sends the rest."""
    _, definitions = models_json_schema(
        [(model, _mode(action)) for _, model, action, _ in CHANNELS.values()], ref_template="#/components/schemas/{model}"
    )
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "groundwatch",
            "version": SCHEMA_VERSION,
            "description": "Judges every answer of a RAG system: responses and labels in; decisions, pairs, AUROC and dead letters out.",
        },
        "defaultContentType": "application/json",
        "channels": {channel: _channel(topic, model) for channel, (topic, model, _, _) in CHANNELS.items()},
        "operations": {
            f"{action}{channel[0].upper()}{channel[1:]}": {"action": action, "channel": {"$ref": f"#/channels/{channel}"}}
            for channel, (_, _, action, _) in CHANNELS.items()
        },
        "components": {
            "schemas": definitions["$defs"],
            "messages": {model.__name__: _message(model, action, key) for _, model, action, key in CHANNELS.values()},
        },
    }


def _channel(topic: str, model: type[Versioned]) -> dict[str, Any]:
    name = model.__name__
    return {"address": topic, "description": _summary(model), "messages": {name: {"$ref": f"#/components/messages/{name}"}}}


def _message(model: type[Versioned], action: str, key: str) -> dict[str, Any]:
    message = {
        "name": model.__name__,
        "summary": _summary(model),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
        "bindings": {"kafka": {"key": {"type": "string", "description": key}, "bindingVersion": "0.5.0"}},
    }
    return message | ({"headers": _CLOUD_EVENT} if action == "receive" else {})


def _mode(action: str) -> Any:
    """What is received may leave defaults out; what is sent holds every field."""
    return "validation" if action == "receive" else "serialization"


def _summary(model: type[Versioned]) -> str:
    return (model.__doc__ or "").splitlines()[0]


def _write(path: Path, document: Mapping[str, Any]) -> Path:
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return path
