"""Cosine of the whole response to all contexts (seed 003, windowed)."""

from detectors.evidence import Evidence


def measure(evidence: Evidence) -> float | None:
    """-1 to 1."""
    return float(evidence.response_vector @ evidence.context_vector)
