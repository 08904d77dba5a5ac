"""The store in Postgres."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Self
from uuid import UUID

import asyncpg
import orjson

from schemas import AurocSnapshot, Pair, Verdict
from worker import settings
from worker.errors import NotFound, SchemaOutdated
from worker.measurement.cells import BINS, Cell, Judged
from worker.measurement.rating import Rating
from worker.store import erasing, expiring, rows
from worker.store.accounting import account, by_partition, open_account
from worker.store.connection import SESSION, open_connection
from worker.store.faults import translated
from worker.store.migration import pending
from worker.store.protocol import (
    ANY,
    Clock,
    DeadLettered,
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
    Scored,
    Segment,
    Served,
    StoredDeadLetter,
    Told,
    no_dead_letter,
)
from worker.store.sql import queries


class PostgresStore:
    """A Store on a pool of connections that open as they are needed and are replaced when the server cuts them."""

    def __init__(self, pool: Any, timeout: float) -> None:
        self._pool = pool
        self._timeout = timeout
        self._sql = queries()

    @classmethod
    async def connect(cls, store: settings.Store) -> Self:
        """The store at `store.dsn`. Nothing is asked of the database yet: the first verb, or `check`, finds out whether it answers."""
        timeout = store.timeout_seconds
        with translated():
            pool = await asyncpg.create_pool(
                connect=lambda _, **options: open_connection(store, **options),
                min_size=0,
                max_size=store.pool,
                timeout=timeout,
                command_timeout=timeout + 1,  # for a server that is gone; one that is there ends the statement itself
                server_settings={**SESSION, "statement_timeout": str(ceil(timeout * 1000))},
            )
        return cls(pool, timeout)

    async def known(self, decision_ids: Collection[UUID]) -> Mapping[UUID, bytes]:
        """See Store."""
        async with self._connection() as connection:
            return await self._payloads(connection, decision_ids)

    async def record(self, outcomes: Sequence[Outcome]) -> Mapping[UUID, bytes]:
        """See Store."""
        async with self._connection() as connection, connection.transaction():
            accounts = await self._account(connection, outcomes)
            payloads = await self._write(connection, outcomes)
            await connection.executemany(self._sql["keep_account"], [rows.ledger_update(row) for row in accounts])
        return payloads

    async def pair(self, response_ids: Collection[str]) -> Sequence[Pair]:
        """See Store."""
        async with self._connection() as connection:
            await connection.execute(self._sql["pair"], list(response_ids))
            return [rows.pair(row) for row in await connection.fetch(self._sql["pairs_of"], list(response_ids))]

    async def labels_of(self, response_id: str) -> Sequence[Rating]:
        """See Store."""
        return [Rating(*row) for row in await self._fetch("labels_of", response_id)]

    async def ratings(self, since: datetime | None = None, segment: Segment | None = None) -> Sequence[Rating]:
        """See Store."""
        return [Rating(*row) for row in await self._fetch("ratings", since, *(segment or (None, None)))]

    async def ledger(self) -> Sequence[LedgerRow]:
        """See Store."""
        return [rows.ledger_row(row) for row in await self._fetch("ledger")]

    async def segments(self) -> Sequence[Segment]:
        """See Store."""
        return [Segment(**row) for row in await self._fetch("segments")]

    async def promote(self, promotion: Promotion) -> None:
        """See Store."""
        await self._fetch("insert_promotion", *rows.promotion_row(promotion))

    async def promotions(self, most: int | None = None) -> Sequence[Promotion]:
        """See Store."""
        return [rows.promotion(row) for row in await self._fetch("promotions", most)]

    async def window(self, segment: Segment, size: int) -> Sequence[Pair]:
        """See Store."""
        return [rows.pair(row) for row in reversed(await self._fetch("window", *segment, size))]

    async def pairs(self, which: PairFilter) -> Sequence[Pair]:
        """See Store."""
        return [rows.pair(row) for row in await self._fetch(_PAIRS[which.clock], *_of(which))]

    async def judged(self, which: PairFilter) -> Sequence[Judged]:
        """See Store."""
        found = await self._fetch(_JUDGED[which.clock], *_of(which))
        return [Judged(Verdict(decision), final, label, audit) for decision, final, label, audit in found]

    async def served(self, decision_ids: Collection[UUID]) -> Mapping[UUID, Served]:
        """See Store."""
        return {row["decision_id"]: rows.served(row) for row in await self._fetch("served", list(decision_ids))}

    async def decided(self, which: PairFilter, most: int) -> Sequence[Told]:
        """See Store."""
        found = await self._fetch("decided", *_of(which), most)
        return [
            (response_id, Verdict(decision), orjson.loads(scores), orjson.loads(traits or "null") or {})
            for response_id, decision, scores, traits in found
        ]

    async def dimension_values(self, name: str, which: PairFilter) -> Sequence[str]:
        """See Store."""
        return [value for (value,) in await self._fetch("dimension_values", *_of(which), name)]

    async def scored_cells(self, which: PairFilter) -> Mapping[Cell, int]:
        """See Store."""
        found = await self._fetch("scored_cells", *_of(which), BINS)
        return {(verdict, bin_): decisions for verdict, bin_, decisions in found}

    async def save_snapshots(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """See Store."""
        async with self._connection() as connection:
            await self._insert(connection, "insert_snapshots", [rows.snapshot_row(snapshot) for snapshot in snapshots])

    async def latest_snapshots(self) -> Sequence[AurocSnapshot]:
        """See Store."""
        return [AurocSnapshot.model_validate_json(row["payload"]) for row in await self._fetch("latest_snapshots")]

    async def decision_counts(self) -> Mapping[Segment, Mapping[Verdict, int]]:
        """See Store."""
        counts: dict[Segment, dict[Verdict, int]] = {}
        for dataset, model, verdict, count in await self._fetch("decision_counts"):
            counts.setdefault(Segment(dataset, model), {})[Verdict(verdict)] = count
        return counts

    async def dead_letters(
        self, which: LetterFilter = ANY, *, limit: int = 100, replayable: bool = False, again: bool = False
    ) -> Sequence[StoredDeadLetter]:
        """See Store."""
        return await self._letters(await self._fetch("dead_letters", *_chosen(which), replayable, again, limit))

    async def dead_letter_counts(self, which: LetterFilter = ANY, *, limit: int = 100) -> Sequence[LetterCount]:
        """See Store."""
        return [LetterCount(*row) for row in await self._fetch("dead_letter_counts", *_chosen(which), limit)]

    async def dead_letter(self, position: Position) -> StoredDeadLetter:
        """See Store."""
        (letter,) = await self._letters([_only(await self._fetch("dead_letter", *position), position)])
        return letter

    async def mark_replayed(self, position: Position, sent: Position, response_id: str | None = None) -> None:
        """See Store."""
        _only(await self._fetch("mark_replayed", *position, sent.partition, sent.offset, response_id), position)

    async def erase(self, kind: Erasable, name: str, *, requested_by: str | None = None, reason: str | None = None) -> Erasure:
        """See Store."""
        async with self._connection() as connection, connection.transaction():
            return await erasing.erase(connection, kind, name, requested_by, reason)

    async def erasures(self) -> Sequence[Erasure]:
        """See Store."""
        return [rows.erasure(row) for row in await self._fetch("erasures")]

    async def expire(self, what: Perishable, *, older_than: timedelta, batch: int, window: int) -> AsyncGenerator[int, None]:
        """See Store."""
        async with self._connection() as connection, aclosing(expiring.expire(connection, what, older_than, batch, window)) as counts:
            async for count in counts:
                yield count

    async def check(self) -> None:
        """See Store."""
        async with self._connection() as connection:
            missing = await pending(connection)
        if missing:
            raise SchemaOutdated

    async def close(self) -> None:
        """See Store."""
        try:
            await asyncio.wait_for(self._pool.close(), self._timeout)
        except TimeoutError:
            self._pool.terminate()

    async def _account(self, connection: Any, outcomes: Sequence[Outcome]) -> list[LedgerRow]:
        """Lock the accounts of the batch's partitions and return them as they will be."""
        partitions = by_partition(outcomes)
        opened = [open_account(batch) for batch in partitions.values()]
        held = await self._insert(connection, "hold_accounts", [(row.topic, row.partition, row.first_offset) for row in opened])
        return [account(row, partitions[row.topic, row.partition]) for row in map(rows.ledger_row, held)]

    async def _write(self, connection: Any, outcomes: Sequence[Outcome]) -> dict[UUID, bytes]:
        if any(isinstance(outcome, Scored | DeadLettered) for outcome in outcomes):
            await erasing.let_erasures_pass(connection)
        scored = [outcome for outcome in outcomes if isinstance(outcome, Scored)]
        inserted = await self._insert(connection, "insert_decisions", rows.decision_rows(scored))
        await self._insert(connection, "insert_texts", rows.text_rows(scored))
        await self._insert(connection, "insert_labels", rows.label_rows(o for o in outcomes if isinstance(o, Labelled)))
        await self._insert(connection, "insert_dead_letters", rows.letter_rows(o for o in outcomes if isinstance(o, DeadLettered)))
        payloads = _payloads(inserted)
        decided = {decision.decision_id for outcome in scored for decision, _ in outcome.decisions}
        return payloads | await self._payloads(connection, decided - payloads.keys())

    async def _insert(self, connection: Any, query: str, batch: Sequence[rows.Row]) -> list[Any]:
        """Run a query that takes each column as an array; returns its rows."""
        if not batch:
            return []
        return list(await connection.fetch(self._sql[query], *map(list, zip(*batch, strict=True))))

    async def _payloads(self, connection: Any, decision_ids: Collection[UUID]) -> dict[UUID, bytes]:
        if not decision_ids:
            return {}
        return _payloads(await connection.fetch(self._sql["payloads"], list(decision_ids)))

    async def _letters(self, found: Sequence[Any]) -> list[StoredDeadLetter]:
        positions = [Position(row["topic"], row["partition"], row["offset"]) for row in found]
        replays: dict[Position, list[Any]] = {position: [] for position in positions}
        if positions:
            for row in await self._fetch("replays", *map(list, zip(*positions, strict=True))):
                replays[Position(row["topic"], row["partition"], row["offset"])].append(row)
        return [rows.stored_letter(row, replays[position]) for row, position in zip(found, positions, strict=True)]

    async def _fetch(self, query: str, *arguments: Any) -> list[Any]:
        async with self._connection() as connection:
            return list(await connection.fetch(self._sql[query], *arguments))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        with translated():
            async with self._pool.acquire(timeout=self._timeout) as connection:
                yield connection


def _payloads(stored: Sequence[Any]) -> dict[UUID, bytes]:
    return {row["decision_id"]: row["payload"].encode() for row in stored}


_PAIRS = {Clock.SERVED: "pairs_by_served", Clock.LABELLED: "pairs_by_labelled"}
_JUDGED = {Clock.SERVED: "judged_by_served", Clock.LABELLED: "judged_by_labelled"}
"""Queries that have an index for each."""


def _of(which: PairFilter) -> tuple[Any, ...]:
    return which.dataset, which.model, which.fingerprint, which.since, which.until, *(which.dimension or (None, None))


def _chosen(which: LetterFilter) -> tuple[str | None, ...]:
    return which.kind, which.topic, which.field, which.reason


def _only(found: Sequence[Any], position: Position) -> Any:
    if not found:
        raise NotFound(no_dead_letter(position))
    return found[0]
