"""Someone's judgement of an answer."""

from typing import Literal

from pydantic import field_validator

from schemas.base import Moment, Name, Versioned


class LabelEvent(Versioned):
    """A label for one response (topic `llm.labels`). It may arrive before the response; a later one corrects an earlier one."""

    response_id: Name
    """The response that was judged."""
    label: Literal[0, 1]
    """1 = correct / grounded, 0 = hallucinated."""
    source: Name = "human"
    """Where the label comes from: human, judge, user_feedback, benchmark …"""
    annotator: Name | None = None
    """Who gave it."""
    labelled_at: Moment | None = None
    """When it was given; the message's own timestamp stands in where it is absent. The latest label of a response counts."""

    @field_validator("label", mode="before")
    @classmethod
    def _not_a_boolean(cls, label: object) -> object:
        """True == 1 in Python, but a sender of booleans may mean 'is a hallucination'."""
        if isinstance(label, bool | float):
            raise ValueError("must be the integer 1 (grounded) or 0 (hallucinated)")
        return label
