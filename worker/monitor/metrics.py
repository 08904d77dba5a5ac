"""The monitor's figures for Prometheus. A figure that is absent has no series, rather than 0 or NaN."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge

from schemas import Auroc, AurocSnapshot
from worker.measurement.corrected import Corrected
from worker.measurement.period import PeriodFigures
from worker.measurement.watch import Watch
from worker.monitor.traffic import Summary
from worker.store.protocol import Clock, Segment

_SEGMENT = ("dataset", "model")


class MonitorMetrics:
    """Gauges and counters of one monitor, in the registry that is handed in."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"groundwatch_{name}", text, (*_SEGMENT, *labels), registry=registry)

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"groundwatch_{name}", text, labels, registry=registry)

        self._auroc = gauge("auroc", "Rolling AUROC of a score against the labels", "score")
        self._low = gauge("auroc_low", "Lower end of its 95 % interval", "score")
        self._high = gauge("auroc_high", "Upper end of its 95 % interval", "score")
        self._pairs = gauge("window_pairs", "Labelled decisions in the window")
        self._unsure = gauge("window_unsure", "Pairs in the window whose label says neither")
        self._unscored = gauge("window_unscored", "Labelled decisions in the window without a final score")
        self._operating = {
            "false_positive_rate": gauge("false_positive_rate", "Share of hallucinated answers in the window that were accepted"),
            "precision": gauge("precision", "Share of accepted answers in the window that are grounded"),
            "recall": gauge("recall", "Share of grounded answers in the window that were accepted"),
        }
        self._decisions = gauge("decisions_window", "The latest decisions by verdict, labelled or not", "decision")
        self._mean = gauge("score_mean", "Mean of a score over the latest decisions that have it", "score")
        self._coverage = gauge("score_coverage", "Share of the latest decisions that have the score", "score")
        period = ("hours", "by", "of")
        self._period = gauge("period_auroc", "AUROC of the final score, of labelled answers and of all answers of a period", *period)
        self._period_low = gauge("period_auroc_low", "Lower end of its 95 % interval", *period)
        self._period_high = gauge("period_auroc_high", "Upper end of its 95 % interval", *period)
        self._period_labels = gauge("period_labels", "Labelled answers of the period", "hours", "by")
        self._worse = gauge("baseline_worse", "1 when the segment is worse than its pinned baseline, 0 when it is as good")
        self._drifted = gauge("drifted", "Figures of the decisions that have drifted, by the last daily check")
        self.lag = Gauge("groundwatch_monitor_lag", "Messages for the monitor on the broker without a commit", registry=registry)
        self.waiting = Gauge("groundwatch_monitor_waiting", "1 while a service does not answer the monitor", registry=registry)
        self.left_out = Gauge("groundwatch_segments_left_out", "Segments beyond monitor.segments, without a window", registry=registry)
        self.repairs = Counter(
            "groundwatch_window_repairs", "Windows found to differ from Postgres, and mended", _SEGMENT, registry=registry
        )
        self.malformed = counter("monitor_malformed", "Messages that the monitor could not read", "topic")
        self.faults = counter("monitor_faults", "Batches that failed for another reason than a service that does not answer", "topic")
        self.restarts = counter("monitor_restarts", "Times that the stream app had to be started again")

    def show(self, snapshot: AurocSnapshot) -> None:
        """Set the series of one segment's window."""
        segment = (snapshot.dataset, snapshot.model)
        _clear((self._auroc, self._low, self._high), segment)
        for score, figure in snapshot.scores.items():
            for gauge, value in ((self._auroc, figure.auroc), (self._low, figure.low), (self._high, figure.high)):
                _set(gauge, (*segment, score), value)
        self._pairs.labels(*segment).set(snapshot.pairs)
        self._unsure.labels(*segment).set(snapshot.unsure)
        self._unscored.labels(*segment).set(snapshot.unscored)
        for name, gauge in self._operating.items():
            _set(gauge, segment, getattr(snapshot.operating, name))

    def forget(self, segment: Segment) -> None:
        """Remove the series of a segment whose window has gone elsewhere."""
        _clear((self._auroc, self._low, self._high, self._pairs, self._unsure, self._unscored, *self._operating.values()), segment)

    def show_period(self, segment: Segment, hours: float, by: Clock, found: PeriodFigures) -> None:
        """Set the series of one of a segment's periods. The figure of all answers is one of those that were served in it."""
        of: dict[str, Auroc | Corrected] = {"labelled": found.plain}
        if by is Clock.SERVED:
            of["all"] = found.corrected
        place = (*segment, f"{hours:g}", by.value)
        self._period_labels.labels(*place).set(found.pairs)
        for name, figure in of.items():
            values = (figure.auroc, figure.low, figure.high)
            for gauge, value in zip((self._period, self._period_low, self._period_high), values, strict=True):
                _set(gauge, (*place, name), value)

    def show_check(self, segment: Segment, found: Watch | None, drifted: int) -> None:
        """Set the series of a segment's daily check. Without a baseline, or when the labels do not tell, nothing is said of it."""
        _set(self._worse, segment, None if found is None or found.outcome == "unknown" else float(found.outcome == "worse"))
        self._drifted.labels(*segment).set(drifted)

    def forget_survey(self, segment: Segment) -> None:
        """Remove the series of a segment that another process surveys."""
        _clear((self._period, self._period_low, self._period_high, self._period_labels, self._worse, self._drifted), segment)

    def show_traffic(self, segment: Segment, summary: Summary) -> None:
        """Set the series of one segment's latest decisions."""
        _clear((self._mean, self._coverage), segment)
        for verdict, count in summary.decisions.items():
            self._decisions.labels(*segment, verdict.value).set(count)
        for score, (mean, coverage) in summary.scores.items():
            _set(self._mean, (*segment, score), mean)
            _set(self._coverage, (*segment, score), coverage)


def _set(gauge: Gauge, labels: Sequence[str], value: float | None) -> None:
    if value is None:
        gauge.remove(*labels)
    else:
        gauge.labels(*labels).set(value)


def _clear(gauges: Sequence[Gauge], segment: tuple[str, str]) -> None:
    for gauge in gauges:
        gauge.remove_by_labels(dict(zip(_SEGMENT, segment, strict=True)))
