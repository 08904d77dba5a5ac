"""The monitor on the embedded broker."""

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from tests.integration.worker.monitor.bench import agrees, history, running, send, send_pairs, settings, topic_reader
from tests.unit.worker.monitor.factories import SEGMENT, pair
from tests.unit.worker.monitor.pair_store import PairStore
from tests.waiting import until
from worker.segments import segment_key

pytestmark = pytest.mark.services


@pytest.fixture
def configuration(broker):
    return settings(broker.bootstrap_servers, manage_topics=False)


async def test_the_last_snapshots_equal_the_truth_in_the_store_on_the_topic_and_in_the_metrics(broker, configuration):
    truth, messages = history()
    store, registry = PairStore(truth), CollectorRegistry()
    async with running(configuration, store, registry) as monitor, topic_reader(broker.bootstrap_servers) as read:
        await send_pairs(configuration.kafka, messages)
        await until(lambda: agrees(store.saved, store))
        await until(lambda: monitor.condition().ready and monitor.lag == 0)

        async def on_the_topic():
            seen = await read()
            assert all(key == segment_key(each.dataset, each.model) for key, each in seen)
            return agrees([each for _, each in seen], store)

        await until(on_the_topic)
        newest = store.saved[-1]
        shown = registry.get_sample_value("groundwatch_auroc", {"dataset": newest.dataset, "model": newest.model, "score": "final"})
        assert shown == newest.scores["final"].auroc


async def test_a_start_publishes_what_the_store_holds_without_any_message(configuration):
    truth, _ = history(segments=3)
    store = PairStore(truth)
    async with running(configuration, store):
        await until(lambda: agrees(store.saved, store))


async def test_a_lost_message_is_repaired_by_the_check(broker, configuration):
    truth, _ = history(segments=2)
    store = PairStore(truth[:-5])
    async with running(configuration, store):
        await until(lambda: agrees(store.saved, store))
        store.put(*truth)
        await until(lambda: agrees(store.saved, store))


async def test_malformed_messages_are_counted_and_passed_over(broker, configuration):
    store, registry = PairStore([pair(1), pair(2)]), CollectorRegistry()
    async with running(configuration, store, registry):
        key = segment_key(*SEGMENT)
        await send(broker.bootstrap_servers, "llm.pairs", [(key, b"{"), (key, None), (None, b"\xff"), (key, b'{"schema_version":"9.0"}')])
        await send(broker.bootstrap_servers, "llm.decisions", [(None, b"[]")])
        count = "groundwatch_monitor_malformed_total"
        await until(lambda: registry.get_sample_value(count, {"topic": "llm.pairs"}) == 4)
        await until(lambda: registry.get_sample_value(count, {"topic": "llm.decisions"}) == 1)
        store.put(pair(3))
        await send_pairs(configuration.kafka, [pair(3)])
        await until(lambda: store.saved and store.saved[-1].pairs == 3)


async def test_a_store_that_does_not_answer_is_waited_for(broker, configuration):
    truth, messages = history(segments=2)
    store = PairStore(truth)
    store.failures = 10**9
    async with running(configuration, store) as monitor:
        await until(lambda: "store" in monitor.condition().reason)
        store.failures = 0
        await send_pairs(configuration.kafka, messages[:50])
        await until(lambda: agrees(store.saved, store))
        store.failures = 20
        store.put(pair(10_001, scores={"final": 0.4}))
        await send_pairs(configuration.kafka, [pair(10_001, scores={"final": 0.4})])
        await until(lambda: any(each.last_seq == 10_001 for each in store.saved))


async def test_a_batch_that_fails_unforeseen_is_counted_and_made_up_for(broker, configuration):
    truth, messages = history(segments=2)
    store, registry = PairStore(truth), CollectorRegistry()
    patient = configuration.model_copy(update={"monitor": configuration.monitor.model_copy(update={"check_seconds": 4})})
    async with running(patient, store, registry) as monitor:
        await until(lambda: agrees(store.saved, store))
        store.failures, store.error = 1, RuntimeError("a fault of our own")
        last = pair(10_001, scores={"final": 0.4})
        store.put(last)
        await send_pairs(configuration.kafka, [last])
        await until(lambda: registry.get_sample_value("groundwatch_monitor_faults_total", {"topic": "llm.pairs"}) == 1)
        await until(lambda: any(each.last_seq == 10_001 for each in store.saved))
        await send_pairs(configuration.kafka, messages)
        await until(lambda: monitor.lag == 0)


async def test_it_stops_while_it_waits(configuration):
    store = PairStore()
    store.failures = 10**9
    async with asyncio.timeout(15):
        async with running(configuration, store) as monitor:
            await until(lambda: "store" in monitor.condition().reason)
