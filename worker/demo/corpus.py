"""The demo's answers, written by hand: what was retrieved, what a RAG system said, and whether that is grounded."""

from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any, Final, Literal

import yaml

from schemas import ResponseEvent

MODELS: Final = ("atlas-large", "swift-mini")


class Kind(StrEnum):
    """How an answer relates to its passages."""

    FAITHFUL = "faithful"
    PARAPHRASE = "paraphrase"
    REFUSAL = "refusal"
    ENTITY_SWAPPED = "entity_swapped"
    NUMBER_CHANGED = "number_changed"
    CLAUSE_ADDED = "clause_added"
    OFF_TOPIC = "off_topic"

    @property
    def label(self) -> Literal[0, 1]:
        """1 = grounded; to refuse is no hallucination either."""
        return 1 if self in (Kind.FAITHFUL, Kind.PARAPHRASE, Kind.REFUSAL) else 0


@dataclass(frozen=True, kw_only=True)
class Example:
    """One answer and what is known about it."""

    kind: Kind
    event: ResponseEvent


def load_corpus() -> tuple[Example, ...]:
    """Every answer, in the order of the file; the models take turns."""
    cases = yaml.safe_load(files("worker.demo").joinpath("corpus.yaml").read_text(encoding="utf-8"))
    passages = {case["id"]: case["passage"] for case in cases}
    answers = [(case, Kind(kind), answer) for case in cases for kind, answer in case["answers"].items()]
    return tuple(
        _example(case, kind, answer, passages, MODELS[number % len(MODELS)]) for number, (case, kind, answer) in enumerate(answers)
    )


def _example(case: dict[str, Any], kind: Kind, answer: str, passages: dict[str, str], model: str) -> Example:
    event = ResponseEvent(
        response_id=f"{case['id']}-{kind}",
        dataset=case["application"],
        model=model,
        question=case["question"],
        contexts=tuple(passages[name] for name in (case["id"], *case.get("also", ()))),
        response=answer,
    )
    return Example(kind=kind, event=event)
