"""The store in memory, for tests and for runs without services: the semantics of Postgres, none of its durability."""

from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from schemas import AurocSnapshot, DeadLetter, Decision, Pair, Verdict, subject_sha256
from worker.errors import NotFound
from worker.measurement.cells import Cell, Judged, bin_of
from worker.measurement.rating import Rating
from worker.store.accounting import account, by_partition, open_account
from worker.store.erasing import quoted
from worker.store.protocol import (
    ANY,
    Clock,
    DeadLettered,
    Ending,
    Erasable,
    Erasure,
    Labelled,
    LedgerRow,
    LetterCount,
    LetterFilter,
    Outcome,
    PairFilter,
    Perishable,
    Position,
    Promotion,
    Replay,
    Scored,
    Segment,
    Served,
    Skipped,
    StoredDeadLetter,
    Texts,
    Told,
    no_dead_letter,
)
from worker.store.storable import storable_letter, storable_origin, storable_texts

_SHARED = {"decision_id", "response_id", "dataset", "model", "decision", "score_status", "scores", "fingerprint", "enforced"}
"""What a pair has of its decision."""


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Sent(NamedTuple):
    to: Position
    at: datetime
    response_id: str | None


class MemoryStore:
    """A Store in dictionaries. Every verb is done before another starts."""

    def __init__(self) -> None:
        self._seq = count(1)
        self._accounts: dict[tuple[str, int], LedgerRow] = {}
        self._decisions: dict[UUID, Decision] = {}
        self._payloads: dict[UUID, bytes] = {}
        self._decided: defaultdict[str, set[UUID]] = defaultdict(set)
        """Decisions of a response."""
        self._labels: dict[UUID, Labelled] = {}
        self._labelled: defaultdict[str, set[UUID]] = defaultdict(set)
        """Labels of a response."""
        self._pairs: dict[UUID, Pair] = {}
        self._snapshots: list[AurocSnapshot] = []
        self._letters: dict[Position, DeadLettered] = {}
        self._replays: defaultdict[Position, list[_Sent]] = defaultdict(list)
        self._erasures: list[Erasure] = []
        self._promotions: list[Promotion] = []
        self._stored: defaultdict[Perishable, dict[Any, datetime]] = defaultdict(dict)
        """When texts, labels and the messages of dead letters were stored."""
        self.texts: dict[str, Texts] = {}
        """The private texts by response id."""

    async def known(self, decision_ids: Collection[UUID]) -> Mapping[UUID, bytes]:
        """See Store."""
        return {known: self._payloads[known] for known in decision_ids if known in self._payloads}

    async def record(self, outcomes: Sequence[Outcome]) -> Mapping[UUID, bytes]:
        """See Store."""
        for partition, batch in by_partition(outcomes).items():
            self._accounts[partition] = account(self._accounts.get(partition, open_account(batch)), batch)
        for outcome in outcomes:
            self._write(outcome)
        return await self.known({one.decision_id for outcome in outcomes if isinstance(outcome, Scored) for one, _ in outcome.decisions})

    async def pair(self, response_ids: Collection[str]) -> Sequence[Pair]:
        """See Store."""
        labelled = {response for response in response_ids if self._labelled.get(response)}
        decided = sorted(decision_id for response in labelled for decision_id in self._decided[response])
        for decision_id in decided:
            decision = self._decisions[decision_id]
            self._join(decision_id, decision, self._latest(decision.response_id))
        return _by_seq(self._pairs[decision_id] for decision_id in decided)

    async def labels_of(self, response_id: str) -> Sequence[Rating]:
        """See Store."""
        return [_rating(one) for one in sorted(self._labels_of(response_id), key=lambda one: one.version, reverse=True)]

    async def ratings(self, since: datetime | None = None, segment: Segment | None = None) -> Sequence[Rating]:
        """See Store."""
        paired = {pair.response_id for pair in self._pairs.values() if segment in {None, Segment(*pair.segment)}}
        wanted = [one for one in sorted(self._labelled) if self._since(one, since) and (segment is None or one in paired)]
        labels = sorted((label for one in wanted for label in self._labels_of(one)), key=lambda one: (one.labelled_at, one.label_id))
        latest = {(one.response_id, one.source, one.annotator or ""): one for one in map(_rating, labels)}
        return [latest[key] for key in sorted(latest)]

    async def ledger(self) -> Sequence[LedgerRow]:
        """See Store."""
        return [row for _, row in sorted(self._accounts.items())]

    async def segments(self) -> Sequence[Segment]:
        """See Store."""
        return self._segments()

    async def promote(self, promotion: Promotion) -> None:
        """See Store."""
        self._promotions.insert(0, promotion)

    async def promotions(self, most: int | None = None) -> Sequence[Promotion]:
        """See Store."""
        return tuple(self._promotions[:most])

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """See Store."""
        return self._window(segment, size)

    async def pairs(self, which: PairFilter) -> Sequence[Pair]:
        """See Store."""
        return _by_seq(pair for pair in self._pairs.values() if _meant(pair, self._decisions[pair.decision_id], which))

    async def judged(self, which: PairFilter) -> Sequence[Judged]:
        """See Store."""
        found = await self.pairs(which)
        return [Judged(one.decision, one.scores.get("final"), one.label, one.audit) for one in found if one.label is not None]

    async def served(self, decision_ids: Collection[UUID]) -> Mapping[UUID, Served]:
        """See Store."""
        return {one: _answer(self._decisions[one]) for one in decision_ids if one in self._decisions}

    async def decided(self, which: PairFilter, most: int) -> Sequence[Told]:
        """See Store."""
        found = [one for _, one in sorted(self._decisions.items()) if _decided(one, which) and _inside(_served(one), which)]
        return [(one.response_id, one.decision, one.scores, one.traits.model_dump() if one.traits else {}) for one in found[:most]]

    async def dimension_values(self, name: str, which: PairFilter) -> Sequence[str]:
        """See Store."""
        found = (one for one in self._decisions.values() if _decided(one, which) and _inside(_served(one), which))
        return sorted({one.dimensions[name] for one in found if name in one.dimensions})

    async def scored_cells(self, which: PairFilter) -> Mapping[Cell, int]:
        """See Store."""
        found = (one for one in self._decisions.values() if _decided(one, which) and _inside(_served(one), which))
        return Counter((one.decision.value, bin_of(final)) for one in found if (final := one.scores.get("final")) is not None)

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """See Store."""
        self._snapshots += snapshots

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        """See Store."""
        return [snapshot for _, snapshot in sorted(self._newest_snapshots().items())]

    async def decision_counts(self) -> Mapping[Segment, Mapping[Verdict, int]]:
        """See Store."""
        counts: dict[Segment, Counter[Verdict]] = defaultdict(Counter)
        for decision in filter(lambda one: one.enforced, self._decisions.values()):
            counts[Segment(decision.dataset, decision.model)][decision.decision] += 1
        return {segment: dict(verdicts) for segment, verdicts in counts.items()}

    async def dead_letters(
        self, which: LetterFilter = ANY, *, limit: int = 100, replayable: bool = False, again: bool = False
    ) -> Sequence[StoredDeadLetter]:
        """See Store."""
        stored = sorted((self._letter(position, whole=False) for position in self._chosen(which)), key=_newest_first)
        if replayable:
            stored = [one for one in stored if one.bytes is not None and not one.replays and (again or not one.attempt)]
        return stored[:limit]

    async def dead_letter_counts(self, which: LetterFilter = ANY, *, limit: int = 100) -> Sequence[LetterCount]:
        """See Store."""
        alike: defaultdict[tuple[str, str, str, str], list[datetime]] = defaultdict(list)
        for position in self._chosen(which):
            letter = self._letters[position].letter
            alike[letter.topic, letter.kind, letter.field, letter.reason].append(letter.failed_at)
        counts = [LetterCount(*name, len(times), max(times)) for name, times in alike.items()]
        return sorted(counts, key=lambda one: (-one.letters, one[:4]))[:limit]

    async def dead_letter(self, position: Position) -> StoredDeadLetter:
        """See Store."""
        if position not in self._letters:
            raise NotFound(no_dead_letter(position))
        return self._letter(position, whole=True)

    async def mark_replayed(self, position: Position, sent: Position, response_id: str | None = None) -> None:
        """See Store."""
        await self.dead_letter(position)
        others = [one for one in self._replays[position] if one.to != sent]
        self._replays[position] = [*others, _Sent(sent, datetime.now(UTC), response_id)]

    async def erase(self, kind: Erasable, name: str, *, requested_by: str | None = None, reason: str | None = None) -> Erasure:
        """See Store."""
        subject = subject_sha256(name) if kind is Erasable.SUBJECT else None
        responses = {name} if subject is None else self._responses_of(subject)
        texts = [one for one in self.texts if one in responses]
        originals = [at for at in self._stored[Perishable.ORIGINALS] if self._concerns(at, responses, subject, name)]
        self._forget(Perishable.TEXTS, texts)
        self._forget(Perishable.ORIGINALS, originals)
        erasure = Erasure(
            kind=kind,
            name=subject or name,
            erased_at=datetime.now(UTC),
            requested_by=requested_by,
            reason=reason,
            texts=len(texts),
            originals=len(originals),
        )
        self._erasures.append(erasure)
        return erasure

    async def erasures(self) -> Sequence[Erasure]:
        """See Store."""
        return tuple(self._erasures)

    async def expire(self, what: Perishable, *, older_than: timedelta, batch: int, window: int) -> AsyncGenerator[int, None]:
        """See Store."""
        before = datetime.now(UTC) - older_than
        while keys := [key for moment, key in sorted(self._ages(what, window)) if moment < before][:batch]:
            self._forget(what, set(keys))
            yield len(keys)

    async def check(self) -> None:
        """Memory always answers."""

    async def close(self) -> None:
        """There is nothing to give back."""

    def _write(self, outcome: Outcome) -> None:
        match outcome:
            case Scored(decision=decision):
                for one, payload in outcome.decisions:
                    self._decisions.setdefault(one.decision_id, one)
                    self._decided[one.response_id].add(one.decision_id)
                    self._payloads.setdefault(one.decision_id, payload)
                if not self._erased(decision.response_id, outcome.texts.subject_sha256):
                    self.texts.setdefault(decision.response_id, storable_texts(outcome.texts))
                    self._stored[Perishable.TEXTS].setdefault(decision.response_id, datetime.now(UTC))
            case Labelled():
                self._labels.setdefault(outcome.label_id, outcome)
                self._labelled[outcome.label.response_id].add(outcome.label_id)
                self._stored[Perishable.LABELS].setdefault(outcome.label_id, datetime.now(UTC))
            case DeadLettered() if outcome.position not in self._letters:
                letter, origin = storable_letter(outcome.letter), storable_origin(outcome.origin)
                self._letters[outcome.position] = DeadLettered(position=outcome.position, letter=letter, origin=origin)
                if not self._erased(outcome.response_id, origin.subject_sha256):
                    self._stored[Perishable.ORIGINALS][outcome.position] = datetime.now(UTC)
            case DeadLettered() | Skipped():
                pass

    def _latest(self, response_id: str) -> Labelled:
        return max(self._labels_of(response_id), key=lambda one: one.version)

    def _labels_of(self, response_id: str) -> list[Labelled]:
        return [self._labels[one] for one in self._labelled.get(response_id, ())]

    def _since(self, response_id: str, since: datetime | None) -> bool:
        return since is None or any(one.labelled_at >= since for one in self._labels_of(response_id))

    def _segments(self) -> list[Segment]:
        return sorted({Segment(*pair.segment) for pair in self._pairs.values() if pair.enforced})

    def _window(self, segment: Segment, size: int) -> list[Pair]:
        pairs = _by_seq(pair for pair in self._pairs.values() if pair.segment == segment and pair.enforced)
        return pairs[max(0, len(pairs) - size) :]

    def _newest_snapshots(self) -> dict[tuple[str, str], AurocSnapshot]:
        return {(shot.dataset, shot.model): shot for shot in self._snapshots}

    def _join(self, decision_id: UUID, decision: Decision, latest: Labelled) -> None:
        known = self._pairs.get(decision_id)
        if known is None or known.version < latest.version:
            self._pairs[decision_id] = Pair(
                **decision.model_dump(include=_SHARED),
                audit=decision.meta.audit,
                seq=known.seq if known else next(self._seq),
                label=latest.label.sure,
                label_id=latest.label_id,
                labelled_at=latest.labelled_at,
                source=latest.label.source,
                precedence=latest.precedence,
            )

    def _chosen(self, which: LetterFilter) -> list[Position]:
        return [position for position, outcome in self._letters.items() if _fits(outcome.letter, which)]

    def _letter(self, position: Position, *, whole: bool) -> StoredDeadLetter:
        letter, origin = self._letters[position].letter, self._letters[position].origin
        kept = position in self._stored[Perishable.ORIGINALS]
        return StoredDeadLetter(
            letter=letter if kept and whole else letter.model_copy(update={"key_base64": None, "original_base64": None, "headers": ()}),
            kept=kept,
            bytes=len(letter.original) if kept and letter.original is not None else None,
            replay_of=origin.replay_of,
            attempt=origin.attempt,
            replays=tuple(Replay(sent=one.to, replayed_at=one.at, ending=self._ending(one)) for one in self._replays[position]),
        )

    def _ending(self, sent: _Sent) -> Ending:
        row = self._accounts.get(sent.to[:2])
        if sent.to in self._letters:
            return Ending.DEAD_LETTERED
        if row is None or row.next_offset <= sent.to.offset:
            return Ending.WAITING
        return Ending.SCORED if self._decided.get(sent.response_id or "") else Ending.SETTLED

    def _erased(self, response_id: str | None, subject: str | None) -> bool:
        names = {(Erasable.RESPONSE, response_id), (Erasable.SUBJECT, subject)}
        return any((one.kind, one.name) in names for one in self._erasures)

    def _responses_of(self, subject: str) -> set[str]:
        spoken_of = {self._letters[at].origin for at in self._stored[Perishable.ORIGINALS]}
        return {response for response, texts in self.texts.items() if texts.subject_sha256 == subject} | {
            origin.response_id for origin in spoken_of if origin.response_id and origin.subject_sha256 == subject
        }

    def _concerns(self, position: Position, responses: Collection[str], subject: str | None, name: str) -> bool:
        """Of a message that does not tell whom it concerns, the key and the bytes are asked."""
        letter, origin = self._letters[position].letter, self._letters[position].origin
        if origin.response_id in responses or (subject and origin.subject_sha256 == subject):
            return True
        if origin.response_id is not None:
            return False
        return (not subject and letter.key == name.encode()) or any(one in (letter.original or b"") for one in quoted(name))

    def _ages(self, what: Perishable, window: int) -> Iterable[tuple[datetime, Any]]:
        """What may go, with the moment from which its age counts."""
        match what:
            case Perishable.TEXTS | Perishable.ORIGINALS | Perishable.LABELS:
                return ((moment, key) for key, moment in self._stored[what].items())
            case Perishable.DEAD_LETTERS:
                return ((outcome.letter.failed_at, position) for position, outcome in self._letters.items())
            case Perishable.DECISIONS:
                held = {pair.decision_id for segment in self._segments() for pair in self._window(segment, window)}
                return ((decision.decided_at, one) for one, decision in self._decisions.items() if one not in held)
            case Perishable.SNAPSHOTS:
                newest = self._newest_snapshots().values()
                return ((one.taken_at, at) for at, one in enumerate(self._snapshots) if one not in newest)

    def _forget(self, what: Perishable, keys: Collection[Any]) -> None:
        match what:
            case Perishable.TEXTS:
                self.texts = _without(self.texts, keys)
            case Perishable.LABELS:
                self._labels = _without(self._labels, keys)
                for labels in self._labelled.values():
                    labels.difference_update(keys)
            case Perishable.DEAD_LETTERS:
                self._letters = _without(self._letters, keys)
                self._forget(Perishable.ORIGINALS, keys)
                for position in keys:
                    self._replays.pop(position, None)
            case Perishable.DECISIONS:
                for decision_id in keys:
                    self._decided[self._decisions.pop(decision_id).response_id].discard(decision_id)
                self._payloads, self._pairs = _without(self._payloads, keys), _without(self._pairs, keys)
            case Perishable.SNAPSHOTS:
                self._snapshots = [one for at, one in enumerate(self._snapshots) if at not in keys]
            case Perishable.ORIGINALS:
                pass
        self._stored[what] = _without(self._stored[what], keys)


