"""From the claims' signals to one score, by reasoned weights: none is fitted to labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from detectors.claims.sentence import Part
from detectors.claims.settings import Claims
from detectors.gatekeeper import weighted_mean

Values = Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What the signals say of one claim, and what follows by the weights."""

    weight: float
    """Of the claim among the answer's claims."""
    values: Values
    support: float
    """Weighted mean of what speaks for it, 0 to 1."""
    score: float
    """That, cut by each contradiction."""
    measured: bool
    """Whether a supporting signal is present; without one, support and score are 0 and say nothing."""


@dataclass(frozen=True, kw_only=True)
class Finding(Judged):
    """The same with where the claim and its evidence stand."""

    claim: Part
    evidence: Part | None
    """The sentence of the contexts that speaks most of it; None when none does."""


def judge(weight: float, values: Values, weigh: Claims) -> Judged:
    """The claim by its signals."""
    backing = support(values, weigh)
    measured = backing is not None
    return Judged(
        weight=weight, values=values, support=backing or 0.0, score=(backing or 0.0) * contradicted(values, weigh), measured=measured
    )


def support(values: Values, weigh: Claims) -> float | None:
    """Weighted mean of the supporting signals that are present; None when none is."""
    return weighted_mean({name: values[name] for name in weigh.support}, weigh.support)


def contradicted(values: Values, weigh: Claims) -> float:
    """The factor, 0 to 1, that the contradicting signals leave."""
    factor = 1.0
    for name, share in weigh.contradiction.items():
        value = values[name]
        factor *= 1.0 if value is None else 1.0 - share * (1.0 - value)
    return factor


def uncontradicted(findings: Sequence[Judged]) -> float:
    """Share of its support that the claim most contradicted keeps, 0 to 1: one false sentence is enough to hold an answer back."""
    return min(finding.score / finding.support if finding.support else 1.0 for finding in findings)


def final(findings: Sequence[Judged], weakest: float) -> float:
    """The claims' mean by weight, and `weakest` of the lowest beside it: one false sentence spoils an answer."""
    scores = [finding.score for finding in findings]
    return (1 - weakest) * average(findings, scores) + weakest * min(scores)


def average(findings: Sequence[Judged], values: Sequence[float]) -> float:
    """Mean by the claims' weights."""
    return float(np.average(values, weights=[finding.weight for finding in findings]))


def over_claims(findings: Sequence[Judged], name: str) -> float | None:
    """A signal's mean over the claims that have it; None when none has."""
    present = [(finding.weight, value) for finding in findings if (value := finding.values[name]) is not None]
    return sum(w * v for w, v in present) / sum(w for w, _ in present) if present else None
