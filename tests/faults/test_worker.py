"""Workers that are killed, stopped, frozen, and that come and go."""

import asyncio
import os
import random
import signal
import time

import pytest

from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand

pytestmark = [pytest.mark.faults, pytest.mark.timeout(1800 if FULL else 180)]

KILLS = 50 if FULL else 2
FROZEN_SECONDS = 60


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
async def test_workers_that_end_at_random_moments_lose_and_double_nothing(stand: Stand, number: signal.Signals) -> None:
    draw = random.Random(number)
    async with stand.traffic(rate=4):  # loading the models takes much of what the machine could score
        for turn in range(KILLS):
            worker = stand.workers[turn % 2]
            await asyncio.sleep(draw.uniform(0, 2))  # the moment is the fault's, not a wait for something
            if number is signal.SIGKILL:
                worker.kill()
            else:
                asked = time.monotonic()
                assert worker.stop() == 0
                assert time.monotonic() - asked < 15
            worker.start()
            await worker.until_ready()
    await stand.audit()


@LONG
async def test_a_worker_that_was_frozen_and_comes_back_overwrites_nothing(stand: Stand) -> None:
    async with stand.traffic():
        frozen = stand.workers[0].pid
        os.kill(frozen, signal.SIGSTOP)
        try:
            await asyncio.sleep(FROZEN_SECONDS)
        finally:
            os.kill(frozen, signal.SIGCONT)
    await stand.audit()
