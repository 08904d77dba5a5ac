"""Bytes to models and back. The only place that parses a message."""

import base64
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import orjson
from pydantic import ValidationError

from schemas.aliases import LABEL_NAMES, RESPONSE_NAMES, Names, canonical
from schemas.base import SCHEMA_VERSION, Model, Versioned
from schemas.cloudevents import Headers, binary_defaults, is_structured, open_envelope
from schemas.dead_letter import DeadLetter
from schemas.faults import first_fault
from schemas.invalid import InvalidEvent
from schemas.label import LabelEvent
from schemas.limits import Limits
from schemas.response import ResponseEvent

E = TypeVar("E", bound=Versioned)


class Identity(NamedTuple):
    """Whom a message concerns; None for what it does not tell."""

    response_id: str | None
    subject: str | None


_MAJOR = SCHEMA_VERSION.split(".", maxsplit=1)[0]


def encode(model: Model) -> bytes:
    """`model` as JSON. The same model gives the same bytes."""
    return model.model_dump_json().encode()


def decode_response(value: bytes | None, headers: Headers = (), limits: Limits = Limits()) -> ResponseEvent:  # noqa: B008 - frozen
    """The response event in a message. Raises InvalidEvent, naming field and reason."""
    event = _model(ResponseEvent, _payload(value, headers, limits, RESPONSE_NAMES))
    _check_limits(event, limits)
    return event


def decode_label(value: bytes | None, headers: Headers = (), limits: Limits = Limits()) -> LabelEvent:  # noqa: B008 - frozen
    """The label event in a message. Raises InvalidEvent, naming field and reason."""
    return _model(LabelEvent, _payload(value, headers, limits, LABEL_NAMES))


def identity(letter: DeadLetter) -> Identity:
    """Whom a message concerns that could not be processed, as far as it can be read. Never raises."""
    try:
        headers = [(name, base64.b64decode(value)) for name, value in letter.headers]
        payload = _payload(letter.original, headers, Limits(), RESPONSE_NAMES)
    except Exception:  # it is a dead letter already, for whatever reason
        return Identity(None, None)
    return Identity(_name(payload.get("response_id")), _name(payload.get("subject")))


def _name(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and len(str(value)) <= 256 else None


def _payload(value: bytes | None, headers: Headers, limits: Limits, names: Names) -> dict[str, Any]:
    if value is None:
        raise InvalidEvent("", "a tombstone: the message has no value")
    if len(value) > limits.message_bytes:
        raise InvalidEvent("", f"the message has {len(value):,} bytes; at most {limits.message_bytes:,} are read")
    if is_structured(headers):
        payload, defaults = open_envelope(_object(_parse(value)))
        if isinstance(payload, bytes):
            payload = _parse(payload)
    else:
        payload, defaults = _parse(value), binary_defaults(headers)
    return canonical({**defaults, **_object(payload)}, names)


def _parse(value: bytes) -> Any:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as broken:
        raise InvalidEvent("", f"is not JSON: {broken.msg} at line {broken.lineno} column {broken.colno}") from broken


def _object(payload: Any) -> Mapping[str, Any]:
    if not isinstance(payload, Mapping):
        raise InvalidEvent("", f"a JSON object is expected, this is {type(payload).__name__}")
    return payload


def _model(kind: type[E], payload: dict[str, Any]) -> E:
    _check_version(payload.get("schema_version", SCHEMA_VERSION))
    try:
        return kind.model_validate(payload)
    except ValidationError as invalid:
        place, reason = first_fault(invalid)
        path = place[:-2] + place[-1:] if place[-1:] == ("[key]",) else place  # a key may be anything
        raise InvalidEvent(".".join(map(str, path)), reason) from None


def _check_version(version: object) -> None:
    if not isinstance(version, str):
        raise InvalidEvent("schema_version", "must be a string such as " + repr(SCHEMA_VERSION))
    if version.split(".")[0] != _MAJOR:
        raise InvalidEvent("schema_version", f"is of an unknown major version; this reads {_MAJOR}.x")


def _check_limits(event: ResponseEvent, limits: Limits) -> None:
    if len(event.contexts) > limits.contexts:
        raise InvalidEvent("contexts", f"holds {len(event.contexts):,} contexts; at most {limits.contexts:,} are read")
    if len(event.response) > limits.response_chars:
        raise InvalidEvent("response", f"has {len(event.response):,} characters; at most {limits.response_chars:,} are read")
    for index, context in enumerate(event.contexts):
        if len(context) > limits.context_chars:
            raise InvalidEvent(f"contexts.{index}", f"has {len(context):,} characters; at most {limits.context_chars:,} are read")
    if len(event.attributes) > limits.attributes:
        raise InvalidEvent("attributes", f"holds {len(event.attributes):,} entries; at most {limits.attributes:,} are read")
