"""The field names of other tools, read as ours.

Order matters: the first name of a row that the payload holds wins, and our own name always stands first.
Sources: ragas (both generations), deepeval (snake and camel case), OpenInference span attributes, RAGTruth, LettuceDetect, AggreFact.
"""

import re
from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final

import orjson

from schemas.invalid import InvalidEvent

Names = Mapping[str, tuple[str, ...]]

RESPONSE_NAMES: Final[Names] = {
    "response_id": ("response_id", "id", "sample_id"),
    "dataset": ("dataset", "dataset_name"),
    "model": ("model", "model_name", "llm.model_name"),
    "question": ("question", "user_input", "input", "input.value", "query"),
    "contexts": (
        "contexts",
        "retrieved_contexts",
        "retrieval_context",
        "retrievalContext",
        "source_info",
        "context",
        "doc",
    ),
    "response": ("response", "answer", "actual_output", "actualOutput", "output.value", "claim"),
    "reference": ("reference", "ground_truth", "expected_output", "expectedOutput"),
    "subject": ("subject", "user_id", "userId", "user.id", "ce_subject"),
}

LABEL_NAMES: Final[Names] = {"label": ("label", "ground_truth_label"), "annotator": ("annotator", "annotator_id")}
"""An `id` on a label would be the label's own, so nothing stands in for its `response_id`."""

_RETRIEVED = re.compile(r"retrieval\.documents\.(\d{1,6})\.document\.content")


def canonical(payload: Mapping[str, Any], table: Names) -> dict[str, Any]:
    """`payload` with the foreign names of `table` replaced by ours, and a single context made a list. Unknown names stay as they are.

    Raises InvalidEvent for a source that is nested too deeply to be written as text.
    """
    flat = _without_span_envelope(payload)
    ours = dict(flat)
    for name, names in table.items():
        present = next((alias for alias in names if alias in flat), None)
        if present is not None and present != name:
            ours[name] = flat[present]
    if "contexts" not in ours and (documents := _openinference_documents(flat)):
        ours["contexts"] = documents
    if "contexts" in ours:
        ours["contexts"] = _as_list(ours["contexts"], ours)
    return ours


def _without_span_envelope(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """An OpenInference span keeps its fields under `attributes`; a dotted name there tells it from our own attributes.

    A span's `context` holds its ids, not what was retrieved: the span id names the response where nothing else does.
    """
    attributes = payload.get("attributes")
    if not (isinstance(attributes, Mapping) and "output.value" in attributes):
        return payload
    ids = payload.get("context")
    span_id = ids.get("span_id") if isinstance(ids, Mapping) else None
    envelope = {name: value for name, value in payload.items() if name not in ("attributes", "context")}
    return {**({"id": span_id} if span_id is not None else {}), **attributes, **envelope}


def _openinference_documents(flat: Mapping[str, Any]) -> list[Any]:
    numbered = [(int(match[1]), value) for name, value in flat.items() if (match := _RETRIEVED.fullmatch(name))]
    return [value for _, value in sorted(numbered, key=itemgetter(0))]


def _as_list(contexts: Any, ours: dict[str, Any]) -> Any:
    """One text becomes a list of one; RAGTruth's source is a mapping, of question and passages or of data to put into words."""
    if isinstance(contexts, str):
        return [contexts]
    source = ours.get("source_info")
    if contexts is not source or not isinstance(source, Mapping):
        return contexts
    if "passages" not in source:
        try:
            return [orjson.dumps(source).decode()]
        except orjson.JSONEncodeError:
            raise InvalidEvent("contexts", "is nested too deeply") from None
    ours.setdefault("question", source.get("question"))
    return [source["passages"]]
