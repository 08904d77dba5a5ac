"""Rolling windows over labelled decisions. No broker, no clock: pairs and times come in, snapshots go out."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from sortedcontainers import SortedDict

from schemas import AurocSnapshot, Pair, Verdict
from worker.measurement.auroc import operating
from worker.monitor.columns import Columns
from worker.store.protocol import Segment

Version = tuple[int, datetime, UUID]
"""Of a pair: the weight of its label's source, when the label was given, and which label that is."""


class Window:
    """The pairs of one segment with the highest `seq`, at most `size` of them.

    Whatever order pairs come in, however often, and whichever corrections: the same set of pairs leaves the same window.
    """

    def __init__(self, segment: Segment, size: int) -> None:
        self.segment = segment
        self.size = size
        self._held: dict[UUID, Pair] = {}
        self._order: SortedDict = SortedDict()
        """(seq, decision id) to pair."""
        self._columns = Columns()
        """Of the pairs whose label is sure."""

    def __len__(self) -> int:
        return len(self._held)

    @property
    def pairs(self) -> Sequence[Pair]:
        """The pairs held, by `seq`."""
        return tuple(self._order.values())

    def load(self, pairs: Iterable[Pair]) -> None:
        """Replace the whole content."""
        self._held.clear()
        self._order.clear()
        self._columns = Columns()
        for pair in pairs:
            self.apply(pair)

    def apply(self, pair: Pair) -> bool:
        """Take in one pair; False when that changes nothing: it is held already, in this or a later version, or lies below the window."""
        held = self._held.get(pair.decision_id)
        if held is not None:
            if pair.version <= held.version:
                return False
            self._remove(held)
        elif len(self) >= self.size and _place(pair) < self._order.peekitem(0)[0]:
            return False
        self._held[pair.decision_id] = self._order[_place(pair)] = pair
        if pair.label is not None:
            self._columns.add(pair)
        if len(self) > self.size:
            self._remove(self._order.peekitem(0)[1])
        return True

    def difference(self, truth: Collection[Pair]) -> frozenset[tuple[UUID, Version]]:
        """The pairs, each with its version, that only one of the window and `truth` holds."""
        return frozenset({(pair.decision_id, pair.version) for pair in truth} ^ {(key, pair.version) for key, pair in self._held.items()})

    def snapshot(self, taken_at: datetime) -> AurocSnapshot:
        """The window's figures. The bounds of an empty window are 0."""
        columns, labels = self._columns, self._columns.labels
        scored = ~np.isnan(columns.final)
        return AurocSnapshot(
            dataset=self.segment.dataset,
            model=self.segment.model,
            window=self.size,
            pairs=len(self),
            unsure=len(self) - len(columns),
            unscored=len(columns) - int(scored.sum()),
            first_seq=self._seq_at(0),
            last_seq=self._seq_at(-1),
            scores=columns.aurocs(),
            operating=operating(columns.accepted[scored], labels[scored]),
            decisions={verdict: columns.verdicts[verdict] for verdict in Verdict},
            fingerprints=tuple(sorted(+columns.fingerprints)),
            taken_at=taken_at,
        )

    def _seq_at(self, index: int) -> int:
        return int(self._order.peekitem(index)[0][0]) if self._order else 0

    def _remove(self, pair: Pair) -> None:
        del self._held[pair.decision_id], self._order[_place(pair)]
        if pair.label is not None:
            self._columns.remove(pair)


class Windows:
    """The windows of the segments that one process owns."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._windows: dict[Segment, Window] = {}

    def __contains__(self, segment: Segment) -> bool:
        return segment in self._windows

    def __getitem__(self, segment: Segment) -> Window:
        return self._windows[segment]

    def segments(self) -> Sequence[Segment]:
        """The segments that have a window here."""
        return tuple(self._windows)

    def load(self, segment: Segment, pairs: Iterable[Pair]) -> Window:
        """The segment's window, filled anew with `pairs`."""
        window = self._windows.setdefault(segment, Window(segment, self.size))
        window.load(pairs)
        return window

    def drop(self, segment: Segment) -> None:
        """Forget a segment's window; one that is not held is no error."""
        self._windows.pop(segment, None)


def _place(pair: Pair) -> tuple[int, UUID]:
    return pair.seq, pair.decision_id
