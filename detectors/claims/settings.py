"""What can be tuned about the `claims` detector: the section `claims` of a profile. The values stand in the profile alone."""

from importlib import import_module
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, SerializeAsAny, ValidationInfo, create_model

from detectors.claims import signals
from detectors.scores import claim_scores
from detectors.settings_file import Count, Section, Share, Weight


def _claim_signal(name: str) -> str:
    if name not in claim_scores():
        raise ValueError(f"there is no signal of that name; use one of {', '.join(sorted(claim_scores()))}")
    return name


def _positive(weights: dict[str, float]) -> dict[str, float]:
    """A weight of 0 switches a signal off, as none does."""
    return {name: weight for name, weight in weights.items() if weight}


def _some_weight(weights: dict[str, float]) -> dict[str, float]:
    if not weights:
        raise ValueError("needs a positive weight")
    return weights


ClaimSignal = Annotated[str, AfterValidator(_claim_signal)]


class Spans(Section):
    """When a claim is reported as what."""

    limit: Count
    """Most spans of one answer; the lowest scores are kept."""
    contradicting_from: Share
    """Share under `contradiction` from which a signal can make a contradiction by itself."""
    contradicted_below: Share
    """A contradicting signal below it is reported."""
    contradicted_from: Share
    """Support from which a claim counts as contradicted rather than unsupported."""
    supported_from: Share
    """Support below it is too little."""


class Matching(Section):
    """How a claim is matched with the contexts: what all signals look at."""

    soft_from: Annotated[float, Field(ge=0, lt=1)]
    """Cosine of two words' vectors from which they count as a partial match; 1 is a full one."""
    second: Share
    """Credit for what only a second sentence supports."""
    second_from: Share
    """Share of what the best sentence says of a claim that another must say to be evidence as well."""
    candidates: Count
    """Most context sentences in which a claim's facts are looked up."""
    candidates_from: Share
    """Share of the best sentence's score from which another one is among them: else what else was retrieved would count."""
    meaning: Weight
    """Weight of a sentence's likeness of meaning beside the share of the claim that it holds, where sentences are ranked."""
    near: Annotated[float, Field(gt=0)]
    """Words after which the pull of a neighbouring word has fallen to 1/e."""
    near_from: Share
    """Match above which a word pulls."""
    question_below: Annotated[int, Field(ge=0)]
    """Answers with fewer content words are read together with the question."""
    asked: Weight
    """Weight of the question's words beside a short answer's own."""
    least: Annotated[float, Field(gt=0)]
    """Least weight of a claim among the answer's claims; else the sum of its words' rarities."""


class Tables(Section):
    """Which lines of the contexts are rows of a table."""

    longest_row: Count
    """Characters from which on a line with separators is prose."""
    most_growth: Annotated[int, Field(ge=0)]
    """Most characters that spelled out rows may have, for each of the text's: headers times rows know no other bound."""


def _signals(given: object, info: ValidationInfo) -> dict[str, Section]:
    weighed = {*info.data.get("support", ()), *info.data.get("contradiction", ())}
    fields = {name: _entry(_kind(name), name in weighed) for name in sorted(claim_scores())}
    return {name: signal for name, signal in _validated(fields, given) if signal is not None}


def _validated(fields: dict[str, Any], given: object) -> Section:
    return create_model("Signals", __base__=Section, **fields).model_validate(given)


def _kind(name: str) -> type[Section]:
    """Looked up when a profile is read: the signals' modules import what imports this one."""
    kind: type[Section] = getattr(import_module(f"{signals.__name__}.{name}"), name.capitalize())
    return kind


def _entry(kind: type[Section], weighed: bool) -> Any:
    if not weighed:
        return kind | None, None
    return kind, ... if kind.model_fields else kind()


class Claims(Section):
    """Weights and settings of the `claims` detector."""

    support: Annotated[dict[ClaimSignal, Weight], AfterValidator(_positive), AfterValidator(_some_weight)]
    """Weights of what speaks for a claim; absent signals leave the mean."""
    contradiction: Annotated[dict[ClaimSignal, Share], AfterValidator(_positive)]
    """Share of the support that a signal at 0 takes away."""
    weakest: Share
    """Weight of the weakest claim beside the mean of all."""
    spans: Spans
    matching: Matching
    tables: Tables
    signals: Annotated[dict[str, SerializeAsAny[Section]], BeforeValidator(_signals)]
    """Each a `Signal` with its settings. Those of every signal with a weight must be given, unless it has nothing to set."""

    @property
    def names(self) -> tuple[str, ...]:
        """All signals with a weight, each once."""
        return tuple(dict.fromkeys((*self.support, *self.contradiction)))
