"""The monitor's stream app that is killed, frozen, or loses its place: its windows equal Postgres afterwards."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600 if FULL else 180)]

KILLS = 20 if FULL else 2


async def test_a_monitor_that_is_killed_again_and_again(stand: Stand, tmp_path: Path) -> None:
    monitor = stand.new_worker(tmp_path / "monitor", "--role", "monitor")
    stand.workers.append(monitor)
    async with stand.traffic():
        for _ in range(KILLS):
            monitor.start()
            await monitor.until_ready()
            monitor.kill()
        monitor.start()
        await monitor.until_ready()
    await stand.audit()


@LONG
async def test_a_monitor_that_was_frozen_until_its_windows_had_another_owner(stand: Stand) -> None:
    monitor = stand.workers[-1]
    async with stand.traffic():
        os.kill(monitor.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(12)  # twice the session
        finally:
            os.kill(monitor.pid, signal.SIGCONT)
    await stand.audit()


@LONG
async def test_a_monitor_that_lost_its_place_reads_everything_again(stand: Stand) -> None:
    for worker in stand.workers:
        assert worker.stop() == 0
    await stand.forget_group(f"{stand.kafka.group}-monitor")
    async with stand.traffic():
        for worker in stand.workers:
            worker.start()
        await stand.until_ready()
    await stand.audit()
