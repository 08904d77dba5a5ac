"""From scores to decisions."""

import re
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from detectors.assessment import Assessment
from detectors.rules import load_rules
from schemas import Offsets, ResponseEvent, ScoreStatus, Verdict, encode
from worker.policy import DetectorIdentity, Policy, decision_id, judge

POLICY = Policy(load_rules("gatekeeper"))
DETECTOR = DetectorIdentity(fingerprint="default-0123456789abcdef", profile="default", encoder="all-MiniLM-L6-v2")
GOOD = {"attribution": 0.7, "specificity": 0.7, "relevance": 0.7, "context_quality": 0.7, "final": 0.7, "disagreement": 0.0}


def _assessment(**scores: float | None) -> Assessment:
    return Assessment(status=ScoreStatus.SCORED, scores=GOOD | scores)


@pytest.mark.parametrize(
    ("scores", "rule", "decision", "failure", "action"),
    [
        ({}, "accepted", "ACCEPT", "none", "serve_response"),
        ({"attribution": 0.34, "specificity": 0.5}, "vague", "REVIEW", "uncertain", "retry_with_specific_prompt"),
        ({"attribution": 0.34, "specificity": 0.51}, "fabricated", "REJECT", "hallucination", "regenerate_with_grounding_prompt"),
        (
            {"attribution": 0.44, "specificity": 0.61},
            "confident_hallucination",
            "REJECT",
            "hallucination",
            "regenerate_with_grounding_prompt",
        ),
        ({"context_quality": 0.39, "final": 0.64}, "poor_retrieval", "REVIEW", "poor_retrieval", "retrieve_more_documents"),
        ({"context_quality": 0.39, "final": 0.65}, "accepted", "ACCEPT", "none", "serve_response"),
        ({"attribution": 0.54, "context_quality": 0.49}, "guardrail", "REJECT", "hallucination", "regenerate_with_grounding_prompt"),
        ({"attribution": 0.54}, "weak_grounding", "REVIEW", "weak_grounding", "retry_with_specific_prompt"),
        ({"relevance": 0.29}, "off_topic", "REVIEW", "off_topic", "retry_with_clearer_query"),
        ({"relevance": None}, "accepted", "ACCEPT", "none", "serve_response"),
        ({"disagreement": 0.13}, "disagreement", "REVIEW", "uncertain", "human_review"),
        ({"disagreement": 0.12}, "accepted", "ACCEPT", "none", "serve_response"),
        ({"final": 0.64}, "borderline", "REVIEW", "uncertain", "optional_human_review"),
        ({"final": None}, "unmeasured", "REVIEW", "uncertain", "human_review"),
    ],
)
def test_the_first_rule_that_holds_decides(scores: dict[str, float | None], rule: str, decision: str, failure: str, action: str) -> None:
    ruling = POLICY.decide(_assessment(**scores))
    assert (ruling.rule, ruling.decision, ruling.failure_type, ruling.next_action) == (rule, decision, failure, action)


@pytest.mark.parametrize(
    ("status", "decision", "failure", "action"),
    [
        (ScoreStatus.ABSTAINED, "ACCEPT", "none", "serve_response"),
        (ScoreStatus.NO_CONTEXT, "REVIEW", "poor_retrieval", "retrieve_more_documents"),
        (ScoreStatus.REDACTED, "REVIEW", "uncertain", "human_review"),
        (ScoreStatus.ERROR, "REVIEW", "uncertain", "human_review"),
    ],
)
def test_an_absence_has_its_own_outcome_and_no_confidence(status: ScoreStatus, decision: str, failure: str, action: str) -> None:
    ruling = POLICY.decide(Assessment(status=status, scores={"final": None}))
    assert (ruling.rule, ruling.decision, ruling.failure_type, ruling.next_action) == (status, decision, failure, action)
    assert (ruling.confidence_pct, ruling.hallucination_status) == (None, "none")


@pytest.mark.parametrize("policy", ["claims", "gatekeeper"])
@pytest.mark.parametrize("status", [ScoreStatus.SCORED, ScoreStatus.ABSTAINED])
def test_what_was_not_read_whole_is_never_accepted(policy: str, status: ScoreStatus) -> None:
    whole = Assessment(status=status, scores=GOOD if status is ScoreStatus.SCORED else {"final": None})
    decide = Policy(load_rules(policy)).decide

    assert decide(whole).decision is Verdict.ACCEPT
    cut = decide(whole.model_copy(update={"response_cut": True}))
    assert (cut.decision, cut.rule) == (Verdict.REVIEW, "unread")


