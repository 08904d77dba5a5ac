"""An hour under load with a fault every minute: `make soak`."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

import psutil
import pytest

from benchmarks.throughput.processes import family, resident_megabytes
from tests.faults.stand import Stand
from tests.waiting import until
from worker.cli.output import print_table

MINUTES: Final = int(os.environ.get("SOAK_MINUTES", "0"))
LOAD: Final = 0.7
"""Share of the capacity that arrives."""
NORMAL_SECONDS: Final = 3
"""As long as less than this would arrive in that time waits, the lag is normal."""
MOST_MEGABYTES: Final = {"worker": 300, "scorer": 1100}

pytestmark = [
    pytest.mark.faults,
    pytest.mark.timeout(MINUTES * 60 + 1200),
    pytest.mark.skipif(not MINUTES, reason="takes an hour; `make soak` runs it"),
]


async def kill_worker(stand: Stand) -> None:
    worker = stand.draw.choice(stand.workers)
    worker.kill()
    worker.start()
    await worker.until_ready()


async def stop_worker(stand: Stand) -> None:
    worker = stand.draw.choice(stand.workers)
    assert worker.stop() == 0
    worker.start()
    await worker.until_ready()


async def freeze_worker(stand: Stand) -> None:
    pid = stand.draw.choice(stand.workers).pid
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(10)
    os.kill(pid, signal.SIGCONT)


async def kill_scorer(stand: Stand) -> None:
    worker = stand.draw.choice(stand.workers)
    scorer = family(worker.pid).get("scorer 1")
    if scorer is not None:
        with suppress(ProcessLookupError):
            os.kill(scorer, signal.SIGKILL)
    await until(lambda: "scorer 1" in family(worker.pid), timeout=60)


async def kill_broker(stand: Stand) -> None:
    await asyncio.to_thread(stand.broker.kill)
    await asyncio.to_thread(stand.broker.start)


async def restart_postgres(stand: Stand) -> None:
    await asyncio.to_thread(stand.postgres.stop)
    await asyncio.sleep(3)
    await asyncio.to_thread(stand.postgres.start)


async def cut_connections(stand: Stand) -> None:
    async with stand.connection() as admin:
        for _ in range(50):
            await admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'groundwatch'")
            await asyncio.sleep(0.1)


async def hold_lock(stand: Stand) -> None:
    async with stand.connection() as admin, admin.transaction():
        await admin.execute("LOCK TABLE groundwatch.decisions IN ACCESS EXCLUSIVE MODE")
        await asyncio.sleep(8)


FAULTS: Final[tuple[Callable[[Stand], Awaitable[None]], ...]] = (
    kill_worker,
    stop_worker,
    freeze_worker,
    kill_scorer,
    kill_broker,
    restart_postgres,
    cut_connections,
    hold_lock,
)


class Minute(NamedTuple):
    """What came of one fault."""

    number: int
    fault: str
    recovered_seconds: float
    megabytes: dict[str, int]


async def test_an_hour_with_a_fault_every_minute(stand: Stand) -> None:
    rate = LOAD * await _capacity(stand)
    turns = list(FAULTS)
    minutes: list[Minute] = []
    async with stand.traffic(rate):
        for number in range(MINUTES):
            if number % len(turns) == 0:
                random.Random(number).shuffle(turns)
            due = time.monotonic() + 60
            fault = turns[number % len(turns)]
            await fault(stand)
            ended = time.monotonic()
            await until(lambda: _is_normal(stand, rate), timeout=300, every=0.5)
            minutes.append(Minute(number, fault.__name__, round(time.monotonic() - ended, 1), _megabytes(stand)))
            print(minutes[-1], flush=True)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
    waited = await stand.audit(within=60)
    sent = f"{rate:.1f} answers/s, {len(stand.responses):,} in all; audited {waited:.1f} s after the last"
    print_table(("minute", "fault", "recovered after s", "MB"), [(*row[:3], str(row.megabytes)) for row in minutes], empty="")
    print(sent)
    slow = [minute for minute in minutes if minute.recovered_seconds > 30]
    assert not slow, slow
    heavy = [minute for minute in minutes if any(size > MOST_MEGABYTES[name.split()[0]] for name, size in minute.megabytes.items())]
    assert not heavy, heavy


async def _capacity(stand: Stand) -> float:
    """Answers a second of both workers, warm."""
    for count in (100, 200):
        started = time.monotonic()
        async with stand.traffic(rate=0.01) as traffic:
            for number in range(count):
                await traffic.answer(number)
        await until(stand.nothing_waits, timeout=300, every=0.2)
    return count / (time.monotonic() - started)


async def _is_normal(stand: Stand, rate: float) -> bool:
    assert all(worker.running for worker in stand.workers), [worker.everything_said()[-2000:] for worker in stand.workers]
    return await stand.waiting() < NORMAL_SECONDS * 2 * rate  # an answer is some two messages


def _megabytes(stand: Stand) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, worker in enumerate(stand.workers, 1):
        with suppress(psutil.NoSuchProcess):
            found |= {f"{name} {number}": resident_megabytes(pid) for name, pid in family(worker.pid).items()}
    return found
