"""Figures of a segment's periods: what is asked of the store for them, and of `worker.measurement`."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from worker.measurement.period import PeriodFigures, measure_period
from worker.measurement.shift import Decided, Shift, shifts
from worker.measurement.watch import Day, Span, Watch, spans, watch
from worker.settings import Baseline, Drift
from worker.store.protocol import Clock, PairFilter, Segment, Store

MOST: Final = 5000
"""Decisions of a period that are held against another's; of more, a sample."""


async def figures_of(store: Store, which: PairFilter, *, of_all: bool = True) -> PeriodFigures:
    """The figures of the answers meant; without `of_all` of the labelled ones alone. Raises what the store raises, as all of these do."""
    judged, cells = await store.judged(which), await store.scored_cells(which) if of_all else {}
    return await asyncio.to_thread(measure_period, judged, cells)


async def served(store: Store, segment: Segment, span: Span) -> PeriodFigures:
    """The figures of the answers that a segment served in a period."""
    which = PairFilter(dataset=segment.dataset, model=segment.model, since=span.since, until=span.until, clock=Clock.SERVED)
    return await figures_of(store, which)


async def watched(
    store: Store, segment: Segment, baseline: Baseline, delta: float, *, now: datetime, days: int = 7, at_most: int = 60
) -> Watch:
    """A segment against its pinned period: the last `days` days together, and whole days of UTC one by one, `at_most` of them."""
    measured = spans(Span(baseline.since, baseline.until), now, recent=days, at_most=at_most)
    each = [Day(one.since.date(), await served(store, segment, one)) for one in measured.days]
    pinned, recent = [await served(store, segment, one) for one in (measured.pinned, measured.recent)]
    return await asyncio.to_thread(watch, pinned, recent, each, delta, alpha=measured.alpha)


async def shifted(store: Store, segment: Segment, drift: Drift, now: datetime) -> list[Shift]:
    """The decisions of a segment's last hours against those before."""
    turn = now - timedelta(hours=drift.hours)
    before = await _decided(store, segment, turn - timedelta(hours=drift.against_hours), turn)
    return await asyncio.to_thread(shifts, before, await _decided(store, segment, turn, now), drift.alpha)


async def _decided(store: Store, segment: Segment, since: datetime, until: datetime) -> list[Decided]:
    which = PairFilter(dataset=segment.dataset, model=segment.model, since=since, until=until)
    return [Decided(*row) for row in await store.decided(which, MOST)]
