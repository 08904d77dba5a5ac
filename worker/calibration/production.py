"""Labelled answers of production: scores that are stored already, labels, and when either was known."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from detectors.scores import CALIBRATED
from schemas import Pair
from worker.calibration.labelled import Flags, Floats, Labelled, digest, group_texts
from worker.store import Served

_FINAL: Final = "final"


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Labelled answers that cannot serve, by why."""

    unscored: int = 0
    """Without scores, or expired."""
    degraded: int = 0
    """Scored without some of the models."""
    repeated: int = 0
    """Decided on more than once: one decision of each counts."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Scored by other detectors, by fingerprint."""

    def as_json(self) -> dict[str, Any]:
        """The counts by name."""
        return {"unscored": self.unscored, "degraded": self.degraded, "repeated": self.repeated, "other_fingerprints": dict(self.others)}


@dataclass(frozen=True, kw_only=True)
class Production:
    """Scored and labelled answers in the order in which they were served; all columns have a row for each."""

    data: Labelled
    served: Floats
    """Seconds since 1970, as for `labelled`."""
    labelled: Floats
    """When the label that counts was given."""
    audited: Flags
    """Chosen by chance to be labelled."""
    fingerprint: str
    """Of these decisions and labels."""

    @classmethod
    def of(cls, pairs: Iterable[Pair], answers: Mapping[UUID, Served], fingerprints: Collection[str]) -> tuple[Self, LeftOut]:
        """From the pairs with a sure label that a detector of one of `fingerprints` scored. Nothing is scored anew."""
        found = list(pairs)
        own = [pair for pair in found if pair.fingerprint in fingerprints]
        scored = [pair for pair in own if pair.scores.get(_FINAL) is not None and pair.decision_id in answers]
        whole = [pair for pair in scored if not answers[pair.decision_id].degraded]
        rows = list(_once_each(sorted(whole, key=lambda pair: (answers[pair.decision_id].at, pair.seq))))
        others = Counter(pair.fingerprint for pair in found if pair.fingerprint not in fingerprints)
        degraded = sum(answers[pair.decision_id].degraded for pair in own if pair.decision_id in answers)
        left_out = LeftOut(
            unscored=len(own) - len(whole) - degraded, degraded=degraded, repeated=len(whole) - len(rows), others=dict(others.most_common())
        )
        return cls._of(rows, [answers[pair.decision_id] for pair in rows]), left_out

    @classmethod
    def _of(cls, rows: list[Pair], answers: list[Served]) -> Self:
        groups = group_texts((one.question_sha256, one.response_sha256, one.contexts_sha256) for one in answers)
        return cls(
            data=Labelled.of([_signals(pair) for pair in rows], [pair.label == 1 for pair in rows], groups),
            served=np.array([one.at.timestamp() for one in answers], dtype=np.float64),
            labelled=np.array([pair.labelled_at.timestamp() for pair in rows], dtype=np.float64),
            audited=np.array([pair.audit for pair in rows], dtype=np.bool_),
            fingerprint=digest(f"{pair.decision_id}{pair.label_id}{pair.label}" for pair in rows),
        )

    def first_served(self) -> Floats:
        """When the first answer of each group was served."""
        numbers: NDArray[np.intp] = np.unique(self.data.groups, return_inverse=True)[1]
        first: Floats = np.full(numbers.max(initial=-1) + 1, np.inf)
        np.minimum.at(first, numbers, self.served)
        return first


def _once_each(pairs: Iterable[Pair]) -> Iterator[Pair]:
    seen: set[str] = set()
    for pair in pairs:
        if pair.response_id not in seen:
            seen.add(pair.response_id)
            yield pair


def _signals(pair: Pair) -> dict[str, float | None]:
    """Without what an earlier calibration made of them."""
    return {name: score for name, score in pair.scores.items() if name not in CALIBRATED}
