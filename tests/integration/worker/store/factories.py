"""Outcomes and snapshots, with overrides."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

import orjson

from schemas import Auroc, AurocSnapshot, DeadLetter, LabelEvent, Operating, Verdict, encode
from tests.unit.schemas import factories as messages
from worker.settings import Labels
from worker.store import DeadLettered, Labelled, Position, Scored, Skipped, Texts

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def minutes(count: float) -> datetime:
    """`count` minutes past noon."""
    return NOON + timedelta(minutes=count)


def at(offset: int, partition: int = 0, topic: str = "llm.responses") -> Position:
    return Position(topic, partition, offset)


def decision_id(response_id: str, fingerprint: str = "f-1") -> UUID:
    return uuid5(NAMESPACE_OID, f"{response_id} {fingerprint}")


def scored(offset: int = 0, response_id: str = "r-1", *, partition: int = 0, texts: Texts | None = None, **overrides: Any) -> Scored:
    fingerprint = overrides.get("fingerprint", "f-1")
    decision = messages.decision(**{"response_id": response_id, "decision_id": decision_id(response_id, fingerprint)} | overrides)
    texts = texts or said()
    return Scored(position=at(offset, partition), decision=decision, payload=encode(decision), texts=texts)


def said(**overrides: Any) -> Texts:
    return Texts(**{"question": "Which?", "response": "This.", "contexts": ("This it is.",)} | overrides)


def labelled(
    offset: int = 0,
    response_id: str = "r-1",
    label: int | str = 1,
    *,
    minute: float = 0,
    partition: int = 0,
    source: str = "human",
    annotator: str | None = None,
    **overrides: Any,
) -> Labelled:
    said = {"response_id": response_id, "label": label, "source": source, "annotator": annotator}
    name = uuid5(NAMESPACE_OID, f"{response_id} {label} {minute} {source} {annotator}")
    fields: dict[str, Any] = {"label_id": name, "labelled_at": minutes(minute), "precedence": Labels().weight(source)}
    event = LabelEvent.model_validate(said | {"labelled_at": minutes(minute)})
    return Labelled(position=at(offset, partition, "llm.labels"), label=event, **fields | overrides)


def dead_lettered(offset: int = 0, *, partition: int = 0, **overrides: Any) -> DeadLettered:
    fields: dict[str, Any] = {
        "topic": "llm.responses",
        "partition": partition,
        "offset": offset,
        "kind": "invalid",
        "field": "response",
        "reason": "is missing",
        "key_base64": "azE=",
        "original_base64": "AP8=",
        "headers": (("trace", "AAE="),),
        "failed_at": minutes(offset),
    }
    return DeadLettered.of(DeadLetter(**fields | overrides))


def message(payload: Any) -> dict[str, str]:
    """What a dead letter of this message has as its original: JSON, or bytes as they are."""
    raw = payload if isinstance(payload, bytes) else orjson.dumps(payload)
    return {"original_base64": base64.b64encode(raw).decode()}


def skipped(offset: int = 0, *, partition: int = 0) -> Skipped:
    return Skipped(position=at(offset, partition), reason="sampled_out")


def snapshot(**overrides: Any) -> AurocSnapshot:
    fields: dict[str, Any] = {
        "dataset": "travel",
        "model": "m-1",
        "window": 1000,
        "pairs": 2,
        "unscored": 0,
        "first_seq": 1,
        "last_seq": 2,
        "scores": {"final": Auroc(auroc=0.75, low=0.5, high=1.0, grounded=1, hallucinated=1)},
        "operating": Operating(false_positive_rate=0.0, precision=1.0, recall=None),
        "decisions": {Verdict.ACCEPT: 1, Verdict.REJECT: 1},
        "fingerprints": ("f-1",),
        "taken_at": NOON,
    }
    return AurocSnapshot(**fields | overrides)
