"""Seed 000: attribution, specificity, relevance, context quality and what follows from them."""

import re
from collections.abc import Sequence
from statistics import pstdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.reference.hybrid import CONTEXTS


class Gatekeeper:
    """`model` embeds (sentence-transformers); `hedges` are phrases that take from specificity."""

    def __init__(self, model: Any, hedges: Sequence[str]) -> None:
        self._model, self._hedges = model, hedges

    def score(self, question: str, response: str, contexts: Sequence[str]) -> dict[str, float]:
        """Every score of the seed for an answer to a question."""
        context = " ".join(contexts[:CONTEXTS])
        asked, said, told = _tokens(question), _tokens(response), _tokens(context)
        query, answer = self._model.encode(question), self._model.encode(response)
        grounding = _similarity(self._model.encode(context), answer)
        attribution = 0.6 * grounding + 0.4 * _jaccard(told, said)
        specificity = self._specificity(response)
        faithfulness = 0.7 * attribution + 0.3 * specificity
        best = max((_similarity(query, self._model.encode(sentence)) for sentence in _sentences(response)), default=0.0)
        relevance = 0.45 * _similarity(query, answer) + 0.35 * best + 0.2 * _jaccard(asked, said)
        quality = 0.5 * _f1(told, said) + 0.5 * grounding
        final = (0.45 * faithfulness + 0.25 * relevance + 0.2 * quality) / 0.9
        final *= 0.7 if relevance < 0.3 else 1.0
        return {
            "final": min(final, 0.4) if faithfulness < 0.35 else final,
            "attribution": attribution,
            "specificity": specificity,
            "faithfulness": faithfulness,
            "relevance": relevance,
            "context_quality": quality,
            "disagreement": round(pstdev((faithfulness, relevance, quality)), 4),
        }

    def _specificity(self, response: str) -> float:
        said = _tokens(response)
        if not said:
            return 0.0
        hedging = min(0.6, 0.15 * sum(phrase in response.lower() for phrase in self._hedges))
        return max(0.0, 0.4 * min(1.0, len(said) / 80) + 0.6 * len(set(said)) / len(said) - hedging)


def _similarity(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return max(0.0, float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other))))


def _tokens(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", text) if sentence.strip()]


def _jaccard(one: list[str], other: list[str]) -> float:
    left, right = set(one), set(other)
    return len(left & right) / len(left | right) if left or right else 0.0


def _f1(context: list[str], response: list[str]) -> float:
    left, right = set(context), set(response)
    shared = len(left & right)
    if not shared:
        return 0.0
    precision, recall = shared / len(right), shared / len(left)
    return 2 * precision * recall / (precision + recall)
