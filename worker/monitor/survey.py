"""What the rolling windows do not tell: figures of hours, days and weeks, and once a day whether a segment got worse or drifted."""

import logging
from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from typing import Any

from worker.errors import InfrastructureError
from worker.measurement.shift import Shift
from worker.measurement.watch import Watch
from worker.monitor.metrics import MonitorMetrics
from worker.periods import figures_of, shifted, watched
from worker.settings import Gate
from worker.settings import Monitor as MonitorSettings
from worker.store.protocol import Clock, PairFilter, Segment, Store

log = logging.getLogger("groundwatch.monitor")


class Surveyor:
    """Reads the store now and then and shows what it finds. An alarm is a log record with its evidence, and a metric."""

    def __init__(
        self, settings: MonitorSettings, gate: Gate, *, store: Store, metrics: MonitorMetrics, clock: Callable[[], datetime]
    ) -> None:
        self._settings = settings
        self._gate = gate
        self._store = store
        self._metrics = metrics
        self._clock = clock
        self._checked: dict[Segment, date | None] = {}
        """The day on which each segment that is shown had its daily check."""

    async def survey(self, segments: Collection[Segment]) -> None:
        """Measure the periods of `segments`, and check those that had no check today. What the store does not tell waits for next time."""
        self.forget(self._checked.keys() - set(segments))
        for segment in segments:
            self._checked.setdefault(segment, None)
            try:
                await self._survey(segment)
            except InfrastructureError as silent:
                log.warning("no survey of %s: %s", segment.name, silent, extra={"action": "survey_left_out", **segment._asdict()})

    def forget(self, segments: Collection[Segment] | None = None) -> None:
        """Show no more of `segments`, or of any."""
        for segment in tuple(self._checked if segments is None else segments):
            del self._checked[segment]
            self._metrics.forget_survey(segment)

    async def _survey(self, segment: Segment) -> None:
        await self._measure(segment)
        if self._checked[segment] != (today := self._clock().date()):
            await self._check(segment)
            self._checked[segment] = today

    async def _measure(self, segment: Segment) -> None:
        for hours in self._settings.period_hours:
            for clock in Clock:
                since = self._clock() - timedelta(hours=hours)
                which = PairFilter(dataset=segment.dataset, model=segment.model, since=since, clock=clock)
                found = await figures_of(self._store, which, of_all=clock is Clock.SERVED)
                self._metrics.show_period(segment, hours, clock, found)

    async def _check(self, segment: Segment) -> None:
        now, baseline = self._clock(), self._settings.baselines.get(segment.name)
        found = None if baseline is None else await watched(self._store, segment, baseline, self._gate.delta, now=now)
        drifted = [one for one in await shifted(self._store, segment, self._settings.drift, now) if one.compared.drifted]
        self._metrics.show_check(segment, found, len(drifted))
        if found is not None and found.outcome == "worse":
            log.error("%s got worse", segment.name, extra={"action": "quality_alarm", **segment._asdict(), **_loss(found)})
        for shift in drifted:
            said = (shift.what, segment.name, shift.compared.test)
            log.warning("%s of %s drifted (%s)", *said, extra={"action": "drift_alarm", **segment._asdict(), **_drift(shift)})


def _loss(found: Watch) -> dict[str, Any]:
    figures = {"baseline": found.baseline.auroc, "recent": found.recent.auroc, "figure": found.figure}
    return {"reason": found.reason, "changed": found.changed and found.changed.isoformat(), **figures}


def _drift(shift: Shift) -> dict[str, Any]:
    one = shift.compared
    return {"test": one.test, "before": shift.before, "now": shift.now, "effect": one.effect, "p": one.adjusted, "examples": shift.examples}
