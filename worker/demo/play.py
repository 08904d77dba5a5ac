"""The play: traffic goes in, the state is watched until all of it is through, and the end is judged."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from schemas import Pair
from worker.demo.corpus import load_corpus
from worker.demo.reading import Reading, is_through, read, read_pairs
from worker.demo.stage import Stage
from worker.demo.traffic import Traffic, plan_traffic
from worker.demo.view import describe, draw_live, draw_summary
from worker.errors import Stalled
from worker.store import Segment, Store
from worker.store.postgres import PostgresStore
from worker.topics import open_producer

STALL_SECONDS: Final = 60
"""Longest time without any progress."""
WAVE_SECONDS: Final = 1
"""Messages go out in waves: the embedded broker hands out one producer batch a fetch, and single messages would make batches of four."""
LOOK_SECONDS: Final = 0.5
LINE_SECONDS: Final = 2
"""Time between two lines where there is no terminal."""
RATE_SECONDS: Final = 3
"""Stretch over which the rate is taken."""


async def play(stage: Stage, console: Console, seconds: float) -> bool:
    """Run the traffic and show it; True when everything came to its expected end. Raises WorkerEnded, Stalled."""
    topics = stage.settings.kafka.topics
    traffic = plan_traffic(load_corpus(), topics, seconds=seconds, start=datetime.now(UTC))
    store = await PostgresStore.connect(stage.settings.store)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_publish(stage, traffic))
            watching = tasks.create_task(_watch(stage, store, traffic, console))
    finally:
        await store.close()
    reading, pairs = watching.result()
    console.print(draw_summary(reading, pairs, traffic, topics))
    problems = await _problems(stage, reading, traffic)
    console.print("ledger balances: yes" if not problems else "\n".join(problems), markup=False)
    return not problems


async def _publish(stage: Stage, traffic: Traffic) -> None:
    """Each message when it is due."""
    start = time.monotonic()
    async with open_producer(stage.settings.kafka, stage.settings.limits) as producer:
        for timed in traffic.schedule:
            await asyncio.sleep(start + ceil(timed.due / WAVE_SECONDS) * WAVE_SECONDS - time.monotonic())
            await producer.send(timed.message.topic, timed.message.value, key=timed.message.key)


async def _watch(stage: Stage, store: Store, traffic: Traffic, console: Console) -> tuple[Reading, Mapping[Segment, Sequence[Pair]]]:
    """Show the state until everything is through."""
    settings = stage.settings
    meter = Meter(time.monotonic())
    with Live(console=console, auto_refresh=False, transient=True) as live:
        while True:
            stage.check()
            reading = await read(store)
            pairs = await read_pairs(store, reading.segments, settings.monitor.window)
            if is_through(reading, pairs, traffic, settings.kafka.topics):
                return reading, pairs
            rate = meter.note(reading.progress, reading.accounted, time.monotonic())
            if console.is_terminal:
                live.update(draw_live(reading, sent=len(traffic.schedule), rate=rate), refresh=True)
            elif meter.is_line_due(time.monotonic()):
                print(describe(reading, sent=len(traffic.schedule), rate=rate), flush=True)
            await asyncio.sleep(LOOK_SECONDS)


class Meter:
    """Events a second over the last few seconds, whether anything moves, and when the next line is due."""

    def __init__(self, now: float) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._line = now
        self._moved = now
        self._progress: object = None

    def note(self, progress: object, accounted: int, now: float) -> float:
        """Take in a look at `now`; returns the rate. Raises Stalled when `progress` has been the same for too long."""
        if progress != self._progress:
            self._progress, self._moved = progress, now
        elif now - self._moved > STALL_SECONDS:
            raise Stalled(f"nothing has moved for {STALL_SECONDS} s; the worker's last lines are above")
        self._seen.append((now, accounted))
        while now - self._seen[0][0] > RATE_SECONDS:
            self._seen.popleft()
        then, before = self._seen[0]
        return (accounted - before) / (now - then) if now > then else 0.0

    def is_line_due(self, now: float) -> bool:
        """True once every LINE_SECONDS."""
        if now - self._line < LINE_SECONDS:
            return False
        self._line = now
        return True


async def _problems(stage: Stage, reading: Reading, traffic: Traffic) -> list[str]:
    """What did not come out as it should; the ledger is proved by the command that proves it anywhere."""
    found = []
    if reading.dead_letters != traffic.malformed:
        found.append(f"dead letters: {traffic.malformed} expected, {reading.dead_letters} found")
    audit = await asyncio.to_thread(stage.run, "ledger", "--json")
    if audit.returncode:
        lines = [f"{row['topic']}/{row['partition']}: {problem}" for row in _partitions(audit.stdout) for problem in row["problems"]]
        found.append("ledger balances: NO\n" + ("\n".join(lines) or audit.stderr))
    return found


def _partitions(report: str) -> list[dict[str, Any]]:
    return list(json.loads(report)["partitions"]) if report else []
