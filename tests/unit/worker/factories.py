"""Messages and collaborators for tests of the worker, each with overrides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
from prometheus_client import CollectorRegistry

from detectors import Answer, Assessment
from schemas import DeadLetter, Limits, ScoreStatus
from worker.kafka import Message
from worker.patience import Patience
from worker.redaction import Redaction
from worker.scorer import Poison
from worker.settings import Topics
from worker.store.memory import MemoryStore
from worker.telemetry import Telemetry
from worker.triage import Collaborators

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TOPICS = Topics()


@dataclass(frozen=True)
class Received:
    """A message as a Kafka client gives it."""

    value: bytes | None
    topic: str = TOPICS.responses
    partition: int = 0
    offset: int = 0
    key: bytes | None = None
    headers: Sequence[tuple[str, bytes]] = ()
    timestamp: int = 1_777_000_000_000


def response_message(offset: int = 0, *, partition: int = 0, **overrides: Any) -> Received:
    payload = {
        "response_id": f"r-{partition}-{offset}",
        "dataset": "helpdesk",
        "model": "alpha",
        "question": "How long does the battery last?",
        "contexts": ["The battery of the lamp lasts nine hours on one charge."],
        "response": "It lasts nine hours.",
    }
    return Received(orjson.dumps(payload | overrides), partition=partition, offset=offset)


def label_message(response_id: str, label: int = 1, *, offset: int = 0, **overrides: Any) -> Received:
    return Received(orjson.dumps({"response_id": response_id, "label": label} | overrides), topic=TOPICS.labels, offset=offset)


def scored(final: float = 0.8, **overrides: Any) -> Assessment:
    scores = {"final": final, "attribution": final, "specificity": 0.5, "relevance": final, "context_quality": final, "disagreement": 0.01}
    return Assessment.model_validate({"status": ScoreStatus.SCORED, "scores": scores, "evidence_coverage": 1.0} | overrides)


@dataclass
class RecordingPublisher:
    """Keeps what it is given, in order."""

    messages: list[Message] = field(default_factory=list)
    letters: list[DeadLetter] = field(default_factory=list)

    async def publish(self, messages: Sequence[Message]) -> None:
        self.messages += messages

    async def publish_dead_letters(self, topic: str, letters: Sequence[DeadLetter]) -> None:
        assert topic == TOPICS.dead_letters
        self.letters += letters

    def values(self, topic: str) -> list[bytes | None]:
        return [message.value for message in self.messages if message.topic == topic]


@dataclass
class FixedScorer:
    """Gives every answer the same result, poison to those that say so; counts what it was asked."""

    asked: list[Answer] = field(default_factory=list)
    result: Assessment = field(default_factory=scored)

    async def assess(self, answers: Sequence[Answer]) -> list[Assessment | Poison]:
        self.asked += answers
        return [Poison(reason="it kills") if "poison" in answer.response else self.result for answer in answers]


def collaborators(patience: Patience, **overrides: Any) -> Collaborators:
    return Collaborators(
        **{
            "store": MemoryStore(),
            "publisher": RecordingPublisher(),
            "patience": patience,
            "topics": TOPICS,
            "limits": Limits(),
            "telemetry": Telemetry(CollectorRegistry()),
            "redaction": Redaction(),
            "now": lambda: NOW,
        }
        | overrides
    )
