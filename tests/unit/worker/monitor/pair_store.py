"""A store that holds the pairs it is given, so that a test can say what the truth is."""

from collections.abc import Iterable, Sequence

from schemas import AurocSnapshot, Pair
from worker.errors import StoreUnavailable
from worker.store.protocol import Segment


class PairStore:
    """The part of the Store protocol that the monitor uses."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self.pairs = {pair.decision_id: pair for pair in pairs}
        self.saved: list[AurocSnapshot] = []
        self.failures = 0
        """How many of the next calls fail …"""
        self.error: Exception = StoreUnavailable()
        """… and how."""

    def put(self, *pairs: Pair) -> None:
        self.pairs |= {pair.decision_id: pair for pair in pairs}

    async def segments(self) -> Sequence[Segment]:
        self._answer()
        return sorted({Segment(*pair.segment) for pair in self.pairs.values()})

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        self._answer()
        return sorted((pair for pair in self.pairs.values() if pair.segment == segment), key=lambda pair: pair.seq)[-size:]

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        self._answer()
        self.saved += snapshots

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        self._answer()
        return list({Segment(each.dataset, each.model): each for each in self.saved}.values())

    async def check(self) -> None:
        self._answer()

    def _answer(self) -> None:
        if self.failures:
            self.failures -= 1
            raise self.error
