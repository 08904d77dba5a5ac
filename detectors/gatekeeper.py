"""Seed 000's formulas. Pure: similarities in, scores out. Every figure they use stands in the profile."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import pstdev

from detectors import profile


@dataclass(frozen=True, kw_only=True)
class Similarities:
    """What the formulas take. Cosines and overlaps lie in 0 to 1; None where there was nothing to compare."""

    context_cosine: float | None
    """Contexts and response."""
    context_overlap: float
    context_f1: float
    response_tokens: int
    distinct_tokens: int
    hedges: int
    question_cosine: float | None = None
    """Question and response."""
    question_overlap: float | None = None
    best_sentence: float | None = None
    """Highest cosine of a response sentence to the question."""
    consistency: float | None = None
    """Mean cosine of the response to its further samples."""


def score(given: Similarities, weigh: profile.Weights) -> dict[str, float | None]:
    """Every score of the gatekeeper by name. Relevance is absent without a question, consistency without samples, all that takes a cosine
    without one."""
    grounding = attribution(given.context_cosine, given.context_overlap, weigh.attribution)
    concreteness = specificity(given.response_tokens, given.distinct_tokens, given.hedges, weigh.specificity)
    parts = {
        "faithfulness": faithfulness(grounding, concreteness, weigh.faithfulness),
        "relevance": relevance(given.question_cosine, given.best_sentence, given.question_overlap, weigh.relevance),
        "context_quality": context_quality(given.context_f1, given.context_cosine, weigh.context_quality),
    }
    return {
        "final": final({**parts, "consistency": given.consistency}, weigh.final),
        "attribution": grounding,
        "specificity": concreteness,
        **parts,
        "consistency": given.consistency,
        "disagreement": disagreement(parts.values()),
    }


def attribution(semantic: float | None, overlap: float, weigh: profile.Attribution) -> float | None:
    """Whether the contexts back the response; None without a cosine."""
    return None if semantic is None else weigh.semantic * semantic + weigh.overlap * overlap


def specificity(tokens: int, distinct: int, hedges: int, weigh: profile.Specificity) -> float:
    """Whether the response is concrete. A response without tokens is not: 0."""
    if tokens == 0:
        return 0.0
    length = min(1.0, tokens / weigh.full_length)
    return max(0.0, weigh.length * length + weigh.richness * distinct / tokens - min(weigh.most_hedging, weigh.hedge * hedges))


def faithfulness(attribution: float | None, specificity: float, weigh: profile.Faithfulness) -> float | None:
    """Grounding first, concreteness second; None when grounding is absent."""
    return None if attribution is None else weigh.attribution * attribution + weigh.specificity * specificity


def relevance(semantic: float | None, best_sentence: float | None, overlap: float | None, weigh: profile.Relevance) -> float | None:
    """Whether the response addresses the question; None without one."""
    if semantic is None or best_sentence is None or overlap is None:
        return None
    return weigh.semantic * semantic + weigh.best_sentence * best_sentence + weigh.overlap * overlap


def context_quality(f1: float, semantic: float | None, weigh: profile.ContextQuality) -> float | None:
    """Whether contexts and response cover each other; None without a cosine."""
    return None if semantic is None else weigh.f1 * f1 + weigh.semantic * semantic


def final(parts: Mapping[str, float | None], weigh: profile.Final) -> float | None:
    """The weighted mean of the parts that are present, lowered when off topic, capped when unfaithful; None when none is."""
    mean = weighted_mean(parts, {name: float(getattr(weigh, name)) for name in parts})
    if mean is None:
        return None
    on_topic, faithful = parts.get("relevance"), parts.get("faithfulness")
    if on_topic is not None and on_topic < weigh.off_topic_below:
        mean *= weigh.off_topic_factor
    if faithful is not None and faithful < weigh.unfaithful_below:
        mean = min(mean, weigh.unfaithful_cap)
    return mean


def disagreement(scores: Iterable[float | None]) -> float:
    """Population standard deviation of the scores that are present, to 4 digits; 0 for fewer than two."""
    present = [score for score in scores if score is not None]
    return round(pstdev(present), 4) if len(present) > 1 else 0.0


def weighted_mean(scores: Mapping[str, float | None], weights: Mapping[str, float]) -> float | None:
    """The mean over the scores that are present and have weight; None when none has."""
    present = {name: score for name, score in scores.items() if score is not None and weights.get(name)}
    total = sum(weights[name] for name in present)
    return sum(weights[name] * score for name, score in present.items()) / total if total else None


def jaccard(one: Sequence[str], other: Sequence[str]) -> float:
    """Shared tokens over all tokens, as sets; 0 when there are none."""
    left, right = set(one), set(other)
    return len(left & right) / len(left | right) if left or right else 0.0


def f1(context: Sequence[str], response: Sequence[str]) -> float:
    """Harmonic mean of precision (response tokens found in the context) and recall (context tokens found in the response), as sets."""
    left, right = set(context), set(response)
    shared = len(left & right)
    return 2 * shared / (len(left) + len(right)) if shared else 0.0


def hedges(response: str, phrases: Sequence[str]) -> int:
    """How many of the hedge phrases stand in the response."""
    lowered = response.lower()
    return sum(phrase in lowered for phrase in phrases)
