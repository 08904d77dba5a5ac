"""How words of a claim match the words of the contexts, and how much the best sentences say."""

import numpy as np
from numpy.typing import NDArray

from detectors.claims.evidence import Evidence
from detectors.claims.settings import Matching

Array = NDArray[np.float32]


def match_words(stems: list[str], cosines: Array, evidence: Evidence, matching: Matching) -> Array:
    """(n, p) 0 to 1: 1 for the same stem, else how far the words' vectors are alike; numbers and names such as X2 match themselves only."""
    match: Array = np.clip((cosines - matching.soft_from) / (1 - matching.soft_from), 0.0, 1.0).astype(np.float32)
    for i, word in enumerate(stems):
        if any(map(str.isdigit, word)):
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


def two_best(by_sentence: Array, weights: Array, matching: Matching) -> tuple[Array, Array]:
    """(rows,) matches in the sentence that says most, and in it or the one that adds most to it among those that say at least
    `second_from` as much. Where they stand does not matter, so neither the order of the contexts nor where they are cut changes it, and
    passages that speak of something else add nothing."""
    said = np.round(weights @ by_sentence, 5)
    first = by_sentence[:, int(np.argmax(said))]
    added = (weights @ np.maximum(by_sentence - first[:, None], 0.0)) * (said >= matching.second_from * said.max())
    second = by_sentence[:, int(np.argmax(np.round(added, 5)))] if added.max(initial=0.0) > 0 else first
    return first, np.maximum(first, second)


def best_two(by_sentence: Array, weights: Array, matching: Matching) -> float:
    """Weighted share found in the best sentence, and `second` of what a second one adds."""
    first, both = two_best(by_sentence, weights, matching)
    return float((weights @ first + matching.second * (weights @ (both - first))) / max(1e-6, float(weights.sum())))
