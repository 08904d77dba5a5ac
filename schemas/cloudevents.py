"""CloudEvents 1.0 on Kafka, both content modes (CloudEvents Kafka protocol binding)."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

from schemas.invalid import InvalidEvent

Headers = Sequence[tuple[str, bytes | None]]
"""Kafka headers as the client gives them; a value may be absent."""


def is_structured(headers: Headers) -> bool:
    """True when the whole event, envelope and data, stands in the message value."""
    content_types = (value for name, value in headers if name.lower() == "content-type" and value is not None)
    return any(value.lower().startswith(b"application/cloudevents") for value in content_types)


def open_envelope(payload: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The data and the defaults (id, time and subject) of a structured event.

    Raises InvalidEvent when the envelope is broken or its major version is not 1.
    """
    _check_version(payload.get("specversion"))
    if "data_base64" in payload:
        try:
            data: Any = base64.b64decode(payload["data_base64"], validate=True)
        except (binascii.Error, TypeError, ValueError) as broken:
            raise InvalidEvent("data_base64", "is not base64") from broken
    elif "data" in payload:
        data = payload["data"]
    else:
        raise InvalidEvent("data", "the CloudEvent carries no data")
    return data, _defaults(payload)


def binary_defaults(headers: Headers) -> dict[str, Any]:
    """The defaults that a binary-mode event's `ce_*` headers give; empty when it is no CloudEvent."""
    attributes = {name[3:]: value.decode("utf-8", "replace") for name, value in headers if name.startswith("ce_") and value is not None}
    if not attributes:
        return {}
    _check_version(attributes.get("specversion"))
    return _defaults(attributes)


def _check_version(version: object) -> None:
    if not isinstance(version, str) or version.split(".")[0] != "1":
        raise InvalidEvent("specversion", "is not a CloudEvents 1.x version")


def _defaults(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """A subject need not be a person's id; one that cannot be is no fault of the event."""
    time, subject = attributes.get("time"), attributes.get("subject")
    named = isinstance(subject, str) and len(subject) <= 256 and subject.isprintable()
    given = {"id": attributes.get("id"), "created_at": time, "labelled_at": time, "ce_subject": subject if named else None}
    return {name: value for name, value in given.items() if value is not None}
