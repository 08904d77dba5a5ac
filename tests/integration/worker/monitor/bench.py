"""Monitors on a broker, and a truth to hold them against."""

import asyncio
import random
from contextlib import asynccontextmanager

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from prometheus_client import CollectorRegistry
from sklearn.metrics import roc_auc_score

from schemas import AurocSnapshot, Verdict, encode
from tests.unit.worker.monitor.factories import corrected, pair
from worker.monitor.service import Monitor
from worker.segments import segment_key
from worker.settings import Settings

WINDOW = 40


def settings(bootstrap_servers, **kafka):
    return Settings.model_validate(
        {
            "kafka": {"bootstrap_servers": bootstrap_servers, "session_timeout_seconds": 6, **kafka},
            "monitor": {"window": WINDOW, "check_seconds": 1, "batch_seconds": 0.1},
            "retry": {"first_seconds": 0.1, "longest_seconds": 0.5},
        }
    )


def history(segments=6, pairs=60, seed=0):
    """Pairs with corrections: the store's truth, and every message in random order, some of them twice."""
    rng = random.Random(seed)
    truth, messages = [], []
    for number in range(segments * pairs):
        label = rng.randrange(2)
        final = round(min(1, max(0, rng.gauss(0.45 + 0.2 * label, 0.2))), 2) if rng.random() > 0.1 else None
        first = pair(
            number + 1,
            model=f"m-{number % segments}",
            label=label,
            scores={"final": final, "cosine": rng.random()},
            decision=rng.choice(list(Verdict)),
        )
        versions = [first] + ([corrected(first)] if rng.random() < 0.2 else [])
        truth.append(versions[-1])
        messages += versions + ([rng.choice(versions)] if rng.random() < 0.2 else [])
    rng.shuffle(messages)
    return truth, messages


async def send(bootstrap_servers, topic, messages):
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap_servers)
    await producer.start()
    try:
        for key, value in messages:
            await producer.send_and_wait(topic, value, key=key)
    finally:
        await producer.stop()


async def send_pairs(kafka, pairs):
    await send(kafka.bootstrap_servers, kafka.topics.pairs, [(segment_key(each.dataset, each.model), encode(each)) for each in pairs])


@asynccontextmanager
async def running(configuration, store, registry=None):
    """A monitor until the block ends; it must stop gracefully."""
    monitor, stop = Monitor(configuration, store, registry or CollectorRegistry()), asyncio.Event()
    task = asyncio.create_task(monitor.run(stop))
    try:
        yield monitor
    finally:
        stop.set()
        await asyncio.wait_for(task, 30)


def expected(store):
    """Each segment's window by the truth: pairs, and scikit-learn's AUROC of the final score."""
    by_segment = {}
    for each in sorted(store.pairs.values(), key=lambda pair: pair.seq):
        by_segment.setdefault(each.segment, []).append(each)
    figures = {}
    for segment, pairs in by_segment.items():
        window = pairs[-WINDOW:]
        scored = [each for each in window if each.scores["final"] is not None]
        figures[segment] = (len(window), roc_auc_score([each.label for each in scored], [each.scores["final"] for each in scored]))
    return figures


def agrees(snapshots, store):
    """Whether the newest snapshot of every segment is the truth, to 1e-9."""
    newest = {(each.dataset, each.model): each for each in snapshots}
    truth = expected(store)
    return set(newest) == set(truth) and all(
        newest[segment].pairs == pairs and newest[segment].scores["final"].auroc == pytest.approx(auroc, abs=1e-9)
        for segment, (pairs, auroc) in truth.items()
    )


@asynccontextmanager
async def topic_reader(bootstrap_servers):
    """The snapshots on `llm.auroc` so far, in the order of each partition."""
    consumer = AIOKafkaConsumer("llm.auroc", bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest")
    await consumer.start()
    seen = []

    async def read():
        for records in (await consumer.getmany(timeout_ms=200)).values():
            seen.extend((record.key, AurocSnapshot.model_validate_json(record.value)) for record in records)
        return seen

    try:
        yield read
    finally:
        await consumer.stop()
