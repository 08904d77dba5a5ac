"""What a big expiry does to the hot path: `python -m benchmarks.expiry`. Times are this machine's, and only as good as it is idle."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import orjson
import typer

from benchmarks.decided import decided
from worker.embedded.postgres import EmbeddedPostgres
from worker.retention import expire
from worker.settings import Settings
from worker.store import Scored, Store, Texts
from worker.store.migration import upgrade
from worker.store.postgres import PostgresStore

BATCH: Final = 64
"""Answers recorded at once."""
PAUSE_SECONDS: Final = 0.02
"""Between two batches: some 2,000 answers a second, more than one worker scores."""
_TEXT: Final = "The battery of the lamp lasts nine hours on one charge. " * 40
_OLD: Final = datetime(2025, 1, 1, tzinfo=UTC)


def main(
    rows: Annotated[int, typer.Option(help="Old answers with decisions and texts.")] = 50_000,
    batches: Annotated[int, typer.Option(help="Batches recorded in each measurement.")] = 300,
    out: Annotated[Path | None, typer.Option("--json", help="Write the figures here too.")] = None,
) -> None:
    """p95 of recording a batch while a big expiry runs, beside the same without."""
    with _postgres() as dsn:
        found = asyncio.run(_measure(dsn, rows, batches))
    for name, value in found.items():
        print(f"{name:28}{value:10.2f}")
    if out:
        out.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


@contextmanager
def _postgres() -> Iterator[str]:
    with (
        TemporaryDirectory(prefix="groundwatch-", ignore_cleanup_errors=True) as directory,
        EmbeddedPostgres(Path(directory) / "pg") as server,
    ):
        asyncio.run(upgrade(server.dsn))
        yield server.dsn


async def _measure(dsn: str, rows: int, batches: int) -> dict[str, float]:
    settings = Settings.model_validate(
        {"store": {"dsn": dsn}, "retention": {"days": {"texts": 1e-9, "decisions": 30}}, "kafka": {"retention_days": {"responses": 7}}}
    )
    store = await PostgresStore.connect(settings.store)
    try:
        numbers = count()
        for _ in range(0, rows, BATCH):
            await store.record([_scored(next(numbers), _OLD) for _ in range(BATCH)])
        before = await _record(store, numbers, batches)
        stop = asyncio.Event()
        expiring = asyncio.create_task(_expire(settings, store, stop))
        during = await _record(store, numbers, batches)
        unfinished = not expiring.done()
        stop.set()
        expired, seconds = await expiring
        after = await _record(store, numbers, batches)
    finally:
        await store.close()
    quiet = (before + after) / 2
    return {
        "p95_ms_without": 1000 * quiet,
        "p95_ms_while_expiring": 1000 * during,
        "ratio": during / quiet,
        "expired_rows": expired,
        "expired_rows_per_second": expired / seconds,
        "expiry_ran_throughout": float(unfinished),
    }


async def _expire(settings: Settings, store: Store, stop: asyncio.Event) -> tuple[int, float]:
    started, rows = time.perf_counter(), 0
    async for _, deleted in expire(settings, store, stop):
        rows += deleted
    return rows, time.perf_counter() - started


async def _record(store: Store, numbers: Iterator[int], batches: int) -> float:
    """p95 of a batch, in seconds."""
    times = []
    for _ in range(batches):
        batch = [_scored(next(numbers), datetime.now(UTC)) for _ in range(BATCH)]
        started = time.perf_counter()
        await store.record(batch)
        times.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE_SECONDS)
    return quantiles(times, n=20)[-1]


def _scored(number: int, decided_at: datetime) -> Scored:
    texts = Texts(question=None, response=f"{number}", contexts=(_TEXT, _TEXT))
    moment = decided_at + timedelta(milliseconds=number)
    return decided(f"r-{number}", number, moment, of="expiry", model="m", scores={"final": 0.5}, texts=texts)


if __name__ == "__main__":
    typer.run(main)