@pytest.mark.parametrize(
    ("attribution", "specificity", "status"),
    [
        (0.34, 0.51, "confirmed"),
        (0.34, 0.50, "suspected"),
        (0.44, 0.61, "suspected"),
        (0.54, 0.10, "suspected"),
        (0.55, 0.99, "none"),
    ],
)
def test_the_hallucination_status_follows_grounding_and_confidence(attribution: float, specificity: float, status: str) -> None:
    assert POLICY.decide(_assessment(attribution=attribution, specificity=specificity)).hallucination_status == status


def test_the_published_confidence() -> None:
    ruling = POLICY.decide(_assessment(final=0.525, attribution=0.428, specificity=0.701, context_quality=0.424, disagreement=0.077))
    assert ruling.confidence_pct in (22, 23)
    assert "attribution=0.428" in ruling.reason


@pytest.mark.parametrize(("final", "attribution", "disagreement", "confidence"), [(1, 1, 0, 100), (0.5, 0, 0.12, 0), (0.75, 0, 0.06, 35)])
def test_confidence_is_margin_grounding_and_agreement(final: float, attribution: float, disagreement: float, confidence: int) -> None:
    assert POLICY.decide(_assessment(final=final, attribution=attribution, disagreement=disagreement)).confidence_pct == confidence


THRESHOLDS = {"accept": 0.8, "reject": 0.3, "alpha": 0.05}


@pytest.mark.parametrize(
    ("probability", "thresholds", "rule", "reason"),
    [
        (0.81, THRESHOLDS, "calibrated_accept", "probability=0.810 is above 0.8, beyond which at most 5.0% are hallucinated"),
        (0.8, THRESHOLDS, "calibrated_review", "probability=0.800 lies beyond no threshold of the calibration (accept 0.8, reject 0.3)."),
        (0.3, THRESHOLDS, "calibrated_review", "beyond no threshold"),
        (0.29, THRESHOLDS, "calibrated_reject", "probability=0.290 is below 0.3, beyond which at most 5.0% are grounded"),
        (0.99, {"reject": 0.3, "alpha": 0.05}, "calibrated_review", "beyond no threshold of the calibration (reject 0.3)."),
        (0.99, {"alpha": 0.05}, "calibrated_review", "beyond no threshold of the calibration (none)."),
        (0.01, {"accept": 0.8, "alpha": 0.05}, "calibrated_review", "beyond no threshold"),
        (0.5, {"accept": 0.4, "reject": 0.6, "alpha": 0.05}, "calibrated_accept", "above 0.4,"),
        (None, THRESHOLDS, "accepted", "Grounded"),
        (None, {}, "accepted", "Grounded"),
    ],
)
def test_a_calibrations_thresholds_decide_where_there_are_some(
    probability: float | None, thresholds: dict[str, float], rule: str, reason: str
) -> None:
    policy = Policy(load_rules("claims"), thresholds)
    ruling = policy.decide(_assessment(probability=probability, polarity=0.1 if probability is not None else None))
    assert ruling.rule == rule
    assert reason in ruling.reason


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({"final": 0.3124}, "Ungrounded: final=0.312 is below 0.35."),
        ({"final": 0.349999}, "Ungrounded: final=0.349999 is below 0.35."),
        ({"final": 0.35}, "Weak grounding: final=0.350 is below 0.7."),
        ({"final": 0.7}, "Grounded: final=0.700 is at least 0.7."),
        ({"relevance": 0.05}, "Off topic: relevance=0.050 is below 0.1."),
        ({"citations": 0.1}, "Fabricated reference: citations=0.100 is below 0.3."),
        ({"roles": 0.2}, "Contradicted by the contexts: roles=0.200 is below 0.35, attribution=0.700 is at least 0.45."),
    ],
)
def test_a_reason_shows_each_score_beside_its_threshold(scores: dict[str, float | None], reason: str) -> None:
    assert Policy(load_rules("claims")).decide(_assessment(**scores)).reason == reason


def test_every_rule_of_the_claims_policy_shows_what_it_compares() -> None:
    silent = [rule.name for rule in load_rules("claims").rules if rule.when and not re.search(r"{when}|{thresholds}", rule.reason)]
    assert silent == []


def test_the_published_wording_of_the_gatekeeper_stands() -> None:
    assert POLICY.decide(_assessment(final=0.64)).reason == "Borderline quality: final=0.640."


def test_what_is_accepted_by_calibration_is_no_suspected_hallucination() -> None:
    ruling = Policy(load_rules("claims"), THRESHOLDS).decide(_assessment(probability=0.9, final=0.1))
    assert (ruling.decision, ruling.hallucination_status) == ("ACCEPT", "none")


