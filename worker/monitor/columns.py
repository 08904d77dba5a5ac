"""A set of pairs as arrays, kept up to date pair by pair, so that a snapshot need not touch every pair again."""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import numpy as np

from schemas import Auroc, Pair, Verdict
from worker.measurement.auroc import Counts, Flags, Floats, figures, placements

FINAL: Final = "final"

_FEW: Final = 8
"""Changes since the last figures up to which it is cheaper to shift placements than to rank anew."""


class Columns:
    """Scores, labels and verdicts of some pairs, one column a pair, in no particular order."""

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.fingerprints: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        self._rows: dict[str, int] = {}
        self._columns: dict[UUID, int] = {}
        self._ids: list[UUID] = []
        self._scores: Floats = np.full((1, 1), np.nan)
        self._placed: Floats = np.zeros((1, 1))
        """The placements of the scores, as long as no more than `_FEW` changes were made since they were last needed."""
        self._changes = _FEW + 1
        self._sizes: Counts = np.zeros((2, 1), dtype=np.int64)
        """Hallucinated and grounded pairs that have each score."""
        self._labels: Flags = np.zeros(1, dtype=np.bool_)
        self._accepted: Flags = np.zeros(1, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def names(self) -> Sequence[str]:
        """`final`, then every other score that a pair names, sorted."""
        return [FINAL, *sorted(name for name, pairs in self._names.items() if pairs and name != FINAL)]

    @property
    def final(self) -> Floats:
        """The final scores, NaN where a pair lacks it."""
        return self._scores[self._row(FINAL), : len(self)]

    def aurocs(self) -> dict[str, Auroc]:
        """The AUROC of every name, in the order of `names`."""
        rows = {name: self._row(name) for name in self.names}
        if self._changes > _FEW:
            self._placed[:, : len(self)] = placements(self._scores[:, : len(self)], self.labels)
        self._changes = 0
        found = figures(self._placed[:, : len(self)], self.labels, self._sizes)
        return {name: found[row] for name, row in rows.items()}

    @property
    def labels(self) -> Flags:
        """True where the label is 1."""
        return self._labels[: len(self)]

    @property
    def accepted(self) -> Flags:
        """True where the verdict is ACCEPT."""
        return self._accepted[: len(self)]

    def add(self, pair: Pair) -> None:
        """Put in a pair that is not there yet."""
        column = len(self)
        if column == self._labels.size:
            self._widen()
        self._columns[pair.decision_id] = column
        self._ids.append(pair.decision_id)
        for name in pair.scores.keys() - self._rows.keys():
            self._row(name)
        rows = [self._rows[name] for name in pair.scores]
        self._scores[rows, column] = np.array(list(pair.scores.values()), dtype=np.float64)
        self._labels[column] = pair.label == 1
        self._accepted[column] = pair.decision is Verdict.ACCEPT
        self._count(pair, column, 1)

    def remove(self, pair: Pair) -> None:
        """Take out a pair that is there, in the state in which it was added; the last column moves into its place."""
        column, last = self._columns.pop(pair.decision_id), len(self) - 1
        self._count(pair, column, -1)
        moved = self._ids.pop()
        if column != last:
            self._columns[moved] = column
            self._ids[column] = moved
            for array in (self._scores.T, self._placed.T, self._labels, self._accepted):
                array[column] = array[last]
        self._scores[:, last] = np.nan

    def _count(self, pair: Pair, column: int, step: int) -> None:
        self.verdicts[pair.decision] += step
        self.fingerprints[pair.fingerprint] += step
        (self._names.update if step > 0 else self._names.subtract)(list(pair.scores))
        self._sizes[int(pair.label == 1)] += step * ~np.isnan(self._scores[:, column])
        self._changes += 1
        if self._changes <= _FEW:
            self._shift(column, step)

    def _shift(self, column: int, step: int) -> None:
        """Bring the placements of all pairs up to date with a pair that comes (`step` 1) or goes (-1)."""
        scores, own, label = self._scores[:, : len(self)], self._scores[:, column], self._labels[column]
        above = (scores > own[:, np.newaxis]).view(np.int8) + (scores >= own[:, np.newaxis]).view(np.int8)  # doubled, ties half
        above *= self.labels != label
        self._placed[:, : len(self)] += step * above
        others = np.where(np.isnan(own), 0, self._sizes[int(not label)])
        self._placed[:, column] = 2 * others - above @ np.ones(len(self))

    def _row(self, name: str) -> int:
        row = self._rows.setdefault(name, len(self._rows))
        if row == len(self._scores):
            self._scores = np.vstack([self._scores, np.full_like(self._scores, np.nan)])
            self._placed = np.vstack([self._placed, np.zeros_like(self._placed)])
            self._sizes = np.hstack([self._sizes, np.zeros_like(self._sizes)])
        return row

    def _widen(self) -> None:
        self._scores = np.hstack([self._scores, np.full_like(self._scores, np.nan)])
        self._placed = np.hstack([self._placed, np.zeros_like(self._placed)])
        self._labels = np.resize(self._labels, 2 * self._labels.size)
        self._accepted = np.resize(self._accepted, 2 * self._accepted.size)
