"""One answer of the observed RAG system."""

from hashlib import sha256
from typing import Annotated, Final

from pydantic import Field, StringConstraints, field_validator

from schemas.base import Moment, Name, Text, Versioned

REDACTED: Final = "__REDACTED__"
"""OpenInference's marker for a value its sender has hidden."""


class ResponseEvent(Versioned):
    """A question, the contexts retrieved for it and the answer that was served (topic `llm.responses`)."""

    response_id: Name
    """Unique per served answer; with the detector fingerprint it determines the decision's id."""
    dataset: Name = "default"
    """The application or benchmark that the answer belongs to; half of its segment."""
    model: Name = "unknown"
    """The model that answered; the other half of its segment."""
    question: Text | None = None
    """What was asked, where there was a question. Relevance is absent without it."""
    contexts: tuple[Text, ...]
    """The passages that retrieval gave the model, in rank order; empty when it gave none."""
    response: Text
    """The answer as served."""
    samples: tuple[Text, ...] = ()
    """Further samples of the same answer, for self-consistency."""
    reference: Text | None = None
    """A reference answer, where the sender has one."""
    conversation_id: Name | None = None
    """The conversation the answer belongs to."""
    subject: Name | None = None
    """Whom the answer was for: a pseudonymous user id, by which the person's texts are erased. Kept as a hash, never published."""
    llm_latency_ms: Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)] | None = None
    """The LLM's own response time in milliseconds: the latency budget is stated against it."""
    created_at: Moment | None = None
    """When the answer was served."""
    attributes: dict[Name, Annotated[str, StringConstraints(strict=True, max_length=256)]] = Field(default_factory=dict)
    """Further dimensions (prompt version, language, tenant …), short strings."""

    @field_validator("subject", mode="before")
    @classmethod
    def _subject_as_text(cls, subject: object) -> object:
        """User ids are often numbers, and empty where nobody is signed in."""
        return (str(subject) if type(subject) is int else subject) or None

    @field_validator("attributes")
    @classmethod
    def _no_control_characters(cls, attributes: dict[str, str]) -> dict[str, str]:
        if any("\x00" in value for value in attributes.values()):
            raise ValueError("an attribute holds a NUL character")
        return attributes

    @property
    def redacted(self) -> bool:
        """True when a text that scoring needs has been hidden by the sender."""
        return REDACTED in (self.question, self.response, *self.contexts)


def subject_sha256(subject: str | None) -> str | None:
    """What is kept of a subject; None without one."""
    return None if subject is None else sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()
