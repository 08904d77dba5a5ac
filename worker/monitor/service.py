"""The monitor as one long-running service."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar, cast

import faust
from aiokafka import TopicPartition
from aiokafka.errors import KafkaError
from prometheus_client import CollectorRegistry
from pydantic import ValidationError

from schemas import AurocSnapshot, Decision, Pair, encode
from schemas.base import SCHEMA_VERSION, Versioned
from worker.access import refusal, unanswered
from worker.errors import BrokerUnavailable
from worker.health import Condition
from worker.kafka import consumer_lag
from worker.monitor.app import create_app, raw_topic
from worker.monitor.broker import check_topics
from worker.monitor.keeper import Keeper
from worker.monitor.metrics import MonitorMetrics
from worker.monitor.survey import Surveyor
from worker.monitor.traffic import Traffic
from worker.patience import Patience, Stopping, first
from worker.segments import segment_key
from worker.settings import Settings
from worker.store.protocol import Segment, Store

M = TypeVar("M", bound=Versioned)

log = logging.getLogger("groundwatch.monitor")

_STOP_SECONDS: Final = 20
"""Longest wait for the stream app to stop; what it leaves is read again."""
_ANSWER_SECONDS: Final = 10
"""Longest wait for the broker's offsets."""


class Monitor:
    """Rolling windows over `llm.pairs` and `llm.decisions`, published to `llm.auroc`, the store and Prometheus."""

    def __init__(self, settings: Settings, store: Store, registry: CollectorRegistry) -> None:
        self._settings = settings
        self._store = store
        self._metrics = MonitorMetrics(registry)
        self._metrics.waiting.set_function(lambda: bool(self._waiting()))
        self._app: faust.App | None = None
        self._patience: Patience | None = None
        self._reassigned = asyncio.Event()
        self._unreachable: str | None = None
        self._committed: dict[TopicPartition, int] = {}
        self.lag = 0
        """Messages on the broker that are not committed yet, when last measured."""
        self._last_progress = time.monotonic()

    def condition(self) -> Condition:
        """Ready while it consumes and everything it needs answers."""
        if reason := self._waiting():
            return Condition.not_ready(reason)
        return Condition.ok() if self._app else Condition.not_ready("the stream app is starting")

    def stalled_seconds(self) -> float:
        """How long there has been lag, or a start, without progress and without a service to wait for; 0 while all is well."""
        if self._waiting() or (self._app and not self.lag):
            return 0.0
        return time.monotonic() - self._last_progress

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set. A broker or database that is not there is waited for; a stream app that fails is started again."""
        self._patience = Patience(self._settings.retry, stop)
        traffic = Traffic(self._settings.monitor.window, self._settings.monitor.segments)
        while not stop.is_set():
            try:
                await self._run_once(self._patience, traffic, stop)
            except Stopping:
                return
            except Exception:
                log.exception("the stream app failed", extra={"action": "monitor_failed"})
            if not stop.is_set():
                self._metrics.restarts.inc()
                await first(stop.wait(), asyncio.sleep(self._settings.retry.first_seconds))

    def _waiting(self) -> str | None:
        return (self._patience.waiting_for if self._patience else None) or self._unreachable

    async def _run_once(self, patience: Patience, traffic: Traffic, stop: asyncio.Event) -> None:
        topics = self._settings.kafka.topics
        await patience("broker", partial(check_topics, self._settings.kafka, (topics.pairs, topics.decisions, topics.auroc)))
        await patience("store", self._store.check)
        self._last_progress = time.monotonic()
        keeper = Keeper(
            size=self._settings.monitor.window,
            segments=self._settings.monitor.segments,
            grace=timedelta(seconds=self._settings.monitor.check_seconds),
            store=self._store,
            publish=self._publish,
            metrics=self._metrics,
            patience=patience,
            clock=lambda: datetime.now(UTC),
        )
        async with self._started(keeper, traffic) as app:
            chores = (self._keep_settled(app, keeper), self._keep_measured(app), self._keep_surveyed(keeper))
            await first(stop.wait(), app.wait_until_stopped(), *chores)
            await asyncio.wait_for(keeper.idle(), _STOP_SECONDS)

    @asynccontextmanager
    async def _started(self, keeper: Keeper, traffic: Traffic) -> AsyncIterator[faust.App]:
        with TemporaryDirectory(prefix="groundwatch-monitor-") as datadir:
            app = create_app(
                self._settings,
                self._metrics,
                datadir=Path(datadir),
                pairs=partial(self._take_pairs, keeper),
                decisions=partial(self._take_decisions, traffic),
            )
            app.on_partitions_assigned.connect(self._note_assignment)
            try:
                await app.start()
                self._app = app
                log.info("monitor started", extra={"action": "monitor_started"})
                yield app
            finally:
                self._app = None
                await asyncio.wait_for(app.stop(), _STOP_SECONDS)
                keeper.release()
                log.info("monitor stopped", extra={"action": "monitor_stopped"})

    async def _note_assignment(self, *_: object, **__: object) -> None:
        self._reassigned.set()

    async def _take_pairs(self, keeper: Keeper, values: Sequence[bytes | None]) -> None:
        await keeper.take(self._decoded(Pair, values, self._settings.kafka.topics.pairs))

    async def _take_decisions(self, traffic: Traffic, values: Sequence[bytes | None]) -> None:
        decisions = self._decoded(Decision, values, self._settings.kafka.topics.decisions)
        for segment in {segment for decision in decisions if decision.enforced and (segment := traffic.apply(decision))}:
            self._metrics.show_traffic(segment, traffic.summary(segment))

    def _decoded(self, kind: type[M], values: Sequence[bytes | None], topic: str) -> list[M]:
        messages = [_decode(kind, value) for value in values]
        if malformed := messages.count(None):
            self._metrics.malformed.labels(topic).inc(malformed)
            log.warning("unreadable messages left out", extra={"action": "malformed_message", "topic": topic, "events": malformed})
        return [message for message in messages if message is not None]

    async def _publish(self, snapshots: Sequence[AurocSnapshot]) -> None:
        if self._app is None:
            raise BrokerUnavailable
        topic = raw_topic(self._app, self._settings.kafka.topics.auroc)
        try:
            sent = [await topic.send(key=segment_key(each.dataset, each.model), value=encode(each)) for each in snapshots]
            await asyncio.gather(*sent)
        except KafkaError as failed:
            raise BrokerUnavailable(f"snapshots could not be published ({type(failed).__name__})") from failed

    async def _keep_settled(self, app: faust.App, keeper: Keeper) -> None:
        while True:
            await first(self._reassigned.wait(), asyncio.sleep(self._settings.monitor.check_seconds))
            self._reassigned.clear()
            if app.rebalancing:
                continue
            try:
                await keeper.settle(partial(self._owns, app))
            except Stopping:
                return
            except Exception:
                log.exception("the check of the windows failed", extra={"action": "check_failed"})

    async def _keep_surveyed(self, keeper: Keeper) -> None:
        settings = self._settings
        surveyor = Surveyor(settings.monitor, settings.gate, store=self._store, metrics=self._metrics, clock=lambda: datetime.now(UTC))
        try:
            while True:
                await self._survey(surveyor, keeper)
                await asyncio.sleep(settings.monitor.survey_seconds)
        finally:
            surveyor.forget()

    @staticmethod
    async def _survey(surveyor: Surveyor, keeper: Keeper) -> None:
        try:
            await surveyor.survey(keeper.windows.segments())
        except Exception:
            log.exception("a survey failed", extra={"action": "survey_failed"})

    def _owns(self, app: faust.App, segment: Segment) -> bool:
        topic = self._settings.kafka.topics.pairs
        partition = app.consumer.key_partition(topic, segment_key(*segment))
        return partition is not None and TopicPartition(topic, partition) in app.consumer.assignment()

    async def _keep_measured(self, app: faust.App) -> None:
        while True:
            try:
                async with asyncio.timeout(_ANSWER_SECONDS):
                    await self._measure(app)
                self._unreachable = None
            except Exception as silent:  # whatever it is, no figure is known and the watchdog must not act on an old one
                self._unreachable = await refusal(self._settings.kafka) or unanswered(self._settings.kafka, silent)
                self._last_progress = time.monotonic()
            await asyncio.sleep(self._settings.kafka.lag_seconds)

    async def _measure(self, app: faust.App) -> None:
        """Lag and progress, from the broker's offsets: a consumer that no longer fetches would not know that it lags."""
        partitions = app.consumer.assignment()
        begins, ends = await app.consumer.earliest_offsets(*partitions), await app.consumer.highwaters(*partitions)
        offsets = cast(
            Any, app.consumer
        )._committed_offset  # Faust publishes no figure that also covers what was committed before its start
        committed = {at: offsets[at] for at in partitions}
        self.lag = consumer_lag(begins, ends, committed)
        self._metrics.lag.set(self.lag)
        if not self.lag or committed != self._committed:
            self._last_progress = time.monotonic()
        self._committed = committed


def _decode(kind: type[M], value: bytes | None) -> M | None:
    try:
        message = kind.model_validate_json(value or b"")
    except ValidationError:
        return None
    return message if message.schema_version.split(".")[0] == SCHEMA_VERSION.split(".", maxsplit=1)[0] else None
