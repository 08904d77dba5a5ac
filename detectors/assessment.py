"""What a detector takes and what it gives."""

from pydantic import Field

from schemas import Offsets, ResponseEvent, ScoreStatus, Span
from schemas.base import Model, Score


class Answer(Model):
    """The texts that scoring needs, of any length and any characters."""

    question: str | None = None
    response: str
    contexts: tuple[str, ...]
    samples: tuple[str, ...] = ()
    """Further samples of the same answer."""
    redacted: bool = False
    """The sender has hidden a text; nothing is scored."""

    @classmethod
    def of(cls, event: ResponseEvent) -> "Answer":
        """The answer in a response event."""
        return cls(
            question=event.question,
            response=event.response,
            contexts=event.contexts,
            samples=event.samples,
            redacted=event.redacted,
        )


class Assessment(Model):
    """Scores of one answer, or the typed reason why there are none."""

    status: ScoreStatus
    scores: dict[str, Score | None]
    """`final` and every score behind it, higher = more grounded; None where there was nothing to measure.

    All None unless `status` is scored."""
    low_confidence_sentences: tuple[Offsets, ...] = ()
    """Sentences of the response whose best cosine to the contexts is below the profile's threshold."""
    spans: tuple[Span, ...] = ()
    evidence_coverage: float | None = None
    """Share of the contexts' characters that was read, 0 to 1; None without contexts."""
    context_truncated: bool = False
    """True when a limit cut the contexts or the response."""
    response_cut: bool = False
    """True when a part of the response was not looked at."""
    missing_signals: tuple[str, ...] = ()
    """Signals of the profile that had nothing to measure; when degraded, every score that is absent."""
    degraded: bool = False
    """True when a model was left out of scoring: what it would say is absent, and the other scores were read without it."""
    directions: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    """Where `question`, `response` and `context` lie, as far as they were embedded: see `detectors.direction`."""
    detail: str = ""
    """Why the status is not scored; never quotes the text."""
