"""What the demo knows of the worker: what stands in Postgres."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schemas import AurocSnapshot, Pair, Verdict
from worker.demo.traffic import Traffic
from worker.settings import Topics
from worker.store import LedgerRow, Segment, Store


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One look into the store."""

    decisions: Mapping[Segment, Mapping[Verdict, int]]
    snapshots: Mapping[Segment, AurocSnapshot]
    ledger: Sequence[LedgerRow]

    @property
    def segments(self) -> list[Segment]:
        """In order."""
        return sorted(self.decisions)

    @property
    def accounted(self) -> int:
        """Messages that have their outcome."""
        return sum(row.next_offset - row.first_offset for row in self.ledger)

    @property
    def progress(self) -> tuple[int, int]:
        """Changes while anything moves: accounted messages and pairs in windows."""
        return self.accounted, sum(snapshot.pairs for snapshot in self.snapshots.values())

    @property
    def dead_letters(self) -> int:
        """Messages that could not be read."""
        return sum(row.dead_lettered for row in self.ledger)

    @property
    def balanced(self) -> bool:
        """Whether every accounted message has exactly one outcome."""
        return all(row.balance == 0 for row in self.ledger)


async def read(store: Store) -> Reading:
    """The state of now."""
    snapshots = await store.latest_snapshots()
    return Reading(
        decisions=await store.decision_counts(),
        snapshots={Segment(one.dataset, one.model): one for one in snapshots},
        ledger=await store.ledger(),
    )


async def read_pairs(store: Store, segments: Sequence[Segment], size: int) -> dict[Segment, Sequence[Pair]]:
    """Each segment's newest pairs, as many as its window holds."""
    return {segment: await store.window(segment, size) for segment in segments}


def is_through(reading: Reading, pairs: Mapping[Segment, Sequence[Pair]], traffic: Traffic, topics: Topics) -> bool:
    """Whether every message has its outcome, every answer its pair, and every window knows its pairs."""
    sent = traffic.count(topics.responses) + traffic.count(topics.labels)
    paired = sum(len(of_segment) for of_segment in pairs.values())
    return (
        reading.accounted >= sent
        and paired >= len(traffic.examples)
        and all(_is_current(reading.snapshots.get(segment), of_segment) for segment, of_segment in pairs.items())
    )


def _is_current(snapshot: AurocSnapshot | None, pairs: Sequence[Pair]) -> bool:
    if snapshot is None:
        return False
    scored = Counter(pair.label for pair in pairs if pair.scores.get("final") is not None)
    final = snapshot.scores.get("final")
    return snapshot.pairs == len(pairs) and (final is None or (final.hallucinated, final.grounded) == (scored[0], scored[1]))
