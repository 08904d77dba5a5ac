"""What groundwatch says about one answer."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from schemas.base import Model, Name, Score, Versioned


class Verdict(StrEnum):
    """What to do with the answer."""

    ACCEPT = "ACCEPT"
    REVIEW = "REVIEW"
    REJECT = "REJECT"


class ScoreStatus(StrEnum):
    """Whether there is a score, and if not, why. Absent scores stand outside AUROC and every mean."""

    SCORED = "scored"
    ABSTAINED = "abstained"
    """A refusal, or an answer without a checkable claim."""
    NO_CONTEXT = "no_context"
    """Nothing was retrieved, so nothing can ground the answer."""
    REDACTED = "redacted"
    """The sender has hidden a text that scoring needs."""
    ERROR = "error"
    """The detector failed on this event; the worker's log names it."""


class Offsets(Model):
    """A stretch of a text, in characters: `text[start:end]`."""

    start: int
    end: int


class Span(Offsets):
    """A stretch of the response and what the contexts say about it."""

    category: Literal["supported", "contradiction", "unsupported_addition", "fabricated_reference"]
    signal: str
    """The signal that found it."""
    context: int | None = None
    """Index of the context it was held against."""
    context_start: int | None = None
    """Where the evidence starts in that context."""
    context_end: int | None = None
    """Where it ends."""


class Explanations(Model):
    """Why. Offsets, not text: decisions carry no private text."""

    reason: str
    """The rule that decided, with the figures it looked at."""
    low_confidence_sentences: tuple[Offsets, ...] = ()
    """Sentences of the response whose best support in the contexts is below the profile's threshold."""
    spans: tuple[Span, ...] = ()
    """Claims and their support."""
    shortened: bool = False
    """True when the topic takes no message of this size: sentences and spans stand in the store alone."""


class Meta(Model):
    """How the decision came about."""

    passed: bool
    """True for ACCEPT."""
    used_llm_judge: bool = False
    """Whether an LLM judge was asked."""
    latency_ms: float
    """Time from taking the event in hand to its decision, in milliseconds."""
    llm_latency_ms: float | None = None
    """The LLM's own response time in milliseconds, as the event said."""
    profile: str
    """The detector profile."""
    rule: str
    """Name of the policy rule that decided."""
    encoder: str
    """The embedding model, or `tfidf-fallback` when none could be loaded."""
    evidence_coverage: float | None = None
    """Share of the contexts' characters that the scoring read."""
    context_truncated: bool = False
    """True when a limit cut the contexts or the response."""
    audit: bool = False
    """True when chance chose it to be labelled, whatever was decided: labels of such answers tell how good all decisions are."""
    missing_signals: tuple[str, ...] = ()
    """Signals of the profile that had nothing to measure in this event; when degraded, every score that is absent."""


class Traits(Model):
    """What the texts were like, without saying what they said: what drift of the inputs is seen by."""

    question_characters: int | None
    response_characters: int
    contexts: int
    """How many passages retrieval gave."""
    context_characters: int
    directions: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    """Where `question`, `response` and `context` lie among all texts: eight products of each's embedding with random axes."""


class Decision(Versioned):
    """The decision on one response (topic `llm.decisions`, table `decisions`)."""

    decision_id: UUID
    """UUIDv5 of response id and fingerprint: a redelivered response gives the same one."""
    response_id: Name
    dataset: Name
    model: Name
    conversation_id: Name | None = None
    decision: Verdict
    confidence_pct: int | None
    """Confidence in the decision, 0 to 100; null without a score."""
    failure_type: Literal["hallucination", "weak_grounding", "off_topic", "poor_retrieval", "uncertain", "none"]
    hallucination_status: Literal["confirmed", "suspected", "none"]
    next_action: str
    """What the serving path should do."""
    action_why: str
    score_status: ScoreStatus
    scores: dict[str, Score | None]
    """`final` and each score behind it, higher = more grounded; null where there was nothing to measure."""
    explanations: Explanations
    meta: Meta
    fingerprint: str
    """Covers profile, weights, thresholds and model hashes of the detector."""
    question_sha256: str | None
    response_sha256: str
    contexts_sha256: tuple[str, ...]
    enforced: bool = True
    """False for a decision in shadow: beside it stands one of another detector that binds."""
    degraded: bool = False
    """True when overload left models out of the scoring: see `meta.missing_signals`."""
    traits: Traits | None = None
    """Of the texts; null in decisions from before there were any."""
    dimensions: dict[Name, str] = Field(default_factory=dict)
    """Those of the event's attributes that the settings name (prompt version, language, tenant …): what figures may be told apart by."""
    created_at: datetime | None = None
    """When the answer was served, as the event said."""
    decided_at: datetime

    def to_dict(self, response: str) -> dict[str, Any]:
        """The decision as JSON-ready values in the gatekeeper's shape, its low-confidence sentences as text cut from `response`."""
        shape = self.model_dump(mode="json")
        shape["explanations"]["low_confidence_sentences"] = [
            response[at.start : at.end] for at in self.explanations.low_confidence_sentences
        ]
        return shape
