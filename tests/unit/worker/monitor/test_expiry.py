"""Expiry takes nothing from a rolling window, so the check of the windows finds nothing to mend."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from prometheus_client import CollectorRegistry

from schemas import AurocSnapshot
from tests.integration.worker.store.factories import NOON, labelled, scored
from worker.monitor.keeper import Keeper
from worker.monitor.metrics import MonitorMetrics
from worker.patience import Patience
from worker.settings import Retry
from worker.store import Perishable, Segment
from worker.store.memory import MemoryStore

WINDOW = 3


@pytest.mark.parametrize("what", Perishable)
async def test_windows_and_store_stay_equal_whatever_expires(what: Perishable) -> None:
    store, registry, now = MemoryStore(), CollectorRegistry(), NOON

    async def publish(snapshots: Sequence[AurocSnapshot]) -> None:
        published.extend(snapshots)

    published: list[AurocSnapshot] = []
    keeper = Keeper(
        size=WINDOW,
        segments=10,
        grace=timedelta(seconds=30),
        store=store,
        publish=publish,
        metrics=MonitorMetrics(registry),
        patience=Patience(Retry(), asyncio.Event()),
        clock=lambda: now,
    )
    for n in range(5):
        await store.record([scored(n, f"r-{n}"), labelled(n, f"r-{n}", n % 2)])
        await keeper.take(await store.pair([f"r-{n}"]))
    before = len(published)

    assert sum([count async for count in store.expire(what, older_than=timedelta(0), batch=2, window=WINDOW)]) == {
        Perishable.TEXTS: 5,
        Perishable.DECISIONS: 2,
        Perishable.LABELS: 5,
        Perishable.SNAPSHOTS: 4,
    }.get(what, 0)
    for _ in range(3):
        now += timedelta(minutes=1)
        await keeper.settle(lambda _: True)
    assert registry.get_sample_value("groundwatch_window_repairs_total", Segment("travel", "m-1")._asdict()) is None
    assert len(published) == before
