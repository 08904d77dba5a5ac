"""What a rolling window costs: a pair taken in, and a snapshot taken, by the size of the window."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from benchmarks.scaling.pairs import EPOCH, pairs
from worker.monitor.windows import Window
from worker.store.protocol import Segment

SIZES: Final = (100, 1_000, 10_000, 100_000)
ROUNDS: Final = 5
"""The best of which counts: the machine may be busy with something else."""
SNAPSHOTS: Final = 100_000
"""Pairs that the snapshots of one round read, so that a round takes as long whatever the size."""


def measure(sizes: Sequence[int] = SIZES) -> Iterator[dict[str, Any]]:
    """`pairs` in the window; milliseconds of `update` (a pair more, the oldest one out), of `snapshot`, and of `both`."""
    for size in sizes:
        yield {"pairs": size} | _figures(size, count=max(5, min(200, SNAPSHOTS // size)))


def _figures(size: int, count: int) -> dict[str, float]:
    window = Window(Segment("scaling", "one"), size)
    window.load(pairs(size))
    following = list(pairs(ROUNDS * count, first=size + 1))
    gc.collect()
    updates, snapshots = [], []
    for start in range(0, len(following), count):
        spent = [
            (_timed(lambda pair=pair: window.apply(pair)), _timed(lambda: window.snapshot(EPOCH)))
            for pair in following[start : start + count]
        ]
        updates.append(sum(update for update, _ in spent) / count)
        snapshots.append(sum(snapshot for _, snapshot in spent) / count)
    return {"update_ms": min(updates), "snapshot_ms": min(snapshots), "both_ms": min(map(sum, zip(updates, snapshots, strict=True)))}


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000
