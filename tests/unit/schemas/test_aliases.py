"""Events of other tools are read by their own field names."""

import pytest

from schemas import decode_label, decode_response
from tests.unit.schemas.factories import json, response

Q, C, A, R = "When?", "The ferry leaves at nine.", "At nine.", "Nine."


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"question": Q, "contexts": [C], "response": A, "reference": R}, id="own names"),
        pytest.param({"user_input": Q, "retrieved_contexts": [C], "response": A, "reference": R}, id="ragas"),
        pytest.param({"question": Q, "contexts": [C], "answer": A, "ground_truth": R}, id="ragas, older"),
        pytest.param({"input": Q, "retrieval_context": [C], "actual_output": A, "expected_output": R}, id="deepeval"),
        pytest.param(
            {"input": Q, "retrieval_context": [C], "context": ["the ideal"], "actual_output": A, "expected_output": R},
            id="deepeval with an ideal context",
        ),
        pytest.param({"input": Q, "retrievalContext": [C], "actualOutput": A, "expectedOutput": R}, id="deepeval, camelCase"),
        pytest.param(
            {"input.value": Q, "retrieval.documents.0.document.content": C, "output.value": A, "reference": R}, id="OpenInference, flat"
        ),
        pytest.param(
            {
                "name": "chain",
                "context": {"trace_id": "t", "span_id": "s-1"},
                "attributes": {"input.value": Q, "retrieval.documents.0.document.content": C, "output.value": A},
                "reference": R,
            },
            id="OpenInference, a span",
        ),
        pytest.param({"source_info": {"question": Q, "passages": C}, "response": A, "reference": R}, id="RAGTruth, question answering"),
        pytest.param({"source_info": C, "question": Q, "response": A, "reference": R}, id="RAGTruth, summary"),
        pytest.param({"context": [C], "question": Q, "answer": A, "reference": R}, id="LettuceDetect"),
        pytest.param({"doc": C, "claim": A, "question": Q, "reference": R}, id="AggreFact"),
    ],
)
def test_each_tools_names_are_read_as_ours(payload):
    event = decode_response(json({"response_id": "r-1"} | payload))
    assert (event.question, event.contexts, event.response, event.reference) == (Q, (C,), A, R)


def test_a_name_of_ours_wins_over_every_alias():
    foreign = {"answer": "no", "actual_output": "no", "claim": "no", "context": ["no"], "input": "no", "id": "no", "ground_truth": "no"}
    event = decode_response(json(response(reference=R) | foreign))
    assert (event.response_id, event.response, event.contexts, event.reference) == ("r-1", A, (C,), R)


@pytest.mark.parametrize(
    ("payload", "subject"),
    [
        ({}, None),
        ({"subject": "u-1"}, "u-1"),
        ({"user_id": "u-1"}, "u-1"),
        ({"userId": 4711}, "4711"),
        ({"user.id": ""}, None),
        ({"subject": "u-1", "user_id": "u-2"}, "u-1"),
    ],
)
def test_whom_an_answer_was_for_is_read_by_the_names_in_use(payload, subject):
    assert decode_response(json(response() | payload)).subject == subject


def test_documents_keep_the_order_of_their_numbers():
    documents = {f"retrieval.documents.{n}.document.content": str(n) for n in (10, 2, 0, 1)}
    assert decode_response(json({"id": "r", "output.value": A} | documents)).contexts == ("0", "1", "2", "10")


def test_a_span_without_an_id_of_ours_is_known_by_its_span_id():
    span = {"context": {"span_id": "s-1"}, "attributes": {"output.value": A, "retrieval.documents.0.document.content": C}}
    assert decode_response(json(span)).response_id == "s-1"
    assert decode_response(json(span | {"response_id": "mine"})).response_id == "mine"


def test_a_ragtruth_source_of_structured_data_is_read_as_its_json():
    event = decode_response(json({"id": "1", "source_info": {"name": "Café", "stars": 4}, "response": A}))
    assert event.contexts == ('{"name":"Café","stars":4}',)


@pytest.mark.parametrize("hidden", [{"response": "__REDACTED__"}, {"contexts": [C, "__REDACTED__"]}])
def test_a_hidden_text_makes_the_event_redacted(hidden):
    assert decode_response(json(response(**hidden))).redacted


def test_our_own_attributes_stay_attributes():
    assert decode_response(json(response(attributes={"tenant": "a"}))).attributes == {"tenant": "a"}


def test_label_aliases_are_read():
    event = decode_label(json({"response_id": "r", "ground_truth_label": 0, "annotator_id": "ann"}))
    assert (event.label, event.annotator) == (0, "ann")
