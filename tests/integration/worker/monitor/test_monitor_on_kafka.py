"""The monitor on a real Kafka: restarts, rebalances and outages leave the truth."""

import asyncio

import pytest

from tests.integration.worker.monitor.bench import agrees, history, running, send_pairs, settings
from tests.real_kafka import fresh_names
from tests.unit.worker.monitor.factories import pair
from tests.unit.worker.monitor.pair_store import PairStore
from tests.waiting import until

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]


@pytest.fixture
def configuration(real_kafka):
    return settings(real_kafka.bootstrap_servers, manage_topics=False, **fresh_names())


async def test_a_monitor_that_is_stopped_in_the_middle_leaves_the_truth(real_kafka, configuration):
    truth, messages = history()
    store = PairStore(truth)
    third = len(messages) // 3
    async with running(configuration, store):
        await send_pairs(configuration.kafka, messages[:third])
        await until(lambda: store.saved)
        sending = asyncio.create_task(send_pairs(configuration.kafka, messages[third : 2 * third]))
    await sending
    store.put(*(pair(1000 + n, model=f"m-{n % 6}", scores={"final": n / 60}) for n in range(60)))
    async with running(configuration, store) as monitor:
        await send_pairs(configuration.kafka, messages[2 * third :])
        await until(lambda: agrees(store.saved, store), timeout=40)
        await until(lambda: monitor.lag == 0)


async def test_two_monitors_share_the_segments_and_one_takes_over(real_kafka, configuration):
    truth, messages = history()
    store = PairStore(truth)
    half = len(messages) // 2
    async with running(configuration, store) as first:
        await until(lambda: first.condition().ready, timeout=30)
        async with running(configuration, store) as second:
            await until(lambda: second.condition().ready, timeout=30)
            await send_pairs(configuration.kafka, messages[:half])
            await until(lambda: agrees(store.saved, store), timeout=40)
        store.put(*(pair(1000 + n, model=f"m-{n % 6}", scores={"final": n / 60}) for n in range(60)))
        await send_pairs(configuration.kafka, messages[half:])
        await until(lambda: agrees(store.saved, store), timeout=40)
        await until(lambda: first.lag == 0)


async def test_a_broker_that_is_not_there_is_waited_for(real_kafka, configuration):
    truth, messages = history(segments=2)
    store = PairStore(truth)
    real_kafka.kill()
    async with running(configuration, store) as monitor:
        await until(lambda: "broker" in monitor.condition().reason)
        await asyncio.to_thread(real_kafka.start)
        await until(lambda: agrees(store.saved, store), timeout=40)
        await asyncio.to_thread(real_kafka.kill)
        store.put(pair(1001, model="m-0", scores={"final": 0.4}))
        await asyncio.to_thread(real_kafka.start)
        await send_pairs(configuration.kafka, messages[:100])
        await until(lambda: agrees(store.saved, store) and monitor.lag == 0, timeout=90)
