"""The store in memory, for tests and for runs without services: the semantics of Postgres, none of its durability."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from schemas import AurocSnapshot, Decision, Pair, Verdict
from worker.errors import NotFound
from worker.store.accounting import account, by_partition, open_account
from worker.store.protocol import (
    DeadLettered,
    Labelled,
    LedgerRow,
    Outcome,
    Position,
    Scored,
    Segment,
    Skipped,
    StoredDeadLetter,
    Texts,
    no_dead_letter,
)
from worker.store.storable import storable_letter, storable_texts

_SHARED = {"decision_id", "response_id", "dataset", "model", "decision", "score_status", "scores", "fingerprint"}
"""What a pair has of its decision."""


class MemoryStore:
    """A Store in dictionaries. Every verb is done before another starts."""

    def __init__(self) -> None:
        self._seq = count(1)
        self._accounts: dict[tuple[str, int], LedgerRow] = {}
        self._decisions: dict[UUID, Decision] = {}
        self._payloads: dict[UUID, bytes] = {}
        self._decided: defaultdict[str, set[UUID]] = defaultdict(set)
        """Decisions of a response."""
        self._latest: dict[str, Labelled] = {}
        """The label of a response that stands."""
        self._pairs: dict[UUID, Pair] = {}
        self._snapshots: list[AurocSnapshot] = []
        self._letters: dict[Position, StoredDeadLetter] = {}
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
        return await self.known({outcome.decision.decision_id for outcome in outcomes if isinstance(outcome, Scored)})

    async def pair(self, response_ids: Collection[str]) -> Sequence[Pair]:
        """See Store."""
        labelled = [response for response in response_ids if response in self._latest]
        decided = sorted(decision_id for response in set(labelled) for decision_id in self._decided[response])
        for decision_id in decided:
            decision = self._decisions[decision_id]
            self._join(decision_id, decision, self._latest[decision.response_id])
        return _by_seq(self._pairs[decision_id] for decision_id in decided)

    async def ledger(self) -> Sequence[LedgerRow]:
        """See Store."""
        return [row for _, row in sorted(self._accounts.items())]

    async def segments(self) -> Sequence[Segment]:
        """See Store."""
        return sorted({Segment(*pair.segment) for pair in self._pairs.values()})

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """See Store."""
        pairs = _by_seq(pair for pair in self._pairs.values() if pair.segment == segment)
        return pairs[max(0, len(pairs) - size) :]

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """See Store."""
        self._snapshots += snapshots

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        """See Store."""
        latest = {(shot.dataset, shot.model): shot for shot in sorted(self._snapshots, key=lambda shot: shot.taken_at)}
        return [snapshot for _, snapshot in sorted(latest.items())]

    async def decision_counts(self) -> Mapping[Segment, Mapping[Verdict, int]]:
        """See Store."""
        counts: dict[Segment, Counter[Verdict]] = defaultdict(Counter)
        for decision in self._decisions.values():
            counts[Segment(decision.dataset, decision.model)][decision.decision] += 1
        return {segment: dict(verdicts) for segment, verdicts in counts.items()}

    async def dead_letters(self, *, kind: str | None = None, limit: int = 100) -> Sequence[StoredDeadLetter]:
        """See Store."""
        chosen = [stored for stored in self._letters.values() if kind in {None, stored.letter.kind}]
        return sorted(chosen, key=_newest_first)[:limit]

    async def dead_letter(self, position: Position) -> StoredDeadLetter:
        """See Store."""
        if position not in self._letters:
            raise NotFound(no_dead_letter(position))
        return self._letters[position]

    async def mark_replayed(self, position: Position) -> None:
        """See Store."""
        self._letters[position] = replace(await self.dead_letter(position), replayed_at=datetime.now(UTC))

    async def check(self) -> None:
        """Memory always answers."""

    async def close(self) -> None:
        """There is nothing to give back."""

    def _write(self, outcome: Outcome) -> None:
        match outcome:
            case Scored(decision=decision):
                self._decisions.setdefault(decision.decision_id, decision)
                self._decided[decision.response_id].add(decision.decision_id)
                self._payloads.setdefault(decision.decision_id, outcome.payload)
                self.texts.setdefault(decision.response_id, storable_texts(outcome.texts))
            case Labelled():
                held = self._latest.setdefault(outcome.label.response_id, outcome)
                self._latest[outcome.label.response_id] = max(held, outcome, key=lambda one: (one.labelled_at, one.label_id))
            case DeadLettered():
                self._letters.setdefault(outcome.position, StoredDeadLetter(letter=storable_letter(outcome.letter), replayed_at=None))
            case Skipped():
                pass

    def _join(self, decision_id: UUID, decision: Decision, latest: Labelled) -> None:
        known = self._pairs.get(decision_id)
        if known is None or known.version < (latest.labelled_at, latest.label_id):
            self._pairs[decision_id] = Pair(
                **decision.model_dump(include=_SHARED),
                seq=known.seq if known else next(self._seq),
                label=latest.label.label,
                label_id=latest.label_id,
                labelled_at=latest.labelled_at,
            )


def _by_seq(pairs: Iterable[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: pair.seq)


def _newest_first(stored: StoredDeadLetter) -> tuple[float, str, int, int]:
    letter = stored.letter
    return -letter.failed_at.timestamp(), letter.topic, letter.partition, -letter.offset
