"""Clocks, disks, labels and consumers that are not as they should be."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer

from schemas import LabelEvent
from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand
from tests.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(900 if FULL else 180)]

STORM_SECONDS = 300 if FULL else 10


async def test_a_clock_that_steps_back_an_hour_and_forward_again(stand: Stand) -> None:
    async with stand.traffic():
        for seconds in (-3600, 3600, 0):
            stand.step_clocks(seconds)
            await asyncio.sleep(4)  # some batches by each clock
    await stand.audit()


async def test_labels_that_come_late_contradict_each_other_or_belong_to_nothing(stand: Stand) -> None:
    now = datetime.now(UTC)
    async with stand.traffic() as traffic:
        await traffic.send_label(LabelEvent(response_id="never-sent", label=1, labelled_at=now))
        stand.labels.pop("never-sent")
        late, disputed = stand.new_event(), stand.new_event()
        await traffic.send(late)
        await traffic.send(disputed)
        await stand.until_decided(late)
        await traffic.send_label(LabelEvent(response_id=late.response_id, label=0, labelled_at=now + timedelta(days=1)))
        for number in range(10):
            moment, value = now + timedelta(minutes=number), (0, 1)[number % 2]
            given = LabelEvent(response_id=disputed.response_id, label=value, annotator=f"a-{number}", labelled_at=moment)
            await traffic.send_label(given)
    await stand.audit()


@LONG
async def test_a_log_that_cannot_be_written(stand: Stand, tmp_path: Path) -> None:
    worker = stand.new_worker(tmp_path / "unlogged", GROUNDWATCH_HEALTH__PORT="0")
    others, stand.workers = stand.workers, [*stand.workers]
    worker.log = Path("/dev/full")
    worker.start()
    stand.workers.append(worker)
    async with stand.traffic():
        await asyncio.sleep(15)
        assert worker.running
        assert worker.stop() == 0
        stand.workers = others
    await stand.audit()


async def test_a_consumer_that_hears_nothing_is_ended_and_its_restart_catches_up(stand: Stand, tmp_path: Path) -> None:
    for other in stand.workers:
        assert other.stop() == 0
    worker = stand.new_worker(tmp_path / "deaf", GROUNDWATCH_WATCHDOG__STALL_SECONDS="5")
    (tmp_path / "deaf" / "deaf").touch()
    others, stand.workers = stand.workers, [worker]
    worker.start()
    async with stand.traffic(rate=4):
        await until(lambda: not worker.running, timeout=60)
        assert worker.exit_status() == 70
        assert any(line["action"] == "stalled" for line in worker.actions())
        (tmp_path / "deaf" / "deaf").unlink()
        worker.start()
        await worker.until_ready()
    await stand.audit()
    assert worker.stop() == 0
    stand.workers = others
    for other in others:
        other.start()
    await stand.until_ready()


async def test_a_storm_of_members_that_join_and_leave(stand: Stand) -> None:
    topic = stand.kafka.topics.responses
    async with stand.traffic(), asyncio.timeout(STORM_SECONDS + 60):
        started = asyncio.get_running_loop().time()
        while asyncio.get_running_loop().time() < started + STORM_SECONDS:
            visitor = AIOKafkaConsumer(
                topic,
                bootstrap_servers=stand.kafka.bootstrap_servers,
                group_id=stand.kafka.group_of(topic),
                enable_auto_commit=False,
                session_timeout_ms=6000,
            )
            await visitor.start()
            try:
                await asyncio.sleep(5)
            finally:
                await visitor.stop()
    await stand.audit()
