"""The same signals as the seeds', their faults mended.

Long texts are windowed instead of cut: a whole text's vector is the mean of its windows' by length, a sentence's support is its best
window. All contexts are read. Words are of any script. Entities are found in the response and looked up in the contexts by normalised
words. Divergence has a fixed idf. A signal with nothing to measure is absent, and the others' weights are renormalised.
"""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from detectors import gatekeeper
from detectors.assessment import Assessment
from detectors.encoder import Vector, Vectors
from detectors.evidence import Evidence, Passages, take_apart
from detectors.excerpt import Excerpt
from detectors.gatekeeper import Similarities, weighted_mean
from detectors.models import Models
from detectors.profile import Profile
from schemas import Offsets, ScoreStatus


class Signal(NamedTuple):
    """A module of `detectors.signals`."""

    measure: Callable[[Evidence], float | None]
    support: Callable[[float], float]


class WindowedMethod:
    """The gatekeeper's scores and the mean of the profile's signals, from one reading."""

    def __init__(self, profile: Profile, models: Models) -> None:
        self._profile, self._models = profile, models
        self._signals = {name: _signal(name) for name in profile.signals}

    def read(self, excerpt: Excerpt) -> Passages:
        """See Method."""
        return take_apart(excerpt, self._profile, self._models)

    def score(self, reading: Passages, vectors: Vectors) -> Assessment:
        """See Method."""
        evidence = Evidence(reading, vectors, self._profile, self._models.rarity, self._models.entities)
        measures = {name: signal.measure(evidence) for name, signal in self._signals.items()}
        supports = {name: None if value is None else self._signals[name].support(value) for name, value in measures.items()}
        return Assessment(
            status=ScoreStatus.SCORED,
            scores={
                **gatekeeper.score(similarities(evidence), self._profile.weights),
                "grounded": weighted_mean(supports, self._profile.signals),
                **measures,
            },
            low_confidence_sentences=_low_confidence(evidence),
            evidence_coverage=reading.excerpt.coverage,
            context_truncated=reading.excerpt.truncated or reading.sentences_cut,
            missing_signals=tuple(name for name, value in measures.items() if value is None),
        )


def similarities(evidence: Evidence) -> Similarities:
    """What the gatekeeper's formulas take."""
    response, context, asked = evidence.response_tokens, evidence.context_tokens, evidence.question_vector
    return Similarities(
        context_cosine=_clipped(evidence.context_vector, evidence.response_vector),
        context_overlap=gatekeeper.jaccard(context, response),
        context_f1=gatekeeper.f1(context, response),
        response_tokens=len(response),
        distinct_tokens=len(set(response)),
        hedges=gatekeeper.hedges(evidence.passages.response, evidence.profile.hedges),
        question_cosine=None if asked is None else _clipped(asked, evidence.response_vector),
        question_overlap=gatekeeper.jaccard(evidence.question_tokens, response),
        best_sentence=None if asked is None else max(0.0, float((evidence.sentence_vectors @ asked).max())),
        consistency=_consistency(evidence),
    )


def _low_confidence(evidence: Evidence) -> tuple[Offsets, ...]:
    supported = zip(evidence.passages.sentences, evidence.sentence_support, strict=True)
    return tuple(at for at, support in supported if support < evidence.profile.low_confidence_below)


def _consistency(evidence: Evidence) -> float | None:
    cosines = [_clipped(evidence.response_vector, sample) for sample in evidence.sample_vectors]
    return sum(cosines) / len(cosines) if cosines else None


def _clipped(one: Vector, other: Vector) -> float:
    return max(0.0, float(one @ other))


def _signal(name: str) -> Signal:
    module = import_module(f"detectors.signals.{name}")
    return Signal(module.measure, getattr(module, "support", float))
