"""Retention works beside everything else: what fails is told and tried again, and a stop is prompt."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from tests.integration.worker.store.factories import scored
from tests.waiting import until
from worker.errors import Busy, StoreUnavailable
from worker.retention import Retention
from worker.settings import Settings
from worker.store import Perishable
from worker.store.memory import MemoryStore
from worker.telemetry import Telemetry


class Bench:
    """Retention over a store whose decisions are all older than their time."""

    def __init__(self, store: MemoryStore, **retention: Any) -> None:
        policy = {"days": {"decisions": 30}, "pass_seconds": 0.01, "batch_rows": 2, "pause_seconds": 0.001} | retention
        self.store = store
        self.registry = CollectorRegistry()
        self.retention = Retention(Settings.model_validate({"retention": policy}), store, Telemetry(self.registry))
        self.stop = asyncio.Event()

    async def fill(self) -> None:
        await self.store.record([scored(n, f"r-{n}") for n in range(5)])

    def expired(self, kind: str) -> float:
        return self.registry.get_sample_value("groundwatch_expired_rows_total", {"kind": kind}) or 0

    @property
    def failures(self) -> float:
        return self.registry.get_sample_value("groundwatch_expiry_failures_total") or 0

    async def run_until(self, condition: Any) -> None:
        task = asyncio.create_task(self.retention.run(self.stop))
        try:
            await until(condition)
        finally:
            self.stop.set()
            await asyncio.wait_for(task, 5)


class Failing(MemoryStore):
    """Fails so often before it works."""

    def __init__(self, error: Exception, times: int) -> None:
        super().__init__()
        self.error, self.times = error, times

    async def expire(self, what: Perishable, *, older_than: timedelta, batch: int, window: int) -> AsyncGenerator[int, None]:
        self.times -= 1
        if self.times >= 0:
            raise self.error
        async for count in super().expire(what, older_than=older_than, batch=batch, window=window):
            yield count


async def test_what_is_old_goes_is_counted_and_told(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(MemoryStore())
    await bench.fill()
    with caplog.at_level(logging.INFO):
        await bench.run_until(lambda: bench.expired("decisions") == 5)
    told = [vars(record)["rows"] for record in caplog.records if getattr(record, "action", None) == "rows_expired"]
    assert (told[0], [rows for rows in told[1:] if rows]) == ({"decisions": 5}, [])
    assert bench.expired("texts") == 0


async def test_what_has_no_time_stays() -> None:
    bench = Bench(MemoryStore(), days={})
    await bench.fill()
    bench.stop.set()
    await asyncio.wait_for(bench.retention.run(bench.stop), 5)
    assert bench.expired("decisions") == 0


@pytest.mark.parametrize("error", [StoreUnavailable(), KeyError("private")], ids=["away", "defect"])
async def test_a_failure_is_told_and_the_next_pass_comes(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(Failing(error, times=2))
    await bench.fill()
    await bench.run_until(lambda: bench.expired("decisions") == 5)
    assert bench.failures == 2
    assert [getattr(record, "action", None) for record in caplog.records] == ["expiry_failed"] * 2
    assert "private" not in caplog.text


async def test_another_worker_that_expires_is_no_failure() -> None:
    bench = Bench(Failing(Busy(), times=2))
    await bench.fill()
    await bench.run_until(lambda: bench.expired("decisions") == 5)
    assert bench.failures == 0


async def test_a_stop_ends_a_pass_after_its_batch() -> None:
    bench = Bench(MemoryStore(), pause_seconds=3600)
    await bench.fill()
    await bench.run_until(lambda: bench.expired("decisions"))
    assert bench.expired("decisions") == 2
