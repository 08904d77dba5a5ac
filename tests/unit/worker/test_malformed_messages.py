"""Whatever bytes come, reading them gives an event or a dead letter that says what is wrong without quoting it, and soon."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from schemas import DeadLetter, InvalidEvent, Limits, decode_label, decode_response
from tests.unit.worker.factories import NOW, TOPICS, Received
from tests.unit.worker.malformed import LABEL, PRIVATE, RESPONSE, deep, fixed, malformed
from worker.intake import Decode, read

MESSAGES = 10_000
SECONDS = 0.5
"""Longest for one message, of CPU; it takes half a millisecond as a rule."""
KINDS: list[tuple[Decode[Any], Mapping[str, Any], str]] = [
    (decode_response, RESPONSE, TOPICS.responses),
    (decode_label, LABEL, TOPICS.labels),
]
HEADERS: Sequence[Sequence[tuple[str, bytes | None]]] = [
    (),
    [("ce_specversion", b"1.0"), ("ce_id", b"\xff\xfe"), ("ce_time", b"9" * 5000), ("ce_subject", PRIVATE.encode() * 100)],
    [("ce_specversion", b"2.0")],
    [("ce_id", None), ("ce_", b""), ("", b""), ("\x00", b"\x00")],
    [("content-type", b"application/cloudevents+json; charset=utf-16")],
    [("Content-Type", b"APPLICATION/CLOUDEVENTS"), ("content-type", b"\xff")],
    [("content-type", None), ("ce_specversion", b"1." + b"0" * 100_000)],
    [("h", b"x")] * 5_000,
]
ENVELOPES = [
    b'{"specversion": "1.0", "data": %s}' % deep(b"[", b"]", 500),
    b'{"specversion": "1.0", "data_base64": "%s"}' % (b"A" * 4_000_001),
    b'{"specversion": "1.0", "data_base64": {"x": 1}}',
    b'{"specversion": "1.0", "data_base64": "%s"}' % b"Wy0w",
    b'{"specversion": 1.0, "data": {}}',
    b'{"specversion": "1.0"}',
    b'{"specversion": "1.0", "id": {}, "time": [], "subject": 5, "data": {"response": 1}}',
]


def outcome(decode: Decode[Any], message: Received) -> object:
    """What reading gives, checked for what holds of all."""
    began = time.thread_time()
    result = read(message, decode, Limits(), NOW)
    assert time.thread_time() - began < SECONDS
    if isinstance(result, DeadLetter):
        assert result.reason and PRIVATE not in result.reason + result.field
        assert "could not be decoded" not in result.reason, result.reason
        assert (result.field + result.reason).isprintable() and len(result.field) <= 256 and len(result.reason) < 500
        assert (result.kind == "invalid") == bool(result.field)
    return result


@pytest.mark.parametrize(("decode", "valid", "topic"), KINDS, ids=["responses", "labels"])
def test_ten_thousand_malformed_messages_are_dead_letters_or_events(decode: Decode[Any], valid: Mapping[str, Any], topic: str) -> None:
    refused = 0
    for value in malformed(valid):
        refused += isinstance(outcome(decode, Received(value, topic=topic)), DeadLetter)
        if refused == MESSAGES:
            break


@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
@pytest.mark.parametrize(("decode", "valid", "topic"), KINDS, ids=["responses", "labels"])
def test_headers_may_hold_anything(decode: Decode[Any], valid: Mapping[str, Any], topic: str, headers: Any) -> None:
    for value in [*fixed(valid), *ENVELOPES]:
        outcome(decode, Received(value, topic=topic, headers=headers))


def test_a_message_is_read_up_to_its_limit_and_not_beyond() -> None:
    limit = Limits().message_bytes
    start, end = b'{"response_id": "r", "response": "', b'", "contexts": []}'
    at_limit = start + b"x" * 3_900_000 + b'", "x": "' + b"y" * (limit - 3_900_000 - len(start + end) - 9) + end
    assert len(at_limit) == limit
    assert not isinstance(outcome(decode_response, Received(at_limit)), DeadLetter)
    beyond = outcome(decode_response, Received(at_limit + b" "))
    assert isinstance(beyond, DeadLetter) and "bytes; at most" in beyond.reason
    assert isinstance(outcome(decode_response, Received(b"[" * 10_000_000)), DeadLetter)


def test_a_reason_quotes_no_key() -> None:
    with pytest.raises(InvalidEvent) as refused:
        decode_response(b'{"response_id": "r", "response": "x", "contexts": [], "attributes": {"%s\\u0000": "x"}}' % PRIVATE.encode())
    assert PRIVATE not in str(refused.value)
