"""Whether a candidate may be released: pure, from scores and labels to an outcome that says why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from worker.measurement.auroc import Flags, Floats
from worker.measurement.grouped import Difference, Figure, apart, compare, measure
from worker.settings import Gate


class Scored(NamedTuple):
    """A labelled answer."""

    response_sha256: str
    score: float | None
    grounded: bool


Side = Mapping[str, Mapping[str, Scored]]
"""By dataset, the labelled answers by response id."""


class Outcome(StrEnum):
    """What the gate says."""

    OK = "ok"
    WORSE = "worse"
    NOT_ENOUGH = "not_enough_labels"


@dataclass(frozen=True, kw_only=True)
class Result:
    """A dataset's part of the gate."""

    dataset: str
    outcome: Outcome
    reason: str
    paired: bool
    """True when both sides scored the same answers, so that the paired test holds."""
    compared: Difference
    """Baseline first, candidate second."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What the gate says of everything."""

    outcome: Outcome
    reasons: tuple[str, ...]
    """What stands against a release beyond the datasets' own results."""
    results: tuple[Result, ...]


_GRAVEST: Final = (Outcome.WORSE, Outcome.NOT_ENOUGH, Outcome.OK)


def judge(baseline: Side, candidate: Side, rule: Gate) -> Report:
    """Every dataset that both sides have, and whether those are enough of them."""
    results = tuple(_judge(name, baseline[name], candidate[name], rule) for name in sorted(baseline.keys() & candidate.keys()))
    reasons = tuple(_shortcomings(baseline, candidate, rule))
    found = {result.outcome for result in results} | ({Outcome.NOT_ENOUGH} if reasons else set())
    return Report(outcome=next(one for one in _GRAVEST if one in found), reasons=reasons, results=results)


def _shortcomings(baseline: Side, candidate: Side, rule: Gate) -> Iterator[str]:
    """Why the datasets are not enough."""
    both = baseline.keys() & candidate.keys()
    if not both:
        yield "no dataset has labelled answers on both sides"
    elif len(both) < rule.datasets:
        names = ", ".join(sorted(both)) or "none"
        yield f"{len(both)} datasets ({names}) are labelled on both sides; gate.datasets asks for {rule.datasets}: add some, or lower it"
    if rule.datasets and not both & set(rule.domain_specific):
        yield "gate.domain_specific names none of them; name the one that is of your own domain"
    if missing := sorted(set(rule.critical) - both):
        yield f"gate.critical names {', '.join(missing)}, without labelled answers on both sides"


def _judge(dataset: str, baseline: Mapping[str, Scored], candidate: Mapping[str, Scored], rule: Gate) -> Result:
    paired = any(one.response_sha256 == candidate[i].response_sha256 for i, one in baseline.items() if i in candidate)
    compared = _paired(baseline, candidate) if paired else apart(_measured(baseline), _measured(candidate))
    outcome, reason = weigh(compared, rule, rule.floor(dataset))
    return Result(dataset=dataset, outcome=outcome, reason=reason, paired=paired, compared=compared)


def _paired(baseline: Mapping[str, Scored], candidate: Mapping[str, Scored]) -> Difference:
    """On the answers that both have."""
    shared = [i for i in baseline if i in candidate and baseline[i].response_sha256 == candidate[i].response_sha256]
    first, labels = _columns([baseline[i] for i in shared])
    second, _ = _columns([candidate[i] for i in shared])
    return compare(first, second, labels)


def weigh(compared: Difference, rule: Gate, floor: float | None = None) -> tuple[Outcome, str]:
    """What a comparison comes to: the floor first, then the fall."""
    for side, figure in (("baseline", compared.first), ("candidate", compared.second)):
        if min(figure.grounded, figure.hallucinated) < rule.labels:
            have = f"{side} has {figure.grounded} grounded and {figure.hallucinated} hallucinated answers with a score"
            return Outcome.NOT_ENOUGH, f"{have}; gate.labels asks for {rule.labels} of each"
    area, difference, low, high = compared.second.auroc, compared.difference, compared.low, compared.high
    assert area is not None and difference is not None and low is not None and high is not None
    if floor is not None and area < floor:
        return Outcome.WORSE, f"AUROC {area:.3f} is below {floor:g}"
    if difference < -rule.delta and high < 0:
        return Outcome.WORSE, f"AUROC fell by {-difference:.3f}, more than {rule.delta:g}"
    if difference < -rule.delta:
        return Outcome.NOT_ENOUGH, f"AUROC fell by {-difference:.3f}, more than {rule.delta:g}, but so few labels bear out no fall at all"
    if rule.strict and low < -rule.delta:
        return Outcome.NOT_ENOUGH, f"a fall by {-low:.3f}, more than {rule.delta:g}, cannot be ruled out"
    return Outcome.OK, f"AUROC {area:.3f}, {difference:+.3f}"


def _measured(answers: Mapping[str, Scored]) -> Figure:
    scores, labels = _columns(answers.values())
    return measure(scores, labels, np.arange(labels.size))


def _columns(answers: Iterable[Scored]) -> tuple[Floats, Flags]:
    """Scores, NaN where absent, and labels."""
    rows = [(np.nan if one.score is None else one.score, one.grounded) for one in answers]
    return np.array([score for score, _ in rows], dtype=np.float64), np.array([grounded for _, grounded in rows], dtype=np.bool_)
