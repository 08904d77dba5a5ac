"""Pairs and windows' truth, with overrides."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from schemas import Pair, ScoreStatus, Verdict
from worker.store.protocol import Segment

SEGMENT = Segment("travel", "m-1")
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)


def pair(seq: int = 1, **overrides: Any) -> Pair:
    fields: dict[str, Any] = {
        "seq": seq,
        "decision_id": UUID(int=seq),
        "response_id": f"r-{seq}",
        "dataset": SEGMENT.dataset,
        "model": SEGMENT.model,
        "label": seq % 2,
        "label_id": UUID(int=1000 + seq),
        "labelled_at": EPOCH,
        "decision": Verdict.ACCEPT,
        "score_status": ScoreStatus.SCORED,
        "scores": {"final": 0.5, "cosine": 0.4},
        "fingerprint": "f-1",
    }
    return Pair(**fields | overrides)


def corrected(old: Pair, *, seconds: int = 1, **overrides: Any) -> Pair:
    """The pair after a later label."""
    later = {
        "label": 0 if old.label else 1,
        "label_id": UUID(int=old.label_id.int + seconds),
        "labelled_at": old.labelled_at + timedelta(seconds=seconds),
    }
    return old.model_copy(update=later | overrides)
