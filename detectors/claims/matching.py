"""How words of a claim match the words of the contexts, and how much the best sentences say."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.claims.evidence import Evidence

Array = NDArray[np.float32]

SOFT_FROM: Final = 0.65
"""Cosine of two words' vectors from which they count as a partial match; 1 is a full one."""
SECOND: Final = 0.7
"""Credit for what only a second sentence supports."""
SPEAKS: Final = 0.5
"""Share of what the best sentence says of a claim that another must say to be evidence as well."""


def match_words(stems: list[str], cosines: Array, evidence: Evidence) -> Array:
    """(n, p) 0 to 1: 1 for the same stem, else how far the words' vectors are alike; numbers match themselves only."""
    match: Array = np.clip((cosines - SOFT_FROM) / (1 - SOFT_FROM), 0.0, 1.0).astype(np.float32)
    for i, word in enumerate(stems):
        if word[0].isdigit():
            match[i] = 0.0
        if word in evidence.where:
            match[i, evidence.where[word]] = 1.0
    return match


def best_by_sentence(matrix: Array, evidence: Evidence) -> Array:
    """(rows, p) to (rows, s) by the maximum over each sentence's words."""
    if not matrix.size:
        return np.zeros((len(matrix), len(evidence.sentences)), np.float32)
    best: Array = np.maximum.reduceat(matrix, evidence.starts[:-1], axis=1)
    return best


def two_best(by_sentence: Array, weights: Array) -> tuple[Array, Array]:
    """(rows,) matches in the sentence that says most, and in it or the one that adds most to it among those that say at least SPEAKS as
    much. Where they stand does not matter, so neither the order of the contexts nor where they are cut changes it, and passages that
    speak of something else add nothing."""
    said = np.round(weights @ by_sentence, 5)
    first = by_sentence[:, int(np.argmax(said))]
    added = (weights @ np.maximum(by_sentence - first[:, None], 0.0)) * (said >= SPEAKS * said.max())
    second = by_sentence[:, int(np.argmax(np.round(added, 5)))] if added.max(initial=0.0) > 0 else first
    return first, np.maximum(first, second)


def best_two(by_sentence: Array, weights: Array) -> float:
    """Weighted share found in the best sentence, and SECOND of what a second one adds."""
    first, both = two_best(by_sentence, weights)
    return float((weights @ first + SECOND * (weights @ (both - first))) / max(1e-6, float(weights.sum())))
