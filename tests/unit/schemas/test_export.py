"""The committed documents are what the models say, and they are valid."""

import json

import pytest
from jsonschema import Draft202012Validator

from schemas import encode
from schemas.export import CHANNELS, GENERATED, documents, write_documents
from tests.unit.schemas.factories import decision, response

DOCUMENTS = dict(documents())
SCHEMAS = [name for name in DOCUMENTS if name != "asyncapi.json"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_committed_document_is_fresh(name):
    path = GENERATED / name
    assert path.exists(), f"{path} is missing: run `groundwatch schema export schemas/generated`"
    assert json.loads(path.read_bytes()) == DOCUMENTS[name], f"{path} is stale: run `groundwatch schema export schemas/generated`"


def test_no_other_document_is_committed():
    assert {path.name for path in GENERATED.iterdir()} == set(DOCUMENTS)


def test_writing_twice_gives_the_same_bytes(tmp_path):
    first = [path.read_bytes() for path in write_documents(tmp_path / "a")]
    assert [path.read_bytes() for path in write_documents(tmp_path / "b")] == first


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_json_schema_is_valid(name):
    Draft202012Validator.check_schema(DOCUMENTS[name])


def test_an_event_fits_its_schema_and_a_broken_one_does_not():
    validator = Draft202012Validator(DOCUMENTS["ResponseEvent.json"])
    assert validator.is_valid(response())
    assert not validator.is_valid(response(response_id="a\nb"))
    assert not validator.is_valid(response(contexts=[5]))


def test_a_decision_fits_its_schema():
    Draft202012Validator(DOCUMENTS["Decision.json"]).validate(json.loads(encode(decision())))


def test_every_reference_of_the_asyncapi_document_leads_somewhere():
    document = DOCUMENTS["asyncapi.json"]
    references = [part.split('"')[0] for part in json.dumps(document).split('"$ref": "')[1:]]
    assert references
    for reference in references:
        target = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_the_asyncapi_document_holds_the_six_topics():
    document = DOCUMENTS["asyncapi.json"]
    assert document["asyncapi"].startswith("3.0")
    assert {channel["address"] for channel in document["channels"].values()} == {topic for topic, *_ in CHANNELS.values()}
    assert len(document["operations"]) == 6
    assert {name for name, message in document["components"]["messages"].items() if "headers" in message} == {"ResponseEvent", "LabelEvent"}
