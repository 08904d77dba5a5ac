"""The play: traffic goes in, the state is watched until all of it is through, and the end is judged."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from schemas import Pair
from worker.demo.corpus import load_corpus
from worker.demo.reading import Reading, is_through, read, read_pairs
from worker.demo.stage import Stage
from worker.demo.traffic import Traffic, plan_traffic
from worker.demo.view import describe, draw_live, draw_summary
from worker.store import Segment, Store
from worker.store.postgres import PostgresStore
from worker.topics import open_producer

SETTLE_SECONDS: Final = 60
"""Longest time from the last message until everything is through."""
LOOK_SECONDS: Final = 0.5
LINE_SECONDS: Final = 2
"""Time between two lines where there is no terminal."""
RATE_SECONDS: Final = 3
"""Stretch over which the rate is taken."""


async def play(stage: Stage, console: Console, seconds: float) -> bool:
    """Run the traffic and show it; True when everything came to its expected end. Raises WorkerEnded, TimeoutError."""
    topics = stage.settings.kafka.topics
    traffic = plan_traffic(load_corpus(), topics, seconds=seconds, start=datetime.now(UTC))
    store = await PostgresStore.connect(stage.settings.store)
    try:
        async with asyncio.timeout(seconds + SETTLE_SECONDS), asyncio.TaskGroup() as tasks:
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
            await asyncio.sleep(start + timed.due - time.monotonic())
            await producer.send(timed.message.topic, timed.message.value, key=timed.message.key)


async def _watch(stage: Stage, store: Store, traffic: Traffic, console: Console) -> tuple[Reading, Mapping[Segment, Sequence[Pair]]]:
    """Show the state until everything is through."""
    settings = stage.settings
    meter = _Meter()
    with Live(console=console, auto_refresh=False, transient=True) as live:
        while True:
            stage.check()
            reading = await read(store)
            pairs = await read_pairs(store, reading.segments, settings.monitor.window)
            if is_through(reading, pairs, traffic, settings.kafka.topics):
                return reading, pairs
            rate, is_line_due = meter.note(reading.accounted)
            if console.is_terminal:
                live.update(draw_live(reading, sent=len(traffic.schedule), rate=rate), refresh=True)
            elif is_line_due:
                print(describe(reading, sent=len(traffic.schedule), rate=rate), flush=True)
            await asyncio.sleep(LOOK_SECONDS)


class _Meter:
    """Events a second over the last few seconds, and when the next line is due."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._line = 0.0

    def note(self, accounted: int) -> tuple[float, bool]:
        now = time.monotonic()
        self._seen.append((now, accounted))
        while now - self._seen[0][0] > RATE_SECONDS:
            self._seen.popleft()
        (then, before) = self._seen[0]
        is_line_due = now - self._line >= LINE_SECONDS
        if is_line_due:
            self._line = now
        return ((accounted - before) / (now - then) if now > then else 0.0), is_line_due


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
