"""The policy file: which scores lead to which decision. Data only; the worker's policy applies it."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from operator import ge, gt, le, lt
from string import Formatter
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from detectors.scores import known_scores
from detectors.settings_file import Section, Share, read
from schemas import ScoreStatus, Verdict


def _known(name: str) -> str:
    if name not in known_scores():
        raise ValueError(f"there is no score of that name; use one of {', '.join(sorted(known_scores()))}")
    return name


ScoreName = Annotated[str, AfterValidator(_known)]
FailureType = Literal["hallucination", "weak_grounding", "off_topic", "poor_retrieval", "uncertain", "none"]
HallucinationStatus = Literal["confirmed", "suspected", "none"]


def _limit(given: float | str) -> float | str:
    if given not in _THRESHOLDS if isinstance(given, str) else not 0 <= given <= 1:
        named = f"one of {', '.join(_THRESHOLDS)}, the thresholds of the profile's calibration"
        raise ValueError(f"must be a number from 0 to 1, as scores are, or {named}")
    return given


Limit = Annotated[float | str, AfterValidator(_limit)]
"""A figure, 0 to 1 as every score is, or the name of a threshold in the profile's calibration."""

_THRESHOLDS: Final = ("accept", "reject")

_SAID: Final = {"when": "", "thresholds": ""}
"""What every reason may name besides figures."""

_KEPT: Final[Mapping[str, Callable[[float, float], bool]]] = {"below": lt, "at_most": le, "above": gt, "at_least": ge}


class Bounds(Section):
    """Limits that a score must keep; all that are given must hold."""

    below: Limit | None = None
    at_most: Limit | None = None
    above: Limit | None = None
    at_least: Limit | None = None

    @property
    def thresholds(self) -> set[str]:
        """The names among the limits."""
        return {limit for _, limit in self if isinstance(limit, str)}

    def hold(self, score: float | None, thresholds: Mapping[str, float]) -> bool:
        """True when `score` is present and within every limit. One that `thresholds` does not have is never kept."""
        if score is None:
            return False
        for keeps, limit in self._sides:
            figure = _figure(limit, thresholds)
            if figure is None or not keeps(score, figure):
                return False
        return True

    @cached_property
    def _sides(self) -> tuple[tuple[Callable[[float, float], bool], float | str], ...]:
        """The comparisons that are asked for, each with its limit."""
        return tuple((_KEPT[side], limit) for side, limit in self if limit is not None)

    def compare(self, score: float, thresholds: Mapping[str, float]) -> str:
        """A score that is within the limits, beside them: `0.312 is below 0.35`. To six digits where three would lie beyond one."""
        shown = f"{score:.3f}" if self.hold(float(f"{score:.3f}"), thresholds) else f"{score:.6f}"
        limits = [f"{side.replace('_', ' ')} {_figure(limit, thresholds):g}" for side, limit in self if limit is not None]
        return f"{shown} is {' and '.join(limits)}" if limits else shown


def _figure(limit: float | str, thresholds: Mapping[str, float]) -> float | None:
    return thresholds.get(limit) if isinstance(limit, str) else limit


Condition = dict[ScoreName, Bounds]
"""Holds when every named score is within its bounds."""


class Outcome(Section):
    """What is decided."""

    decision: Verdict
    failure_type: FailureType
    next_action: str
    action_why: str
    reason: str
    """A template over the scores and thresholds that the rule reads, such as `{attribution:.3f}`; with a threshold, `{alpha}` as well.

    `{when}` is the whole condition in figures (`final=0.312 is below 0.35`), `{thresholds}` every threshold of the calibration.
    """


class Rule(Outcome):
    """One rule: its outcome applies when its whole condition holds."""

    name: str
    when: Condition
    hallucination: HallucinationStatus | None = None
    """Replaces the status that the scores give."""

    @model_validator(mode="after")
    def _reason_renders(self) -> Self:
        fields = {field for _, field, _, _ in Formatter().parse(self.reason) if field is not None}
        thresholds = {name for bounds in self.when.values() for name in bounds.thresholds}
        if unread := fields - set(self.when) - thresholds - ({"alpha"} if thresholds else set()) - _SAID.keys():
            raise ValueError(f"reason: names {', '.join(sorted(unread))}, which the rule does not read")
        try:
            self.reason.format_map(dict.fromkeys(fields, 0.5) | _SAID)
        except ValueError as broken:
            raise ValueError(f"reason: {broken}") from None
        return self

    def explain(self, scores: Mapping[str, float | None], thresholds: Mapping[str, float]) -> str:
        """The reason with the figures in it; the condition must hold."""
        said = {
            "when": ", ".join(f"{name}={bounds.compare(scores[name] or 0.0, thresholds)}" for name, bounds in self.when.items()),
            "thresholds": ", ".join(f"{name} {thresholds[name]:g}" for name in _THRESHOLDS if name in thresholds) or "none",
        }
        return self.reason.format_map({**scores, **thresholds, **said})


class Degraded(Outcome):
    """What becomes of an answer scored without all models whose decision is too close a call to stand."""

    hallucination: HallucinationStatus
    stands: dict[Verdict, Condition]
    """The decisions that stand, each when its condition holds. Those that are not named stand always."""


class Hallucination(Section):
    """When a hallucination is confirmed or suspected: one of the conditions holds, confirmed ones first."""

    confirmed: tuple[Condition, ...]
    suspected: tuple[Condition, ...]


class Confidence(Section):
    """Weights of the confidence figure (seed 000): margin to the threshold, attribution, agreement."""

    threshold: Share
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
    unread: Outcome
    """The outcome of an answer that would be accepted although a part of it was not looked at."""
    degraded: Degraded | None = None
    """Needed by a profile with `shedding`."""
    hallucination_status: Hallucination
    confidence: Confidence

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        if twice := [name for name, count in Counter(rule.name for rule in self.rules).items() if count > 1]:
            raise ValueError(f"rules: two rules are called {twice[0]}; give each a name of its own, since decisions say it")
        return self

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
