"""The names of scores."""

from functools import cache
from pkgutil import iter_modules
from typing import Final

from detectors.claims import signals

GATEKEEPER: Final = (
    "final", "attribution", "specificity", "faithfulness", "relevance", "context_quality", "disagreement", "consistency",
)  # fmt: skip
"""Scores of the gatekeeper (seed 000). All lie in 0 to 1; disagreement alone falls as answers get better."""

HYBRID: Final = ("grounded", "cosine", "ner_overlap", "tfidf_js")
"""Seed 003's three measures behind their weighted mean. The divergence `tfidf_js` falls as answers get better."""


CLAIMS: Final = ("uncontradicted",)
"""What the `claims` detector gives beside its signals."""
CALIBRATED: Final = ("probability",)
"""That the answer is grounded, by a profile's calibration."""


@cache
def claim_scores() -> frozenset[str]:
    """The signals of the `claims` detector."""
    return frozenset(module.name for module in iter_modules(signals.__path__))


@cache
def known_scores() -> frozenset[str]:
    """Every score that some detector gives: those above and one per signal module."""
    return frozenset((*GATEKEEPER, *HYBRID, *CLAIMS, *CALIBRATED, *claim_scores()))
