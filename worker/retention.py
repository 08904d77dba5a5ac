"""Deletes what has had its time, beside everything else and never in its way."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from worker.errors import Busy, GroundwatchError
from worker.patience import stopped_within
from worker.settings import Settings
from worker.store import Perishable, Store
from worker.telemetry import Telemetry

log = logging.getLogger("groundwatch")

_PAUSE_PER_WORK: Final = 3
"""A pause takes at least so many times what its batch took: a database that is slow has other things to do."""


class Retention:
    """The part of a worker that keeps to `retention`. What fails is said, and tried again at the next pass: nothing waits for it."""

    def __init__(self, settings: Settings, store: Store, telemetry: Telemetry) -> None:
        self._settings = settings
        self._store = store
        self._telemetry = telemetry

    async def run(self, stop: asyncio.Event) -> None:
        """A pass now and then until `stop`, which ends one in hand after its batch."""
        while not stop.is_set():
            counts: Counter[str] = Counter()
            try:
                await self._pass(counts, stop)
                log.info("expired what is old", extra={"action": "rows_expired", "rows": dict(+counts)})
            except Busy:
                log.debug("another worker expires", extra={"action": "expiry_elsewhere"})
            except Exception as failure:
                self._telemetry.expiry_failures.inc()
                told = str(failure) if isinstance(failure, GroundwatchError) else type(failure).__name__
                log.warning("what is old stays for now: %s", told, extra={"action": "expiry_failed", "rows": dict(+counts)})
            await stopped_within(stop, self._settings.retention.pass_seconds)

    async def _pass(self, counts: Counter[str], stop: asyncio.Event) -> None:
        async with aclosing(expire(self._settings, self._store, stop)) as batches:
            async for what, count in batches:
                counts[what.value] += count
                self._telemetry.expired.labels(what.value).inc(count)


async def expire(settings: Settings, store: Store, stop: asyncio.Event) -> AsyncGenerator[tuple[Perishable, int], None]:
    """Delete everything that is older than `retention.days` allows; yields how much of what went with each batch. Ends early at `stop`.

    Raises Busy while another process does it.
    """
    policy = settings.retention
    for what in Perishable:
        days = getattr(policy.days, what)
        if days is None or stop.is_set():
            continue
        batches = store.expire(what, older_than=timedelta(days=days), batch=policy.batch_rows, window=settings.monitor.window)
        async with aclosing(batches) as counts:
            started = time.monotonic()
            async for count in counts:
                took = time.monotonic() - started
                yield what, count
                if await stopped_within(stop, max(policy.pause_seconds, _PAUSE_PER_WORK * took)):
                    return
                started = time.monotonic()
