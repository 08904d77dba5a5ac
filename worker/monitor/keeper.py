"""Keeps the windows equal to Postgres and their snapshots known to everyone."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from schemas import AurocSnapshot, Pair
from worker.monitor.metrics import MonitorMetrics
from worker.monitor.windows import Version, Window, Windows
from worker.patience import Patience
from worker.store.protocol import Segment, Store

log = logging.getLogger("groundwatch.monitor")

Publish = Callable[[Sequence[AurocSnapshot]], Awaitable[None]]
"""Sends snapshots and waits for the acknowledgements. Raises BrokerUnavailable."""


class Keeper:
    """The windows of the segments that one process owns. Services that do not answer are waited for; then Stopping may be raised."""

    def __init__(
        self,
        *,
        size: int,
        segments: int,
        grace: timedelta,
        store: Store,
        publish: Publish,
        metrics: MonitorMetrics,
        patience: Patience,
        clock: Callable[[], datetime],
    ) -> None:
        self.windows = Windows(size)
        self._segments = segments
        self._grace = grace
        self._store = store
        self._send = publish
        self._metrics = metrics
        self._patience = patience
        self._clock = clock
        self._differences: dict[Segment, dict[tuple[UUID, Version], datetime]] = {}
        self._lock = asyncio.Lock()
        """A window read from Postgres must not overwrite pairs that were taken in after the reading."""

    async def take(self, pairs: Iterable[Pair]) -> None:
        """Take in pairs; publish a snapshot of every window that they changed."""
        groups: dict[Segment, list[Pair]] = {}
        for pair in pairs:
            groups.setdefault(Segment(*pair.segment), []).append(pair)
        async with self._lock:
            changed = [
                window
                for segment, group in groups.items()
                if self._room(segment) and (window := await self._apply(segment, group)) is not None
            ]
            await self._publish([window.snapshot(self._clock()) for window in changed])

    async def settle(self, owns: Callable[[Segment], bool]) -> None:
        """Hold a window for each segment that `owns` says is ours, equal to Postgres, and for no other; publish what is not published.

        A pair is in Postgres before it is on the topic, so only a difference that lasts for `grace` is a fault, which is mended.
        """
        mine = [segment for segment in await self._patience("segments", self._store.segments) if owns(segment)]
        mine.sort(key=lambda segment: segment not in self.windows)  # those that are held stay
        self._metrics.left_out.set(len(mine[self._segments :]))
        del mine[self._segments :]
        self._drop(set(self.windows.segments()) - set(mine))
        published = await self._patience("snapshots", self._store.latest_snapshots)
        newest = {Segment(snapshot.dataset, snapshot.model): snapshot for snapshot in published}
        for segment in mine:
            async with self._lock:
                if self._room(segment):
                    await self._compare(segment, newest)

    async def idle(self) -> None:
        """Return when no batch is in hand."""
        async with self._lock:
            return

    def release(self) -> None:
        """Drop every window."""
        self._drop(self.windows.segments())

    def _drop(self, segments: Iterable[Segment]) -> None:
        for segment in segments:
            self.windows.drop(segment)
            self._differences.pop(segment, None)
            self._metrics.forget(segment)
            log.info("window dropped", extra={"action": "window_dropped", **segment._asdict()})

    def _room(self, segment: Segment) -> bool:
        return segment in self.windows or len(self.windows.segments()) < self._segments

    async def _apply(self, segment: Segment, pairs: Sequence[Pair]) -> Window | None:
        """The segment's window if the pairs, or loading it, changed it."""
        loaded = segment not in self.windows
        if loaded:
            self._load(segment, await self._truth(segment))
        window = self.windows[segment]
        changes = [window.apply(pair) for pair in pairs]
        return window if loaded or any(changes) else None

    async def _compare(self, segment: Segment, newest: Mapping[Segment, AurocSnapshot]) -> None:
        truth = await self._truth(segment)
        if segment not in self.windows:
            self._load(segment, truth)
        elif self._lasting(segment, self.windows[segment].difference(truth)):
            self.windows.load(segment, truth)
            self._metrics.repairs.labels(*segment).inc()
            log.warning("window differed from the store", extra={"action": "window_repaired", "pairs": len(truth), **segment._asdict()})
        snapshot = self.windows[segment].snapshot(self._clock())
        if _same(snapshot, newest.get(segment)):
            self._metrics.show(snapshot)
        else:
            await self._publish([snapshot])

    def _lasting(self, segment: Segment, difference: Collection[tuple[UUID, Version]]) -> bool:
        """Whether some of the difference was seen `grace` ago already."""
        now, seen = self._clock(), self._differences.get(segment, {})
        self._differences[segment] = {pair: seen.get(pair, now) for pair in difference}
        return any(now - first >= self._grace for first in self._differences[segment].values())

    async def _truth(self, segment: Segment) -> Sequence[Pair]:
        return await self._patience("window", partial(self._store.window, segment, self.windows.size))

    def _load(self, segment: Segment, truth: Sequence[Pair]) -> None:
        self.windows.load(segment, truth)
        log.info("window loaded", extra={"action": "window_loaded", "pairs": len(truth), **segment._asdict()})

    async def _publish(self, snapshots: Sequence[AurocSnapshot]) -> None:
        """The store comes last: what it holds has reached the topic too."""
        if not snapshots:
            return
        for snapshot in snapshots:
            self._metrics.show(snapshot)
        await self._patience("auroc topic", partial(self._send, snapshots))
        await self._patience("snapshots", partial(self._store.save_snapshots, snapshots))


def _same(snapshot: AurocSnapshot, published: AurocSnapshot | None) -> bool:
    return published is not None and snapshot == published.model_copy(update={"taken_at": snapshot.taken_at})
