"""Messages as senders write them, with overrides."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import orjson

from schemas import Decision, Explanations, Meta, ScoreStatus, Verdict


def response(**overrides: Any) -> dict[str, Any]:
    return {
        "response_id": "r-1",
        "dataset": "travel",
        "model": "m-1",
        "question": "When does the ferry leave?",
        "contexts": ["The ferry leaves at nine."],
        "response": "At nine.",
    } | overrides


def label(**overrides: Any) -> dict[str, Any]:
    return {"response_id": "r-1", "label": 1} | overrides


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


def json(payload: Any) -> bytes:
    return orjson.dumps(payload)


def decision(**overrides: Any) -> Decision:
    fields: dict[str, Any] = {
        "decision_id": UUID(int=1),
        "response_id": "r-1",
        "dataset": "travel",
        "model": "m-1",
        "decision": Verdict.ACCEPT,
        "confidence_pct": 80,
        "failure_type": "none",
        "hallucination_status": "none",
        "next_action": "serve",
        "action_why": "the answer is grounded",
        "score_status": ScoreStatus.SCORED,
        "scores": {"final": 0.75, "grounded": 0.5, "relevance": None},
        "explanations": Explanations(reason="final 0.75 is at least 0.65"),
        "meta": Meta(passed=True, latency_ms=12.5, profile="default", rule="accept", encoder="minilm"),
        "fingerprint": "f-1",
        "question_sha256": None,
        "response_sha256": "0" * 64,
        "contexts_sha256": (),
        "decided_at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    }
    return Decision(**fields | overrides)
