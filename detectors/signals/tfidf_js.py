"""Jensen-Shannon divergence of the response's and the contexts' TF-IDF (seed 003, with a fixed idf), in nats."""

from collections import Counter

import numpy as np

from detectors.evidence import Evidence
from detectors.frequency import jensen_shannon


def measure(evidence: Evidence) -> float | None:
    """0 for the same words in the same shares to ln 2 for none in common; None when one side has no words."""
    response, context = Counter(evidence.response_tokens), Counter(evidence.context_tokens)
    if not response or not context:
        return None
    words = sorted(response.keys() | context.keys())
    idf = np.array([evidence.rarity.idf(word) for word in words])
    return jensen_shannon(np.array([response[word] for word in words]) * idf, np.array([context[word] for word in words]) * idf)


def support(divergence: float) -> float:
    """1 for no divergence, falling."""
    return 1 / (1 + divergence)
