"""The policy file: which scores lead to which decision. Data only; the worker's policy applies it."""

from string import Formatter
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from detectors.scores import known_scores
from detectors.settings_file import Section, read
from schemas import ScoreStatus, Verdict


def _known(name: str) -> str:
    if name not in known_scores():
        raise ValueError(f"there is no score of that name; use one of {', '.join(sorted(known_scores()))}")
    return name


ScoreName = Annotated[str, AfterValidator(_known)]
FailureType = Literal["hallucination", "weak_grounding", "off_topic", "poor_retrieval", "uncertain", "none"]
HallucinationStatus = Literal["confirmed", "suspected", "none"]


class Bounds(Section):
    """Limits that a score must keep; all that are given must hold."""

    below: float | None = None
    at_most: float | None = None
    above: float | None = None
    at_least: float | None = None

    def hold(self, score: float | None) -> bool:
        """True when `score` is present and within every limit."""
        return score is not None and (
            (self.below is None or score < self.below)
            and (self.at_most is None or score <= self.at_most)
            and (self.above is None or score > self.above)
            and (self.at_least is None or score >= self.at_least)
        )


Condition = dict[ScoreName, Bounds]
"""Holds when every named score is within its bounds."""


class Outcome(Section):
    """What is decided."""

    decision: Verdict
    failure_type: FailureType
    next_action: str
    action_why: str
    reason: str
    """A template over the scores that the rule reads, such as `{attribution:.3f}`."""


class Rule(Outcome):
    """One rule: its outcome applies when its whole condition holds."""

    name: str
    when: Condition
    hallucination: HallucinationStatus | None = None
    """Replaces the status that the scores give."""

    @model_validator(mode="after")
    def _reason_renders(self) -> Self:
        fields = {field for _, field, _, _ in Formatter().parse(self.reason) if field is not None}
        if unread := fields - set(self.when):
            raise ValueError(f"reason: names {', '.join(sorted(unread))}, which the rule does not read")
        try:
            self.reason.format_map(dict.fromkeys(fields, 0.5))
        except ValueError as broken:
            raise ValueError(f"reason: {broken}") from None
        return self


class Hallucination(Section):
    """When a hallucination is confirmed or suspected: one of the conditions holds, confirmed ones first."""

    confirmed: tuple[Condition, ...]
    suspected: tuple[Condition, ...]


class Confidence(Section):
    """Weights of the confidence figure (seed 000): margin to the threshold, attribution, agreement."""

    threshold: float
    slope: float
    margin: float
    attribution: float
    agreement: float
    scale: float = Field(gt=0)


class Rules(Section):
    """A whole policy."""

    rules: tuple[Rule, ...] = Field(min_length=1)
    """In order; the first whose condition holds decides."""
    absences: dict[ScoreStatus, Outcome]
    """The outcome of every status without scores."""
    hallucination_status: Hallucination
    confidence: Confidence

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.rules[-1].when:
            raise ValueError(f"rules: the last rule, {self.rules[-1].name}, must have an empty `when`, so that every answer is decided")
        if missing := set(ScoreStatus) - {ScoreStatus.SCORED} - set(self.absences):
            raise ValueError(f"absences: {', '.join(sorted(missing))} must be given")
        return self


def load_rules(name_or_path: str) -> Rules:
    """The policy of that name in configs/policies, or in the file at a path. Raises ProfileError naming file, rule and key."""
    return read("policies", name_or_path, Rules)
