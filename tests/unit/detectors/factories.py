"""Answers to score."""

from detectors import Answer

CONTEXT = (
    "The Orvane lighthouse was built in 1911 by the engineer Marta Lindqvist. Its lamp reaches 24 nautical miles. "
    "The keeper's house has been a museum since 1987 and is open from May to September."
)


def answer(**overrides: object) -> Answer:
    """An answer that its context backs."""
    fields: dict[str, object] = {
        "question": "Who built the Orvane lighthouse, and when?",
        "response": "The Orvane lighthouse was built by Marta Lindqvist in 1911.",
        "contexts": (CONTEXT,),
    }
    return Answer.model_validate(fields | overrides)
