"""The store in the language of the domain."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from schemas import AurocSnapshot, DeadLetter, Decision, LabelEvent, Pair, Verdict


class Segment(NamedTuple):
    """Dataset and model: the unit of measurement."""

    dataset: str
    model: str


class Position(NamedTuple):
    """Where a message stands."""

    topic: str
    partition: int
    offset: int


def no_dead_letter(position: Position) -> str:
    """What to tell who asks for a dead letter that is not there."""
    return f"there is no dead letter at {'/'.join(map(str, position))}; `groundwatch dead-letters list` shows those that there are"


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The private part of a response event, kept in a table of its own."""

    question: str | None
    response: str
    contexts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A decision was made; with a score or with a typed absence, as `decision.score_status` says."""

    position: Position
    decision: Decision
    payload: bytes
    """The decision as it goes to the topic."""
    texts: Texts


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A label was read."""

    position: Position
    label: LabelEvent
    label_id: UUID
    """UUIDv5 of the label's content: a redelivered label gives the same one."""
    labelled_at: datetime


@dataclass(frozen=True, kw_only=True)
class DeadLettered:
    """The message could not be processed."""

    position: Position
    letter: DeadLetter


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """The event was left out on purpose: `sampled_out` or `duplicate`."""

    position: Position
    reason: str


Outcome = Scored | Labelled | DeadLettered | Skipped
"""How one consumed message ended. Every message ends in exactly one."""


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """The account of one partition: `next_offset - first_offset` = the sum of the outcomes + `gaps`."""

    topic: str
    partition: int
    first_offset: int
    next_offset: int
    """Offsets below it are accounted for."""
    scored: int
    not_measurable: int
    labelled: int
    dead_lettered: int
    skipped: int
    gaps: int
    """Offsets that the broker never delivered (compaction, transaction markers, expired before they were read)."""
    redelivered: int
    """Messages below `next_offset` that came again; in no other count."""

    @property
    def balance(self) -> int:
        """Accounted offsets without an outcome; 0 when the ledger balances."""
        outcomes = self.scored + self.not_measurable + self.labelled + self.dead_lettered + self.skipped
        return self.next_offset - self.first_offset - self.gaps - outcomes


@dataclass(frozen=True, kw_only=True)
class StoredDeadLetter:
    """A dead letter and what became of it."""

    letter: DeadLetter
    replayed_at: datetime | None


class Store(Protocol):
    """Every verb raises StoreUnavailable when the database does not answer; nothing is half done then."""

    async def known(self, decision_ids: Collection[UUID]) -> Mapping[UUID, bytes]:
        """The stored payloads of those decisions that exist."""

    async def record(self, outcomes: Sequence[Outcome]) -> Mapping[UUID, bytes]:
        """Write one batch and its ledger rows in one transaction; returns the stored payload of every decision in it.

        Idempotent: a row that exists stays as it is (so the returned payload may be an earlier one), and offsets below a
        partition's `next_offset` count as redelivered and nothing else. Each partition's outcomes come in offset order.
        A partition seen for the first time starts its account at the batch's first offset.
        """

    async def pair(self, response_ids: Collection[str]) -> Sequence[Pair]:
        """Join the decisions and latest labels of these responses, and return their pairs, new or known, by `seq`.

        Call it after `record` has committed: of a decision and a label recorded at once, whichever side pairs last sees both.
        A label later by (labelled_at, label_id) replaces the pair's label and keeps its `seq`; an earlier one changes nothing.
        """

    async def ledger(self) -> Sequence[LedgerRow]:
        """Every partition's account, by topic and partition."""

    async def segments(self) -> Sequence[Segment]:
        """Every segment that has a pair."""

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """The `size` pairs of a segment with the highest `seq`, in ascending order."""

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """Append snapshots to the segments' history."""

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        """Each segment's newest snapshot, by segment."""

    async def decision_counts(self) -> Mapping[Segment, Mapping[Verdict, int]]:
        """How each segment's responses were decided."""

    async def dead_letters(self, *, kind: str | None = None, limit: int = 100) -> Sequence[StoredDeadLetter]:
        """The newest dead letters, newest first."""

    async def dead_letter(self, position: Position) -> StoredDeadLetter:
        """One dead letter. Raises NotFound."""

    async def mark_replayed(self, position: Position) -> None:
        """Note that a dead letter was sent again. Raises NotFound."""

    async def check(self) -> None:
        """Raise StoreUnavailable or SchemaOutdated unless the store can work."""

    async def close(self) -> None:
        """Give back all connections."""
