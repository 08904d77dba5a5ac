"""Seed 003: cosine of whole texts, overlap of named entities, divergence of TF-IDF."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONTEXTS = 3
FEATURES = 4096


class Hybrid:
    """`model` embeds (sentence-transformers), `pipeline` names entities (spaCy)."""

    def __init__(self, model: Any, pipeline: Any) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - heavy

        self._model, self._pipeline = model, pipeline
        self._tfidf = TfidfVectorizer(max_features=FEATURES)

    def score(self, response: str, contexts: Sequence[str]) -> dict[str, float]:
        """`grounded` and its three parts. Raises ValueError when neither text has a word."""
        context = " ".join(contexts[:CONTEXTS])
        overlap = self._ner_overlap(response, context)
        [mine], [theirs] = self._model.encode([response]), self._model.encode([context])
        cosine = float(mine @ theirs / (np.linalg.norm(mine) * np.linalg.norm(theirs)))
        divergence = self._divergence(response, context)
        grounded = 0.5 * cosine + 0.3 * overlap + 0.2 / (1 + divergence)
        return {"grounded": grounded, "cosine": cosine, "ner_overlap": overlap, "tfidf_js": divergence}

    def _ner_overlap(self, response: str, context: str) -> float:
        named = {entity.text.lower() for entity in self._pipeline(response).ents}
        known = {entity.text.lower() for entity in self._pipeline(context).ents}
        return len(named & known) / len(named) if named else 0.0

    def _divergence(self, response: str, context: str) -> float:
        rows = self._tfidf.fit_transform([response, context]).toarray()
        p, q = (row / (row.sum() + 1e-12) for row in rows)
        middle = (p + q) / 2
        return (_kullback_leibler(p, middle) + _kullback_leibler(q, middle)) / 2


def _kullback_leibler(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    there = p > 0
    return float((p[there] * np.log(p[there] / (q[there] + 1e-12))).sum())
