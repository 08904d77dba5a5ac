"""Decisions leave in the shapes of OpenTelemetry and OpenInference too."""

from schemas import ScoreStatus
from schemas.interop import to_openinference, to_otel
from tests.unit.schemas.factories import decision

ABSENT = {"score_status": ScoreStatus.ABSTAINED, "scores": {"final": None, "grounded": None}}


def test_otel_carries_name_value_label_reason_and_response():
    event = to_otel(decision())
    assert event["eventName"] == "gen_ai.evaluation.result"
    assert event["timeUnixNano"] == 1_767_323_045_000_000_000
    assert event["attributes"] == {
        "gen_ai.evaluation.name": "groundedness",
        "gen_ai.evaluation.score.value": 0.75,
        "gen_ai.evaluation.score.label": "ACCEPT",
        "gen_ai.evaluation.explanation": "final 0.75 is at least 0.65",
        "gen_ai.response.id": "r-1",
        "groundwatch.decision": "ACCEPT",
        "groundwatch.fingerprint": "f-1",
    }


def test_an_absent_score_has_no_value_in_otel():
    attributes = to_otel(decision(**ABSENT))["attributes"]
    assert "gen_ai.evaluation.score.value" not in attributes
    assert attributes["gen_ai.evaluation.score.label"] == "abstained"
    assert "error.type" not in attributes


def test_a_failed_evaluation_has_an_error_type_in_otel():
    assert to_otel(decision(**ABSENT | {"score_status": ScoreStatus.ERROR}))["attributes"]["error.type"] == "detector_error"


def test_openinference_numbers_the_scores_that_have_a_value():
    assert to_openinference(decision()) == {
        "response_id": "r-1",
        "evaluations.0.evaluation.name": "groundedness",
        "evaluations.0.evaluation.label": "ACCEPT",
        "evaluations.0.evaluation.explanation": "final 0.75 is at least 0.65",
        "evaluations.0.evaluation.score": 0.75,
        "evaluations.1.evaluation.name": "grounded",
        "evaluations.1.evaluation.score": 0.5,
    }


def test_an_absent_score_has_no_score_in_openinference():
    flat = to_openinference(decision(**ABSENT))
    assert flat["evaluations.0.evaluation.label"] == "abstained"
    assert not any(name.endswith(".score") for name in flat)
