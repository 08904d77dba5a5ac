"""Someone's judgement of an answer."""

from typing import Literal

from pydantic import field_validator

from schemas.base import Moment, Name, Versioned


class LabelEvent(Versioned):
    """A label for one response (topic `llm.labels`). It may arrive before the response.

    Of several the one of the weightiest source counts (`labels.precedence` in the settings), of those the latest; all are kept.
    """

    response_id: Name
    """The response that was judged."""
    label: Literal[0, 1, "unsure"]
    """1 = correct / grounded, 0 = hallucinated; unsure: somebody looked and cannot tell, so that the answer counts in no figure."""
    source: Name = "human"
    """Where the label comes from: adjudication, human, benchmark, judge, user_feedback …"""
    annotator: Name | None = None
    """Who gave it."""
    labelled_at: Moment | None = None
    """When it was given; the message's own timestamp stands in where it is absent."""

    @field_validator("label", mode="before")
    @classmethod
    def _not_a_boolean(cls, label: object) -> object:
        """True == 1 in Python, but a sender of booleans may mean 'is a hallucination'."""
        if isinstance(label, bool | float):
            raise ValueError("must be the integer 1 (grounded) or 0 (hallucinated), or 'unsure'")
        return label

    @property
    def sure(self) -> Literal[0, 1] | None:
        """1 or 0; None where the annotator cannot tell."""
        return None if self.label == "unsure" else self.label