def test_a_decision_carries_hashes_and_offsets_but_no_text() -> None:
    event = ResponseEvent(response_id="r-1", question="Secret question?", response="Secret answer.", contexts=("Secret context.",))
    assessment = _assessment().model_copy(update={"low_confidence_sentences": (Offsets(start=0, end=14),), "evidence_coverage": 0.5})
    moment = datetime(2025, 1, 1, tzinfo=UTC)
    decision = judge(event, assessment, policy=POLICY, detector=DETECTOR, latency_ms=3.0, decided_at=moment)
    assert b"Secret" not in encode(decision)
    assert decision.response_sha256 == sha256(b"Secret answer.").hexdigest()
    assert (decision.meta.passed, decision.meta.encoder, decision.meta.evidence_coverage) == (True, "all-MiniLM-L6-v2", 0.5)
    assert decision.to_dict(event.response)["explanations"]["low_confidence_sentences"] == ["Secret answer."]


def test_a_decision_stands_beside_the_llms_own_time() -> None:
    event = ResponseEvent(response_id="r-1", response="It is.", contexts=(), llm_latency_ms=250)
    decision = judge(event, _assessment(), policy=POLICY, detector=DETECTOR, latency_ms=3.0, decided_at=datetime(2025, 1, 1, tzinfo=UTC))
    assert (decision.meta.latency_ms, decision.meta.llm_latency_ms) == (3, 250)


def test_the_decisions_id_is_one_per_response_and_fingerprint() -> None:
    assert decision_id("r-1", "a") == decision_id("r-1", "a")
    assert decision_id("r-1", "a").version == 5
    assert len({decision_id("r-1", "a"), decision_id("r-2", "a"), decision_id("r-1", "b")}) == 3


def _degraded(**scores: float | None) -> Assessment:
    absent = {"relevance": None, "context_quality": None, "disagreement": None}
    return _assessment(**{**absent, **scores}).model_copy(update={"degraded": True, "missing_signals": tuple(absent)})


@pytest.mark.parametrize(
    ("scores", "rule", "decision"),
    [
        ({"final": 0.9}, "accepted", "ACCEPT"),
        ({"final": 0.71}, "degraded", "REVIEW"),
        ({"final": 0.5}, "weak_grounding", "REVIEW"),
        ({"final": 0.34}, "degraded", "REVIEW"),
        ({"final": 0.1}, "ungrounded", "REJECT"),
        ({"final": 0.5, "numbers": 0.1}, "degraded", "REVIEW"),
        ({"final": None, "attribution": None}, "undecided", "REVIEW"),
    ],
)
def test_a_decision_without_all_models_stands_when_it_is_no_close_call(scores: dict[str, float | None], rule: str, decision: str) -> None:
    ruling = Policy(load_rules("claims")).decide(_degraded(**scores))
    assert (ruling.rule, ruling.decision, ruling.confidence_pct) == (rule, decision, None)


def test_a_rejection_that_does_not_stand_is_a_suspicion() -> None:
    assert Policy(load_rules("claims")).decide(_degraded(final=0.34)).hallucination_status == "suspected"


@pytest.mark.parametrize("final", [0.99, 0.01])
def test_beside_a_calibrations_bounds_nothing_degraded_is_accepted_or_rejected(final: float) -> None:
    ruling = Policy(load_rules("claims"), THRESHOLDS).decide(_degraded(final=final, probability=None))
    assert (ruling.rule, ruling.decision) == ("degraded", "REVIEW")


def test_a_policy_without_the_section_decides_a_degraded_answer_as_any_other() -> None:
    assert POLICY.decide(_degraded(attribution=0.7, context_quality=0.7)).decision == POLICY.decide(_assessment()).decision


def test_an_answer_that_is_longer_than_is_read_is_never_accepted_for_being_degraded() -> None:
    cut = _degraded(final=0.99).model_copy(update={"response_cut": True})
    assert Policy(load_rules("claims")).decide(cut).rule == "unread"


def test_the_decision_says_that_it_is_degraded_and_what_is_missing() -> None:
    event, moment = ResponseEvent(response_id="r-1", response="An answer.", contexts=("A context.",)), datetime(2025, 1, 1, tzinfo=UTC)
    for assessment in (_degraded(final=0.9), _assessment()):
        decision = judge(event, assessment, policy=Policy(load_rules("claims")), detector=DETECTOR, latency_ms=3.0, decided_at=moment)
        assert (decision.degraded, decision.meta.missing_signals) == (assessment.degraded, assessment.missing_signals)
