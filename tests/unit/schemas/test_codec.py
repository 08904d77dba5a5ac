"""Every message becomes an event or an InvalidEvent that names the field and the reason."""

from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import InvalidEvent, LabelEvent, Limits, ResponseEvent, decode_label, decode_response, encode
from tests.unit.schemas.factories import json, label, response, without


def test_a_plain_event_is_read():
    event = decode_response(json(response(created_at="2026-01-02T03:04:05", attributes={"language": "en"})))
    assert event.response_id == "r-1"
    assert event.contexts == ("The ferry leaves at nine.",)
    assert event.created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert event.attributes == {"language": "en"}


def test_only_id_contexts_and_response_are_needed():
    event = decode_response(json({"response_id": "r", "contexts": [], "response": ""}))
    assert (event.dataset, event.model, event.question) == ("default", "unknown", None)


def test_any_character_may_stand_in_a_text():
    assert decode_response(json(response(response="a\x00b\u2028🙂"))).response == "a\x00b\u2028🙂"


def test_fields_of_a_later_minor_version_are_ignored():
    assert decode_response(json(response(schema_version="1.7", mood="sunny"))).response == "At nine."


def test_of_a_doubled_key_the_last_counts():
    assert decode_response(b'{"response_id":"a","response_id":"b","contexts":[],"response":"x"}').response_id == "b"


@pytest.mark.parametrize(
    ("value", "field", "reason"),
    [
        (None, "", "tombstone"),
        (b"", "", "not JSON"),
        (b"{", "", "is not JSON"),
        (b'{"response_id": "r", "response": "\xff"}', "", "is not JSON"),
        (b'{"response_id": "\\ud800"}', "", "not JSON"),
        (b'{"llm_latency_ms": NaN}', "", "not JSON"),
        (b'{"llm_latency_ms": 1e999}', "", "not JSON"),
        (b"[" * 100_000, "", "not JSON"),
        (b"[]", "", "a JSON object is expected, this is list"),
        (b"null", "", "a JSON object is expected"),
        (b'"text"', "", "a JSON object is expected"),
        (json(response(schema_version="2.0")), "schema_version", "unknown major version"),
        (json(response(schema_version=1)), "schema_version", "must be a string"),
        (json(response(schema_version=None)), "schema_version", "must be a string"),
        (b'{"response_id":"r","response":"","source_info":' + b'{"a":' * 300 + b"0" + b"}" * 301, "contexts", "nested too deeply"),
        (
            json(
                {
                    "retrieval.documents.0.document.content": {},
                    "retrieval.documents.00.document.content": {},
                    "output.value": "x",
                    "id": "r",
                }
            ),
            "contexts.0",
            "valid string",
        ),
        (json(without(response(), "response_id")), "response_id", "is missing"),
        (json(without(response(), "contexts")), "contexts", "is missing"),
        (json(without(response(), "response")), "response", "is missing"),
        (json(response(response_id="")), "response_id", "at least 1 character"),
        (json(response(response_id="a\x00b")), "response_id", "pattern"),
        (json(response(response_id="a\n")), "response_id", "pattern"),
        (json(response(response_id="x" * 257)), "response_id", "at most 256"),
        (json(response(response_id=7)), "response_id", "valid string"),
        (json(response(response_id=2**63)), "response_id", "valid string"),
        (json(response(response=["a"])), "response", "valid string"),
        (json(response(response=None)), "response", "valid string"),
        (json(response(contexts=None)), "contexts", "valid tuple"),
        (json(response(contexts={"passages": "x"})), "contexts", "valid tuple"),
        (json(response(contexts=["a", 5])), "contexts.1", "valid string"),
        (json(response(contexts=["a", None])), "contexts.1", "valid string"),
        (json(response(question=5)), "question", "valid string"),
        (json(response(llm_latency_ms="soon")), "llm_latency_ms", "valid number"),
        (json(response(llm_latency_ms="nan")), "llm_latency_ms", ""),
        (json(response(llm_latency_ms=-1)), "llm_latency_ms", "greater than or equal to 0"),
        (json(response(llm_latency_ms=True)), "llm_latency_ms", "valid number"),
        (json(response(created_at="yesterday")), "created_at", "valid datetime"),
        (json(response(created_at=1e300)), "created_at", ""),
        (json(response(created_at=-(2**62))), "created_at", ""),
        (json(response(created_at="0001-01-01T00:00:00+23:59")), "created_at", "between the years"),
        (json(response(created_at="9999-12-31T23:59:59-23:59")), "created_at", "between the years"),
        (json(response(attributes={"k": 5})), "attributes.k", "valid string"),
        (json(response(attributes={"k": "a\x00"})), "attributes", "NUL"),
        (json(response(attributes=[])), "attributes", "valid dictionary"),
    ],
)
def test_what_cannot_be_read_is_refused_by_field_and_reason(value, field, reason):
    with pytest.raises(InvalidEvent) as refused:
        decode_response(value)
    assert refused.value.field == field
    assert reason in refused.value.reason


