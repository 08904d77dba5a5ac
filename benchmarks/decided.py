"""Answers that are decided already, for benchmarks of what comes after."""

from collections.abc import Mapping
from datetime import datetime

from schemas import Decision, Explanations, Meta, ScoreStatus, Verdict, encode
from worker.policy import decision_id
from worker.store import Position, Scored, Texts


def decided(
    response_id: str, offset: int, decided_at: datetime, *, of: str, model: str, scores: Mapping[str, float | None], texts: Texts
) -> Scored:
    """An answer of the dataset `of`, which also names its topic and its detector."""
    decision = Decision(
        decision_id=decision_id(response_id, of),
        response_id=response_id,
        dataset=of,
        model=model,
        decision=Verdict.REVIEW,
        confidence_pct=50,
        failure_type="none",
        hallucination_status="none",
        next_action="none",
        action_why="none",
        score_status=ScoreStatus.SCORED,
        scores=dict(scores),
        explanations=Explanations(reason="none"),
        meta=Meta(passed=False, latency_ms=1, profile=of, rule="none", encoder="none"),
        fingerprint=of,
        question_sha256=None,
        response_sha256="",
        contexts_sha256=(),
        decided_at=decided_at,
    )
    return Scored(position=Position(of, 0, offset), decision=decision, payload=encode(decision), texts=texts)
