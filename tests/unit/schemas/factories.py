"""Messages as senders write them, with overrides."""

from typing import Any

import orjson


def response(**overrides: Any) -> dict[str, Any]:
    return {
        "response_id": "r-1",
        "dataset": "travel",
        "model": "m-1",
        "question": "When does the ferry leave?",
        "contexts": ["The ferry leaves at nine."],
        "response": "At nine.",
    } | overrides


def label(**overrides: Any) -> dict[str, Any]:
    return {"response_id": "r-1", "label": 1} | overrides


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


def json(payload: Any) -> bytes:
    return orjson.dumps(payload)
