"""The answer as a whole: what the gatekeeper compares (seed 000), and the three measures of the hybrid (seed 003)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from detectors import profile
from detectors.encoder import Vector
from detectors.gatekeeper import Similarities, f1, jaccard, weighted_mean
from detectors.words import entity_key


class Whole(NamedTuple):
    """A text, or several as one."""

    tokens: Sequence[str]
    vector: Vector
    """Absent when it has no dimensions."""


class Texts(NamedTuple):
    """What is compared of an answer."""

    response: Whole
    context: Whole
    question: Whole | None


def similarities(
    response: Whole, context: Whole, question: Whole | None, *, sentences: Iterable[Vector], samples: Sequence[Vector], hedges: int
) -> Similarities:
    """What the gatekeeper's formulas take. `sentences` are the response's, `samples` further answers' vectors."""
    asked = question.vector if question and question.vector.size else None
    return Similarities(
        context_cosine=_clipped(context.vector, response.vector),
        context_overlap=jaccard(context.tokens, response.tokens),
        context_f1=f1(context.tokens, response.tokens),
        response_tokens=len(response.tokens),
        distinct_tokens=len(set(response.tokens)),
        hedges=hedges,
        question_cosine=None if asked is None else _clipped(asked, response.vector),
        question_overlap=jaccard(question.tokens, response.tokens) if question else None,
        best_sentence=None if asked is None else max(_present(_clipped(asked, vector) for vector in sentences), default=0.0),
        consistency=_mean(_present(_clipped(response.vector, sample) for sample in samples)),
    )


def hybrid(measures: Mapping[str, float | None], weigh: profile.Grounded) -> dict[str, float | None]:
    """`cosine`, `ner_overlap` and `tfidf_js` with `grounded`, the weighted mean of those present; divergence d supports by 1 / (1 + d).

    Without a cosine, most of it by weight, there is no `grounded`.
    """
    divergence = measures["tfidf_js"]
    supports = {**measures, "tfidf_js": None if divergence is None else 1 / (1 + divergence)}
    grounded = None if measures["cosine"] is None else weighted_mean(supports, weigh.model_dump())
    return {"grounded": grounded, **measures}


def cosine(response: Whole, context: Whole) -> float | None:
    """-1 to 1; None for absent vectors."""
    return float(response.vector @ context.vector) if response.vector.size else None


def ner_overlap(entities: Iterable[str], contexts: Iterable[str]) -> float | None:
    """Share of the response's named entities that stand in the contexts, by normalised words, 0 to 1; None without entities."""
    keys = {key for entity in entities if (key := entity_key(entity)).strip()}
    texts = [entity_key(context) for context in contexts] if keys else []
    return sum(any(key in text for text in texts) for key in keys) / len(keys) if keys else None


def tfidf_js(response: Sequence[str], context: Sequence[str], idf: Callable[[str], float]) -> float | None:
    """Jensen-Shannon divergence of both sides' TF-IDF, in nats: 0 for the same words in the same shares to ln 2 for none in common;
    None when one side has no words."""
    if not response or not context:
        return None
    mine, theirs = Counter(response), Counter(context)
    words = sorted(mine.keys() | theirs.keys())
    weights = np.array([idf(word) for word in words])
    return jensen_shannon(np.array([mine[word] for word in words]) * weights, np.array([theirs[word] for word in words]) * weights)


def jensen_shannon(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """Jensen-Shannon divergence of two non-negative vectors of one shape, in nats: 0 for the same direction, ln 2 for nothing shared.

    Source: seed 003, its small constants included.
    """
    p, q = p / (p.sum() + 1e-12), q / (q.sum() + 1e-12)
    middle = 0.5 * (p + q)
    return float(0.5 * (_kullback_leibler(p, middle) + _kullback_leibler(q, middle)))


def _kullback_leibler(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    present = a > 0
    return float((a[present] * np.log(a[present] / (b[present] + 1e-12))).sum())


def _clipped(one: Vector, other: Vector) -> float | None:
    return max(0.0, float(one @ other)) if one.size else None


def _present(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
