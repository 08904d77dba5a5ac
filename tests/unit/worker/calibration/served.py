"""Production as a store keeps it: answers, an hour apart until now, each labelled two hours after it was served."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from tests.integration.worker.store.factories import labelled, scored
from tests.unit.schemas.factories import decision


def served(model: str, fingerprint: str, *, count: int, start: int = 0, turns: float = 1.0) -> list[Any]:
    """Outcomes from offset `start` on. The signal `coverage` tells more than `final` does, until it turns round at the share `turns`."""
    draw, now = np.random.default_rng(5), datetime.now(UTC)
    grounded = draw.random(count) < 0.6
    final, coverage = (1 / (1 + np.exp(-(draw.normal(size=count) + gap * (grounded - 0.5)))) for gap in (1.0, 3.0))
    coverage = np.where(np.arange(count) > turns * count, 1 - coverage, coverage)
    meta = decision().meta.model_copy(update={"audit": True})
    outcomes: list[Any] = []
    for i in range(count):
        name, moment = f"{model}-{i}", now - timedelta(hours=count - i)
        hashes = {"response_sha256": f"{i:064d}", "contexts_sha256": (f"{start + i:064d}",)}
        scores = {"final": float(final[i]), "coverage": float(coverage[i])}
        row = {"model": model, "fingerprint": fingerprint, "decided_at": moment, "meta": meta, "scores": scores} | hashes
        outcomes.append(scored(start + i, name, **row))
        outcomes.append(labelled(start + i, name, int(grounded[i]), labelled_at=moment + timedelta(hours=2)))
    return sorted(outcomes, key=lambda one: one.position)