def _without(kept: Mapping[K, V], keys: Collection[K]) -> dict[K, V]:
    return {key: value for key, value in kept.items() if key not in keys}


def _fits(letter: DeadLetter, which: LetterFilter) -> bool:
    exactly = ((which.kind, letter.kind), (which.topic, letter.topic), (which.field, letter.field))
    return all(wanted in {None, given} for wanted, given in exactly) and (which.reason or "") in letter.reason


def _rating(one: Labelled) -> Rating:
    label = one.label
    return Rating(label.response_id, label.sure, label.source, label.annotator, one.labelled_at, one.precedence)


def _by_seq(pairs: Iterable[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: pair.seq)


def _meant(pair: Pair, decision: Decision, which: PairFilter) -> bool:
    moment = pair.labelled_at if which.clock is Clock.LABELLED else _served(decision)
    return pair.label is not None and _decided(decision, which) and _inside(moment, which)


def _served(decision: Decision) -> datetime:
    return decision.created_at or decision.decided_at


def _answer(decision: Decision) -> Served:
    return Served(
        at=_served(decision),
        degraded=decision.degraded,
        question_sha256=decision.question_sha256,
        response_sha256=decision.response_sha256,
        contexts_sha256=decision.contexts_sha256,
    )


def _decided(decision: Decision, which: PairFilter) -> bool:
    exactly = ((which.dataset, decision.dataset), (which.model, decision.model), (which.fingerprint, decision.fingerprint))
    wanted = which.dimension is None or decision.dimensions.get(which.dimension[0]) == which.dimension[1]
    meant = decision.enforced or which.fingerprint is not None
    return wanted and meant and all(wanted in {None, given} for wanted, given in exactly)


def _inside(moment: datetime, which: PairFilter) -> bool:
    return (which.since is None or which.since <= moment) and (which.until is None or moment < which.until)


def _newest_first(stored: StoredDeadLetter) -> tuple[float, str, int, int]:
    letter = stored.letter
    return -letter.failed_at.timestamp(), letter.topic, letter.partition, -letter.offset
