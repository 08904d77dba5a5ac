"""Labelled decisions as the default profile makes them: 29 scores, some continuous, some mostly tied, some mostly absent."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from schemas import Pair, ScoreStatus, Verdict

SCORES: Final = 29
EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
SEED: Final = 5


def pairs(count: int, first: int = 1) -> Iterator[Pair]:
    """`count` pairs of one segment with ascending `seq` from `first` on."""
    rng = random.Random(SEED + first)
    for seq in range(first, first + count):
        label = rng.randrange(2)
        yield Pair(
            seq=seq,
            decision_id=UUID(int=seq),
            response_id=f"response-{seq}",
            dataset="scaling",
            model="one",
            label=label,
            label_id=UUID(int=seq),
            labelled_at=EPOCH,
            decision=rng.choice(list(Verdict)),
            score_status=ScoreStatus.SCORED,
            scores=scores(rng, label),
            fingerprint="scaling",
        )


def scores(rng: random.Random, label: int) -> dict[str, float | None]:
    """`final` and the others, in thirds: continuous; 1 more often than not; absent more often than not."""
    return {"final" if number == 0 else f"signal_{number}": _score(rng, label, number % 3) for number in range(SCORES)}


def _score(rng: random.Random, label: int, kind: int) -> float | None:
    if kind and rng.random() < 0.7:
        return 1.0 if kind == 1 else None
    return round(min(1.0, max(0.0, rng.gauss(0.5 + 0.1 * label, 0.2))), 6)
