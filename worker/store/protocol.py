"""The store in the language of the domain."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol, Self
from uuid import UUID

from schemas import AurocSnapshot, DeadLetter, Decision, LabelEvent, Pair, Verdict
from worker.measurement.cells import Cell, Judged
from worker.measurement.rating import Rating
from worker.store.origin import Origin

Told = tuple[str, Verdict, Mapping[str, float | None], Mapping[str, Any]]
"""Of a decision: response id, verdict, scores, and the traits of the texts by name, none where they are not known."""


class Segment(NamedTuple):
    """Dataset and model: the unit of measurement."""

    dataset: str
    model: str

    @property
    def name(self) -> str:
        """As people write it: dataset/model."""
        return f"{self.dataset}/{self.model}"


class Position(NamedTuple):
    """Where a message stands."""

    topic: str
    partition: int
    offset: int

    @property
    def place(self) -> str:
        """As people write it: topic/partition/offset."""
        return f"{self.topic}/{self.partition}/{self.offset}"


def no_dead_letter(position: Position) -> str:
    """What to tell who asks for a dead letter that is not there."""
    return f"there is no dead letter at {position.place}; `groundwatch dead-letters list` shows those that there are"


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The private part of a response event, kept in a table of its own."""

    question: str | None
    response: str
    contexts: tuple[str, ...]
    subject_sha256: str | None = None
    """Hash of the person whom the answer was for."""


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A decision was made; with a score or with a typed absence, as `decision.score_status` says."""

    position: Position
    decision: Decision
    payload: bytes
    """The decision as it goes to the topic."""
    texts: Texts
    rival: tuple[Decision, bytes] | None = None
    """Another detector's decision on the same answer, and how it goes to the topic; exactly one of the two is enforced."""

    @property
    def decisions(self) -> tuple[tuple[Decision, bytes], ...]:
        """All that was decided, with their payloads."""
        own = (self.decision, self.payload)
        return (own,) if self.rival is None else (own, self.rival)

    @property
    def binding(self) -> Decision:
        """The one that is enforced."""
        return self.decision if self.rival is None or self.decision.enforced else self.rival[0]


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A label was read."""

    position: Position
    label: LabelEvent
    label_id: UUID
    """UUIDv5 of the label's content: a redelivered label gives the same one."""
    labelled_at: datetime
    precedence: int
    """The weight of its source."""

    @property
    def version(self) -> tuple[int, datetime, UUID]:
        """Of a response's labels the one with the greatest counts."""
        return self.precedence, self.labelled_at, self.label_id


@dataclass(frozen=True, kw_only=True)
class DeadLettered:
    """The message could not be processed."""

    position: Position
    letter: DeadLetter
    origin: Origin

    @classmethod
    def of(cls, letter: DeadLetter) -> Self:
        """What `letter` tells of the message."""
        return cls(position=Position(letter.topic, letter.partition, letter.offset), letter=letter, origin=Origin.of(letter))

    @property
    def response_id(self) -> str | None:
        """The response that the message speaks of: where it does not tell, its key should."""
        key = self.letter.key
        return self.origin.response_id or (None if key is None else key.decode("utf-8", "replace"))


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


class Ending(StrEnum):
    """How a replay ended."""

    WAITING = "waiting"
    """The message has not been consumed yet."""
    SCORED = "scored"
    """There is a decision on its response."""
    DEAD_LETTERED = "dead_lettered"
    """It failed again: a dead letter stands where it was sent to."""
    SETTLED = "settled"
    """It was consumed, without a decision of its own: a label, or an answer that sampling leaves out."""


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A dead letter's message, sent once more."""

    sent: Position
    """Where it stands since."""
    replayed_at: datetime
    ending: Ending


@dataclass(frozen=True, kw_only=True)
class StoredDeadLetter:
    """A dead letter and what became of it."""

    letter: DeadLetter
    kept: bool
    """False once the message itself has expired or was erased."""
    bytes: int | None
    """The size of the message; None for a tombstone and when it is not kept."""
    replay_of: str | None
    """The place of the dead letter that it was a replay of."""
    attempt: int
    """How often its message had been replayed when it failed."""
    replays: tuple[Replay, ...]
    """Oldest first."""

    @property
    def replayed_at(self) -> datetime | None:
        """When it was last sent again."""
        return self.replays[-1].replayed_at if self.replays else None


@dataclass(frozen=True, kw_only=True)
class LetterFilter:
    """Which dead letters are meant; None for any."""

    kind: str | None = None
    topic: str | None = None
    field: str | None = None
    reason: str | None = None
    """A part of the reason."""


ANY: Final = LetterFilter()


class LetterCount(NamedTuple):
    """Dead letters that failed alike."""

    topic: str
    kind: str
    field: str
    reason: str
    letters: int
    """How many there are."""
    newest: datetime


class Clock(StrEnum):
    """The time by which a pair belongs to a period."""

    LABELLED = "labelled"
    """When its label was given."""
    SERVED = "served"
    """When its answer was served, as the event said, else when it was decided on."""


@dataclass(frozen=True, kw_only=True)
class PairFilter:
    """Which pairs are meant, of those with a sure label; None for any, but that without a fingerprint only enforced decisions are meant."""

    dataset: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""
    clock: Clock = Clock.LABELLED
    dimension: tuple[str, str] | None = None
    """One of `monitor.dimensions`, and its value."""


@dataclass(frozen=True, kw_only=True)
class Served:
    """An answer that was decided on: when it was served, and hashes for its texts."""

    at: datetime
    """As the event said, else when it was decided on."""
    degraded: bool
    question_sha256: str | None
    response_sha256: str
    contexts_sha256: tuple[str, ...]


