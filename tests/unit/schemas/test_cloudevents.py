"""CloudEvents are read in both Kafka content modes."""

import base64
from datetime import UTC, datetime

import pytest

from schemas import InvalidEvent, decode_label, decode_response
from tests.unit.schemas.factories import json, label, response, without

TIME = "2026-01-02T03:04:05Z"
BINARY = [("ce_specversion", b"1.0"), ("ce_id", b"e-1"), ("ce_time", TIME.encode()), ("content-type", b"application/json")]
STRUCTURED = [("content-type", b"application/cloudevents+json; charset=utf-8")]


def envelope(**overrides):
    return {"specversion": "1.0", "id": "e-1", "source": "/rag", "type": "answer", "time": TIME} | overrides


def test_binary_headers_give_id_and_time_where_the_event_has_none():
    event = decode_response(json(without(response(), "response_id")), BINARY)
    assert (event.response_id, event.created_at) == ("e-1", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


@pytest.mark.parametrize(("subject", "read"), [("u-1", "u-1"), ("x" * 300, None), ("a\nb", None), ("", None)])
def test_the_envelopes_subject_stands_in_where_it_can_be_one(subject, read):
    binary = [*BINARY, ("ce_subject", subject.encode())]
    assert decode_response(json(response()), binary).subject == read
    assert decode_response(json(envelope(data=response(), subject=subject)), STRUCTURED).subject == read
    assert decode_response(json(response(user_id="mine")), binary).subject == "mine"


def test_what_the_event_says_wins_over_the_headers():
    assert decode_response(json(response()), BINARY).response_id == "r-1"


@pytest.mark.parametrize("content_type", [b"application/cloudevents", b"application/cloudevents+json", b"Application/CloudEvents+JSON"])
def test_a_structured_event_is_opened(content_type):
    event = decode_response(json(envelope(data=response())), [("Content-Type", content_type)])
    assert event.response == "At nine."
    assert event.created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_structured_event_may_carry_base64():
    data = base64.b64encode(json(without(response(), "response_id"))).decode()
    assert decode_response(json(envelope(data_base64=data)), STRUCTURED).response_id == "e-1"


def test_a_labels_time_comes_from_the_envelope_but_never_its_response():
    assert decode_label(json(envelope(data=label())), STRUCTURED).labelled_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    with pytest.raises(InvalidEvent) as refused:
        decode_label(json(envelope(data={"label": 1})), STRUCTURED)
    assert refused.value.field == "response_id"


@pytest.mark.parametrize(
    ("payload", "headers", "field"),
    [
        (response(), [("ce_specversion", b"2.0"), ("ce_id", b"x")], "specversion"),
        (response(), [("ce_id", b"x")], "specversion"),
        (envelope(specversion="0.3", data=response()), STRUCTURED, "specversion"),
        (envelope(specversion=1.0, data=response()), STRUCTURED, "specversion"),
        (envelope(), STRUCTURED, "data"),
        (envelope(data="text"), STRUCTURED, ""),
        (envelope(data_base64="?"), STRUCTURED, "data_base64"),
        (envelope(data_base64=5), STRUCTURED, "data_base64"),
        (envelope(data_base64="/w=="), STRUCTURED, ""),
        (envelope(data=response(), time="noon"), STRUCTURED, "created_at"),
        ([envelope(data=response())], [("content-type", b"application/cloudevents-batch+json")], ""),
    ],
)
def test_a_broken_envelope_is_refused_by_field(payload, headers, field):
    with pytest.raises(InvalidEvent) as refused:
        decode_response(json(payload), headers)
    assert refused.value.field == field


def test_headers_without_a_value_are_passed_over():
    assert decode_response(json(response()), [("content-type", None), ("ce_id", None), ("trace", b"\xff")]).response_id == "r-1"
