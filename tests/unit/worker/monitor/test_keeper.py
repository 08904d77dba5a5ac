"""What is published is what Postgres holds, whatever was lost on the way."""

import asyncio
from datetime import timedelta

import pytest
from prometheus_client import CollectorRegistry

from tests.unit.worker.monitor.factories import EPOCH, SEGMENT, corrected, pair
from tests.unit.worker.monitor.pair_store import PairStore
from worker.errors import BrokerUnavailable
from worker.monitor.keeper import Keeper
from worker.monitor.metrics import MonitorMetrics
from worker.patience import Patience, Stopping
from worker.settings import Retry
from worker.store.protocol import Segment

OTHER = Segment("travel", "m-2")
PATIENT = Retry(first_seconds=0.001, longest_seconds=0.001)


class Bench:
    """A keeper with what stands around it."""

    def __init__(self, *pairs, size=10, segments=10):
        self.store = PairStore(pairs)
        self.registry = CollectorRegistry()
        self.published = []
        self.refusals = 0
        self.now = EPOCH
        self.stop = asyncio.Event()
        self.keeper = Keeper(
            size=size,
            segments=segments,
            store=self.store,
            publish=self._publish,
            metrics=MonitorMetrics(self.registry),
            patience=Patience(PATIENT, self.stop),
            grace=timedelta(seconds=30),
            clock=lambda: self.now,
        )

    async def _publish(self, snapshots):
        if self.refusals:
            self.refusals -= 1
            raise BrokerUnavailable
        self.published += snapshots

    def value(self, name, segment=SEGMENT, **labels):
        return self.registry.get_sample_value(f"groundwatch_{name}", {**segment._asdict(), **labels})


def _everything(segment):
    return True


@pytest.fixture
def bench():
    return Bench(pair(1), pair(2))


async def test_the_first_pair_of_a_segment_loads_its_window(bench):
    bench.store.put(pair(3))
    await bench.keeper.take([pair(3)])
    assert [each.pairs for each in bench.published] == [3]
    assert bench.store.saved == bench.published


async def test_a_batch_gives_one_snapshot_a_segment(bench):
    await bench.keeper.take([pair(3), pair(4), pair(5, model="m-2")])
    assert sorted((each.model, each.pairs) for each in bench.published) == [("m-1", 4), ("m-2", 1)]


async def test_a_redelivered_batch_publishes_nothing(bench):
    await bench.keeper.take([pair(3)])
    await bench.keeper.take([pair(3), pair(1)])
    assert len(bench.published) == 1


async def test_settling_loads_and_publishes_what_is_owned(bench):
    bench.store.put(pair(3, model="m-2"))
    await bench.keeper.settle(lambda segment: segment == SEGMENT)
    assert bench.keeper.windows.segments() == (SEGMENT,)
    assert [each.pairs for each in bench.published] == [2]


async def test_settling_again_publishes_nothing_new(bench):
    await bench.keeper.settle(_everything)
    await bench.keeper.settle(_everything)
    assert len(bench.published) == 1


async def test_a_window_that_is_no_longer_owned_is_dropped_with_its_series(bench):
    await bench.keeper.settle(_everything)
    assert bench.value("window_pairs") == 2
    await bench.keeper.settle(lambda segment: False)
    assert bench.keeper.windows.segments() == ()
    assert [sample for family in bench.registry.collect() for sample in family.samples if sample.labels.get("model") == "m-1"] == []


async def test_a_difference_that_lasts_is_mended_and_published(bench, caplog):
    await bench.keeper.settle(_everything)
    bench.store.put(pair(3), corrected(pair(1)))
    await bench.keeper.settle(_everything)
    assert repairs(caplog) == 0
    bench.now += timedelta(seconds=30)
    await bench.keeper.settle(_everything)
    assert bench.published[-1].pairs == 3
    assert not bench.keeper.windows[SEGMENT].difference(list(bench.store.pairs.values()))
    assert repairs(caplog) == bench.value("window_repairs_total") == 1


async def test_a_pair_that_is_on_its_way_is_no_fault(bench, caplog):
    await bench.keeper.settle(_everything)
    for arriving in range(3, 6):
        bench.store.put(pair(arriving))
        await bench.keeper.settle(_everything)
        await bench.keeper.take([pair(arriving)])
        bench.now += timedelta(seconds=30)
    assert repairs(caplog) == 0
    assert bench.published[-1].pairs == 5


def repairs(caplog):
    return sum(getattr(record, "action", "") == "window_repaired" for record in caplog.records)


async def test_a_snapshot_that_another_owner_left_behind_is_replaced(bench):
    await bench.keeper.settle(_everything)
    bench.store.saved.append(bench.published[0].model_copy(update={"pairs": 1}))
    await bench.keeper.settle(_everything)
    assert bench.store.saved[-1].pairs == 2


async def test_services_that_do_not_answer_are_waited_for(bench):
    bench.store.failures, bench.refusals = 3, 2
    await bench.keeper.take([pair(3)])
    assert [each.pairs for each in bench.store.saved] == [3]


async def test_stopping_ends_the_waiting(bench):
    bench.store.failures = 10**9
    bench.stop.set()
    with pytest.raises(Stopping):
        await bench.keeper.take([pair(3)])


async def test_an_absent_figure_has_no_series():
    bench = Bench(pair(1, label=1), pair(2, label=0))
    await bench.keeper.settle(_everything)
    assert bench.value("auroc", score="final") == 0.5
    assert bench.value("false_positive_rate") == 1
    await bench.keeper.take([corrected(pair(2, label=0))])
    assert bench.value("auroc", score="final") is None
    assert bench.value("false_positive_rate") is None
    assert bench.value("window_pairs") == 2


async def test_segments_beyond_the_most_have_no_window_and_are_counted():
    bench = Bench(*(pair(number, model=f"m-{number}") for number in range(5)), segments=2)
    await bench.keeper.take([pair(4, model="m-4")])
    await bench.keeper.settle(_everything)
    await bench.keeper.take([pair(number, model=f"m-{number}") for number in range(5)])
    assert set(bench.keeper.windows.segments()) == {Segment("travel", "m-4"), Segment("travel", "m-0")}
    assert bench.registry.get_sample_value("groundwatch_segments_left_out") == 3
