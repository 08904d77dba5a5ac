"""Deleting what has had its time from Postgres, in batches that nobody has to wait for."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from worker.errors import Busy
from worker.store.protocol import Perishable
from worker.store.sql import queries

_LOCK: Final = 7091125215
"""Key of the advisory lock of whoever expires."""

_QUERIES: Final = {
    Perishable.TEXTS: "expire_texts",
    Perishable.ORIGINALS: "expire_originals",
    Perishable.DEAD_LETTERS: "expire_dead_letters",
    Perishable.LABELS: "expire_labels",
    Perishable.SNAPSHOTS: "expire_snapshots",
}


async def expire(connection: Any, what: Perishable, older_than: timedelta, size: int, window: int) -> AsyncGenerator[int, None]:
    """See Store. The connection is in use until the iterator is closed."""
    async with _alone(connection):
        if what is Perishable.DECISIONS:
            async for count in _decisions(connection, older_than, size, window):
                yield count
            return
        count = size
        while count == size:
            count = len(await connection.fetch(queries()[_QUERIES[what]], older_than, size))
            yield count


@asynccontextmanager
async def _alone(connection: Any) -> AsyncIterator[None]:
    if not await connection.fetchval(queries()["try_lock_expiry"], _LOCK):
        raise Busy
    try:
        yield
    finally:
        await connection.execute(queries()["unlock_expiry"], _LOCK)


async def _decisions(connection: Any, older_than: timedelta, size: int, window: int) -> AsyncGenerator[int, None]:
    """Goes through all old ones once, passing over those that a window holds."""
    place = (datetime(1, 1, 1, tzinfo=UTC), UUID(int=0))
    seen = size
    while seen == size:
        async with connection.transaction():
            old = await connection.fetch(queries()["old_decisions"], older_than, *place, size, window)
            count = await _delete(connection, old)
        seen = len(old)
        if old:
            place = (old[-1]["decided_at"], old[-1]["decision_id"])
        yield count


async def _delete(connection: Any, old: list[Any]) -> int:
    """The old ones that no window holds, with their pairs. Those that someone is just pairing are passed over."""
    paired = {row["decision_id"]: row["paired"] for row in old if not row["in_window"]}
    held = [row["decision_id"] for row in await connection.fetch(queries()["hold_decisions"], list(paired))]
    return len(await connection.fetch(queries()["expire_decisions"], held, [one for one in held if paired[one]]))
