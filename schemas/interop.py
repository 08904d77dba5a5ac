"""Decisions in the shapes that other observability tools read."""

from typing import Any

from schemas.decision import Decision, ScoreStatus


def to_otel(decision: Decision) -> dict[str, Any]:
    """The decision as an OpenTelemetry `gen_ai.evaluation.result` event (semantic conventions for generative AI, development status).

    `timeUnixNano` is the decision's time. An absent score has no value attribute, and its label is the score status
    (`abstained`, `no_context`, …) beside the verdict in `groundwatch.decision`; a failed evaluation carries `error.type`.
    """
    final = decision.scores.get("final")
    attributes: dict[str, Any] = {
        "gen_ai.evaluation.name": "groundedness",
        "gen_ai.evaluation.score.label": _label(decision),
        "gen_ai.evaluation.explanation": decision.explanations.reason,
        "gen_ai.response.id": decision.response_id,
        "groundwatch.decision": decision.decision.value,
        "groundwatch.fingerprint": decision.fingerprint,
    }
    if final is not None:
        attributes["gen_ai.evaluation.score.value"] = final
    if decision.score_status is ScoreStatus.ERROR:
        attributes["error.type"] = "detector_error"
    return {
        "eventName": "gen_ai.evaluation.result",
        "timeUnixNano": int(decision.decided_at.timestamp() * 1_000_000) * 1000,
        "attributes": attributes,
    }


def to_openinference(decision: Decision) -> dict[str, Any]:
    """The decision as flat OpenInference attributes: `evaluations.N.evaluation.{name,score,label,explanation}`.

    Number 0 is the final score with verdict and reason; every further score that has a value follows by name.
    """
    first: dict[str, Any] = {"name": "groundedness", "label": _label(decision), "explanation": decision.explanations.reason}
    if (final := decision.scores.get("final")) is not None:
        first["score"] = final
    others = [{"name": name, "score": score} for name, score in sorted(decision.scores.items()) if name != "final" and score is not None]
    return {
        f"evaluations.{number}.evaluation.{field}": value
        for number, evaluation in enumerate([first, *others])
        for field, value in evaluation.items()
    } | {"response_id": decision.response_id}


def _label(decision: Decision) -> str:
    return decision.decision.value if decision.score_status is ScoreStatus.SCORED else decision.score_status.value