@pytest.mark.parametrize(
    ("limits", "overrides", "field"),
    [
        (Limits(message_bytes=10), {}, ""),
        (Limits(contexts=1), {"contexts": ["a", "b"]}, "contexts"),
        (Limits(context_chars=3), {"contexts": ["abc", "abcd"]}, "contexts.1"),
        (Limits(response_chars=3), {"response": "abcd"}, "response"),
        (Limits(attributes=1), {"attributes": {"a": "1", "b": "2"}}, "attributes"),
    ],
)
def test_beyond_a_limit_the_limit_is_named(limits, overrides, field):
    with pytest.raises(InvalidEvent, match=r"at most \d+ are read") as refused:
        decode_response(json(response(**overrides)), limits=limits)
    assert refused.value.field == field


def test_at_a_limit_the_event_is_read():
    value = json(response(response="abc", contexts=["abc"]))
    assert decode_response(value, limits=Limits(message_bytes=len(value), contexts=1, context_chars=3, response_chars=3))


def test_the_named_field_quotes_no_key_that_is_refused():
    with pytest.raises(InvalidEvent) as refused:
        decode_response(json(response(attributes={"a\x00b" + "x" * 1000: "v"})))
    assert refused.value.field == "attributes.[key]"


def test_a_refusal_never_quotes_the_text():
    with pytest.raises(InvalidEvent) as refused:
        decode_response(json(response(response={"secret": "my diagnosis"}, question=["my diagnosis"])))
    assert "diagnosis" not in str(refused.value)


@pytest.mark.parametrize(("given_label", "read"), [(1, 1), (0, 0), ("unsure", None)])
def test_labels_are_the_integers_one_and_zero_or_unsure(given_label, read):
    event = decode_label(json(label(label=given_label)))
    assert (event.label, event.sure) == (given_label, read)


@pytest.mark.parametrize("wrong", [True, False, 1.0, 0.0, "1", "grounded", 2, -1, None, [1], {"label": 1}])
def test_every_other_label_is_refused(wrong):
    with pytest.raises(InvalidEvent) as refused:
        decode_label(json(label(label=wrong)))
    assert refused.value.field == "label"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, ""),
        (json(without(label(), "response_id")), "response_id"),
        (json({"id": "label-7", "label": 1}), "response_id"),
        (json(without(label(), "label")), "label"),
        (json(label(labelled_at="noon")), "labelled_at"),
        (json(label(source="")), "source"),
        (json(label(schema_version="3.1")), "schema_version"),
    ],
)
def test_a_label_that_cannot_be_read_is_refused_by_field(value, field):
    with pytest.raises(InvalidEvent) as refused:
        decode_label(value)
    assert refused.value.field == field


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=256)
texts = st.text(st.characters(codec="utf-8"))
moments = st.datetimes(datetime(1970, 1, 2), datetime(9000, 1, 1), timezones=st.just(UTC))


@settings(deadline=None)
@given(
    st.builds(
        ResponseEvent,
        response_id=names,
        question=st.none() | texts,
        contexts=st.lists(texts, max_size=4).map(tuple),
        response=texts,
        created_at=st.none() | moments,
        llm_latency_ms=st.none() | st.floats(0, 1e9),
    )
)
def test_a_response_survives_the_round_trip(event):
    assert decode_response(encode(event)) == event
    assert encode(decode_response(encode(event))) == encode(event)


@settings(deadline=None)
@given(st.builds(LabelEvent, response_id=names, label=st.sampled_from([0, 1]), labelled_at=st.none() | moments))
def test_a_label_survives_the_round_trip(event):
    assert decode_label(encode(event)) == event


FIELDS = [
    *ResponseEvent.model_fields,
    *LabelEvent.model_fields,
    "source_info",
    "context",
    "input.value",
    "output.value",
    "data",
    "data_base64",
]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | texts, inner, max_size=3),
    max_leaves=8,
)
payloads = st.dictionaries(st.sampled_from(FIELDS), values).map(lambda fields: orjson.dumps(response() | label() | fields))
headers = st.lists(
    st.tuples(
        st.sampled_from(["ce_id", "ce_time", "ce_specversion", "content-type", "x"]),
        st.none() | st.binary(max_size=8) | st.sampled_from([b"1.0", b"application/cloudevents+json", b"2026-01-01T00:00:00Z"]),
    ),
    max_size=3,
)


@pytest.mark.parametrize(("decode", "kind"), [(decode_response, ResponseEvent), (decode_label, LabelEvent)])
@settings(deadline=None)
@given(value=st.none() | st.binary() | payloads | values.map(orjson.dumps), given_headers=headers)
def test_whatever_comes_is_an_event_or_an_invalid_event(decode, kind, value, given_headers):
    try:
        event = decode(value, given_headers)
    except InvalidEvent as refused:
        assert refused.reason
        assert "\x00" not in refused.field + refused.reason
    else:
        assert isinstance(event, kind)
        assert decode(encode(event)) == event
