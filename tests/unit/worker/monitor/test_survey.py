"""A survey shows the figures of periods, and raises an alarm once a day where a segment got worse or drifted."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from benchmarks.traffic import GAP, traffic
from schemas import Verdict
from tests.integration.worker.store.factories import labelled, scored
from tests.unit.schemas.factories import decision
from worker.monitor.metrics import MonitorMetrics
from worker.monitor.survey import Surveyor
from worker.settings import Baseline, Gate, Monitor
from worker.store import Segment
from worker.store.memory import MemoryStore

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
STEADY, FALLEN = Segment("travel", "steady"), Segment("travel", "fallen")
ANSWERS = 1200


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    """Five days of two models; the answers of one are worth nothing since yesterday."""
    store = MemoryStore()
    asyncio.run(fill_days(store))
    return store


async def fill_days(store: MemoryStore) -> None:
    for segment in (STEADY, FALLEN):
        for day in range(5):
            await fill(store, segment, day, gap=0.0 if segment is FALLEN and day == 0 else GAP)


async def fill(store: MemoryStore, segment: Segment, day: int, gap: float) -> None:
    seen = traffic(ANSWERS, audit=0.2, review=0.6, seed=day, gap=gap)
    served = NOW - timedelta(days=day, hours=2)
    names = [f"{segment.name} {day} {i}" for i in range(ANSWERS)]
    for i, name in enumerate(names):
        meta = decision().meta.model_copy(update={"audit": bool(seen.audited[i])})
        changes = {"model": segment.model, "meta": meta, "decision": Verdict(seen.verdicts[i]), "scores": {"final": float(seen.scores[i])}}
        await store.record([scored(i, name, decided_at=served, **changes)])
        if seen.labelled[i]:
            await store.record([labelled(i, name, int(seen.grounded[i]), labelled_at=served + timedelta(minutes=30))])
    await store.pair(names)


class Bench:
    """A surveyor with a clock of its own."""

    def __init__(self, store: MemoryStore) -> None:
        self.registry, self.now = CollectorRegistry(), NOW
        good = Baseline(since=NOW - timedelta(days=6), until=NOW - timedelta(days=1))
        settings = Monitor(baselines={one.name: good for one in (STEADY, FALLEN)}, period_hours=(1, 24))
        self.surveyor = Surveyor(settings, Gate(), store=store, metrics=MonitorMetrics(self.registry), clock=lambda: self.now)

    def value(self, name: str, segment: Segment, **labels: Any) -> float | None:
        return self.registry.get_sample_value(f"groundwatch_{name}", {**segment._asdict(), **labels})


@pytest.fixture
def bench(store: MemoryStore) -> Bench:
    return Bench(store)


def alarms(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.action, record.model) for record in caplog.records if str(getattr(record, "action", "")).endswith("_alarm")]


async def test_a_period_has_the_figure_of_its_labels_and_of_all_its_answers(bench: Bench) -> None:
    await bench.surveyor.survey([STEADY])
    of_day = {"hours": "24", "by": "served"}
    plain, every = (bench.value("period_auroc", STEADY, **of_day, of=of) for of in ("labelled", "all"))
    assert plain and every and 0.5 < plain < every < 0.95
    low, high = bench.value("period_auroc_low", STEADY, **of_day, of="all"), bench.value("period_auroc_high", STEADY, **of_day, of="all")
    assert low and high and low < every < high
    assert bench.value("period_labels", STEADY, **of_day) == bench.value("period_labels", STEADY, hours="24", by="labelled")


async def test_a_period_without_labels_has_a_count_and_no_figure(bench: Bench) -> None:
    await bench.surveyor.survey([STEADY])
    assert bench.value("period_labels", STEADY, hours="1", by="served") == 0
    assert bench.value("period_auroc", STEADY, hours="1", by="served", of="labelled") is None


async def test_an_alarm_names_segment_evidence_and_examples(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        await bench.surveyor.survey([STEADY, FALLEN])
    assert ("quality_alarm", "fallen") in alarms(caplog)
    assert [model for _, model in alarms(caplog) if model == "steady"] == []
    (loss,) = [record for record in caplog.records if getattr(record, "action", "") == "quality_alarm"]
    assert (loss.dataset, loss.recent < loss.baseline, "lost" in loss.reason) == ("travel", True, True)
    drift = [record for record in caplog.records if getattr(record, "action", "") == "drift_alarm"][-1]
    assert (drift.model, len(drift.examples), drift.p < 0.01) == ("fallen", 3, True)
    assert bench.value("baseline_worse", FALLEN) == 1
    assert bench.value("baseline_worse", STEADY) != 1
    assert bench.value("drifted", STEADY) == 0 < (bench.value("drifted", FALLEN) or 0)


async def test_the_alarm_comes_once_a_day(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    for hours in (0, 1, 11):
        bench.now = NOW + timedelta(hours=hours)
        await bench.surveyor.survey([FALLEN])
    assert alarms(caplog).count(("quality_alarm", "fallen")) == 1
    bench.now = NOW + timedelta(hours=12)
    await bench.surveyor.survey([FALLEN])
    assert alarms(caplog).count(("quality_alarm", "fallen")) == 2


async def test_a_segment_that_went_elsewhere_is_shown_no_more(bench: Bench) -> None:
    await bench.surveyor.survey([STEADY, FALLEN])
    await bench.surveyor.survey([STEADY])
    assert bench.value("drifted", FALLEN) is None
    assert bench.value("period_labels", FALLEN, hours="24", by="served") is None
    assert bench.value("drifted", STEADY) is not None
