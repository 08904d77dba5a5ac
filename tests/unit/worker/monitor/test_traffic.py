"""What was decided lately, and the mean of each score with its coverage."""

from uuid import UUID

import pytest
from prometheus_client import CollectorRegistry

from schemas import Decision, Explanations, Meta, ScoreStatus, Verdict
from tests.unit.worker.monitor.factories import EPOCH, SEGMENT
from worker.monitor.metrics import MonitorMetrics
from worker.monitor.traffic import Traffic


def _decision(number=1, **overrides):
    fields = {
        "decision_id": UUID(int=number),
        "response_id": f"r-{number}",
        "dataset": SEGMENT.dataset,
        "model": SEGMENT.model,
        "decision": Verdict.ACCEPT,
        "confidence_pct": 80,
        "failure_type": "none",
        "hallucination_status": "none",
        "next_action": "serve",
        "action_why": "grounded",
        "score_status": ScoreStatus.SCORED,
        "scores": {"final": 0.5},
        "explanations": Explanations(reason="rule"),
        "meta": Meta(passed=True, latency_ms=1, profile="default", rule="r", encoder="e"),
        "fingerprint": "f-1",
        "question_sha256": None,
        "response_sha256": "0",
        "contexts_sha256": (),
        "decided_at": EPOCH,
    }
    return Decision(**fields | overrides)


def _after(*decisions, size=3):
    traffic = Traffic(size)
    for each in decisions:
        traffic.apply(each)
    return traffic.summary(SEGMENT)


def test_it_counts_the_latest_decisions_by_verdict():
    summary = _after(*(_decision(n, decision=Verdict.REJECT if n < 3 else Verdict.ACCEPT) for n in range(1, 5)))
    assert summary.decisions == {Verdict.ACCEPT: 2, Verdict.REVIEW: 0, Verdict.REJECT: 1}


def test_a_redelivered_decision_counts_once():
    assert sum(_after(_decision(1), _decision(1)).decisions.values()) == 1


def test_a_mean_travels_with_its_coverage():
    summary = _after(
        _decision(1, scores={"final": 0.2}), _decision(2, scores={"final": 0.6, "cosine": None}), _decision(3, scores={"final": None})
    )
    assert summary.scores == {"final": (pytest.approx(0.4), pytest.approx(2 / 3)), "cosine": (None, 0.0)}


def test_a_mean_of_nothing_has_no_series():
    registry = CollectorRegistry()
    metrics = MonitorMetrics(registry)
    metrics.show_traffic(SEGMENT, _after(_decision(1, scores={"final": 0.25, "cosine": None})))
    labels = SEGMENT._asdict()
    assert registry.get_sample_value("groundwatch_decisions_window", {**labels, "decision": "ACCEPT"}) == 1
    assert registry.get_sample_value("groundwatch_score_mean", {**labels, "score": "final"}) == 0.25
    assert registry.get_sample_value("groundwatch_score_mean", {**labels, "score": "cosine"}) is None
    assert registry.get_sample_value("groundwatch_score_coverage", {**labels, "score": "cosine"}) == 0
