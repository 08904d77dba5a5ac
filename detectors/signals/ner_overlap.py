"""Share of the response's named entities that stand in the contexts (seed 003, by normalised words)."""

from detectors.evidence import Evidence
from detectors.text import entity_key


def measure(evidence: Evidence) -> float | None:
    """0 to 1; None when the response names no entity."""
    keys = {key for entity in evidence.entities if (key := entity_key(entity)).strip()}
    if not keys:
        return None
    contexts = [entity_key(context) for context in evidence.passages.contexts]
    return sum(any(key in context for context in contexts) for key in keys) / len(keys)