class Perishable(StrEnum):
    """What the store may keep for a time only."""

    TEXTS = "texts"
    """Questions, answers and contexts. Age counts from storing, as for originals and labels."""
    ORIGINALS = "originals"
    """The messages of dead letters."""
    DEAD_LETTERS = "dead_letters"
    """What was wrong with them, with their originals and replays."""
    DECISIONS = "decisions"
    """Decisions with their pairs."""
    LABELS = "labels"
    SNAPSHOTS = "snapshots"
    """The history of AUROC but for each segment's newest."""


class Erasable(StrEnum):
    """What someone's texts are known by."""

    RESPONSE = "response"
    SUBJECT = "subject"


@dataclass(frozen=True, kw_only=True)
class Erasure:
    """What remains of what was erased."""

    kind: Erasable
    name: str
    """The response id, or the hash of the subject."""
    erased_at: datetime
    requested_by: str | None
    reason: str | None
    texts: int
    """How many responses lost their texts."""
    originals: int
    """How many dead letters lost their message."""


@dataclass(frozen=True, kw_only=True)
class Promotion:
    """A detector became the champion."""

    fingerprint: str
    replaced: str
    """The fingerprint of the champion before."""
    promoted_at: datetime
    promoted_by: str | None
    evidence: Mapping[str, Any]
    """The gate's report on the two."""


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
        """Join the decisions and the labels that count of these responses, and return their pairs, new or known, by `seq`.

        Call it after `record` has committed: of a decision and a label recorded at once, whichever side pairs last sees both.
        A label of a greater version replaces the pair's label and keeps its `seq`; any other changes nothing.
        """

    async def labels_of(self, response_id: str) -> Sequence[Rating]:
        """Every label ever given to a response, the one that counts first."""

    async def ratings(self, since: datetime | None = None, segment: Segment | None = None) -> Sequence[Rating]:
        """The latest label of each rater of the responses that were labelled since then; with a segment, of its decided ones only."""

    async def ledger(self) -> Sequence[LedgerRow]:
        """Every partition's account, by topic and partition."""

    async def segments(self) -> Sequence[Segment]:
        """Every segment that has a pair whose decision is enforced."""

    async def promote(self, promotion: Promotion) -> None:
        """Note which detector is in force from now on."""

    async def promotions(self, most: int | None = None) -> Sequence[Promotion]:
        """The newest promotions, or all of them; the newest first."""

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """The `size` pairs of enforced decisions of a segment with the highest `seq`, in ascending order."""

    async def pairs(self, which: PairFilter) -> Sequence[Pair]:
        """The pairs meant, by `seq`."""

    async def judged(self, which: PairFilter) -> Sequence[Judged]:
        """What figures need of the pairs meant, in no particular order."""

    async def served(self, decision_ids: Collection[UUID]) -> Mapping[UUID, Served]:
        """The answers behind those decisions that exist."""

    async def decided(self, which: PairFilter, most: int) -> Sequence[Told]:
        """Of decisions, labelled or not, that were served in the period; of more than `most` a sample."""

    async def dimension_values(self, name: str, which: PairFilter) -> Sequence[str]:
        """The values that a dimension has among the decisions, labelled or not, that were served in the period; sorted."""

    async def scored_cells(self, which: PairFilter) -> Mapping[Cell, int]:
        """How many decisions have a score, labelled or not, by verdict and bin of `final`; their period is always by the time served."""

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """Append snapshots to the segments' history."""

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        """Each segment's snapshot that was saved last, by segment."""

    async def decision_counts(self) -> Mapping[Segment, Mapping[Verdict, int]]:
        """How each segment's responses were decided."""

    async def dead_letters(
        self, which: LetterFilter = ANY, *, limit: int = 100, replayable: bool = False, again: bool = False
    ) -> Sequence[StoredDeadLetter]:
        """The newest dead letters, newest first, without the messages themselves, which may be large.

        `replayable`: those whose message is there and was not sent again yet; what failed again after a replay only with `again`.
        """

    async def dead_letter_counts(self, which: LetterFilter = ANY, *, limit: int = 100) -> Sequence[LetterCount]:
        """How many dead letters failed alike, the most frequent first."""

    async def dead_letter(self, position: Position) -> StoredDeadLetter:
        """One dead letter, whole. Raises NotFound."""

    async def mark_replayed(self, position: Position, sent: Position, response_id: str | None = None) -> None:
        """Note that a dead letter was sent again, where to, and what response that speaks of. Raises NotFound."""

    async def erase(self, kind: Erasable, name: str, *, requested_by: str | None = None, reason: str | None = None) -> Erasure:
        """Delete the texts and the dead letters' messages of a response or of a subject, and note that for good.

        From then on `record` stores none under that name, whatever comes again. Safe to repeat.
        """

    async def erasures(self) -> Sequence[Erasure]:
        """Everything that was erased, in order."""

    def expire(self, what: Perishable, *, older_than: timedelta, batch: int, window: int) -> AsyncGenerator[int, None]:
        """Delete what is older, at most `batch` at a time, each time in a transaction of its own; yields how many went with each.

        A decision whose pair is among the newest `window` of its segment stays, and the pair with it: the rolling windows lose nothing.
        Raises Busy while another process is expiring.
        """

    async def check(self) -> None:
        """Raise StoreUnavailable or SchemaOutdated unless the store can work."""

    async def close(self) -> None:
        """Give back all connections."""
