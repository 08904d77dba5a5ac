"""What a rolling window costs: a pair taken in, and a snapshot taken, by the size of the window."""

import gc
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from benchmarks.scaling.pairs import EPOCH, pairs
from schemas import Pair
from worker.monitor.windows import Window
from worker.settings import Monitor
from worker.store.protocol import Segment

SIZES: Final = (100, 1_000, 10_000, 100_000)
ROUNDS: Final = 5
"""The best of which counts: the machine may be busy with something else."""
SNAPSHOTS: Final = 100_000
"""Pairs that the snapshots of one round read, so that a round takes as long whatever the size."""


def measure(sizes: Sequence[int] = SIZES) -> Iterator[dict[str, Any]]:
    """`pairs` in the window; milliseconds of `update` (a pair more, the oldest one out), of `snapshot`, and of `both`;
    of `batch`: as many pairs as a monitor takes in hand at once, and one snapshot.
    """
    for size in sizes:
        yield {"pairs": size} | _figures(size, count=max(5, min(200, SNAPSHOTS // size)))


def _figures(size: int, count: int) -> dict[str, float]:
    window = Window(Segment("scaling", "one"), size)
    window.load(pairs(size))
    batch = Monitor().batch_events
    following = pairs(ROUNDS * (count + batch), first=size + 1)
    gc.collect()
    rounds = [_round(window, list(islice(following, count))) for _ in range(ROUNDS)]
    batches = [_batch(window, list(islice(following, batch))) for _ in range(ROUNDS)]
    update, snapshot = (min(each) for each in zip(*rounds, strict=True))
    return {"update_ms": update, "snapshot_ms": snapshot, "both_ms": min(map(sum, rounds)), "batch_ms": min(batches)}


def _batch(window: Window, following: Sequence[Pair]) -> float:
    started = time.perf_counter()
    for pair in following:
        window.apply(pair)
    window.snapshot(EPOCH)
    return (time.perf_counter() - started) * 1000


def _round(window: Window, following: Sequence[Pair]) -> tuple[float, float]:
    """Mean milliseconds of taking in a pair and of the snapshot after it."""
    updates = snapshots = 0.0
    for pair in following:
        started = time.perf_counter()
        window.apply(pair)
        applied = time.perf_counter()
        window.snapshot(EPOCH)
        updates, snapshots = updates + applied - started, snapshots + time.perf_counter() - applied
    return updates * 1000 / len(following), snapshots * 1000 / len(following)
