"""A worker's life: its parts are started in order, run side by side, and stopped together."""

import asyncio
import logging
import signal
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from traceback import format_tb
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry

from detectors import load_profile
from worker.auditing import Auditor
from worker.deployment import Deployment
from worker.errors import Defect, GroundwatchError
from worker.garbage import collect_garbage_rarely
from worker.health import Condition, serve_health
from worker.lane import Handle, Lane
from worker.load import Load
from worker.logs import log_as_json
from worker.monitor.service import Monitor
from worker.patience import Patience, Stopping, unless_stopped
from worker.patterns import patterns
from worker.profiles import profile_errors
from worker.publishing import Publisher
from worker.redaction import Redaction
from worker.retention import Retention
from worker.settings import Settings
from worker.store import Store
from worker.store.postgres import PostgresStore
from worker.telemetry import Telemetry
from worker.topics import create_topics
from worker.triage import Collaborators, LabelTriage, ResponseTriage
from worker.watchdog import Watchdog

T = TypeVar("T")

log = logging.getLogger("groundwatch")

_GUESS: Final = 0.1
"""Seconds that an answer is taken to cost before the first is scored."""


def run_worker(settings: Settings, roles: Sequence[str]) -> None:
    """Run until SIGTERM or SIGINT; then finish the batch in hand. Services that are not there yet are waited for.

    `roles`: triage, monitor or both. Raises ConfigurationError for what waiting does not mend: for a wrong profile before any waiting.
    """
    log_as_json(settings.log_level)
    if "triage" in roles:
        with profile_errors():
            for name in settings.profiles:
                load_profile(name)
    collect_garbage_rarely()
    asyncio.run(Worker(settings, roles).run())


class Worker:
    """The parts of one worker process and what each needs."""

    def __init__(self, settings: Settings, roles: Sequence[str]) -> None:
        self._settings = settings
        self._roles = roles
        self._registry = CollectorRegistry()
        self._telemetry = Telemetry(self._registry, settings.monitor.segments)
        self._stop = asyncio.Event()
        self._starting = Patience(settings.retry, self._stop)
        self._started = False
        self._deployment: Deployment | None = None
        self._conditions = {"start": self._start_condition}

    async def run(self) -> None:
        """Start, run and stop every part."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        loop.add_signal_handler(signal.SIGHUP, self._reload)
        async with AsyncExitStack() as life:
            await life.enter_async_context(serve_health(self._settings.health, self._conditions, self._registry))
            store = await PostgresStore.connect(self._settings.store)
            life.push_async_callback(store.close)
            try:
                parts = await unless_stopped(self._stop, self._start(store, life))
            except Stopping:
                return
            self._started = True
            log.info("worker started", extra={"action": "worker_started", "roles": list(self._roles)})
            await self._run_side_by_side(parts)
        log.info("worker stopped", extra={"action": "worker_stopped"})

    def _reload(self) -> None:
        if self._deployment is None:
            log.info("no detector is loaded here, or not yet", extra={"action": "nothing_to_reload"})
        else:
            self._deployment.reload()

    async def _start(self, store: Store, life: AsyncExitStack) -> list[Coroutine[Any, Any, None]]:
        await self._wait_for_services(store)
        return await self._parts(store, life)

    async def _wait_for_services(self, store: Store) -> None:
        await self._starting("the database", store.check)
        if self._settings.kafka.manage_topics:
            await self._starting("the topics", lambda: create_topics(self._settings.kafka, self._settings.limits))

    async def _parts(self, store: Store, life: AsyncExitStack) -> list[Coroutine[Any, Any, None]]:
        parts: list[Coroutine[Any, Any, None]] = []
        still = {}
        if "triage" in self._roles:
            responses, deployment = await self._response_lane(store, life)
            parts.append(deployment)
            for name, lane in (("responses", responses), ("labels", self._label_lane(store, life))):
                parts.append(lane.run(self._stop))
                self._conditions[name] = lane.condition
                still[name] = lane.stalled_seconds
        if "monitor" in self._roles:
            monitor = Monitor(self._settings, store, self._registry)
            parts.append(monitor.run(self._stop))
            self._conditions["monitor"] = monitor.condition
            still["monitor"] = monitor.stalled_seconds
        parts.append(Auditor(self._settings, store, self._telemetry).run(self._stop))
        parts.append(Retention(self._settings, store, self._telemetry).run(self._stop))
        watchdog = life.enter_context(Watchdog(self._settings.watchdog.stall_seconds, still))
        beating = asyncio.create_task(_keep_beating(watchdog))
        life.callback(beating.cancel)
        return parts

    async def _response_lane(self, store: Store, life: AsyncExitStack) -> tuple[Lane, Coroutine[Any, Any, None]]:
        """The lane, and what sees to its detectors beside it."""
        use, settings = self._collaborators(store, life), self._settings
        load = Load(settings.load, steps=max(len(load_profile(name).shedding) for name in settings.profiles), guess=_GUESS)
        deployment = Deployment(settings, store, load)
        life.push_async_callback(deployment.stop)
        self._telemetry.shed.set_function(lambda: load.shed)
        self._telemetry.scorer_restarts.set_function(lambda: deployment.restarts)
        rollout = await deployment.start(self._starting)
        self._deployment = deployment
        triage = ResponseTriage(use, rollout=rollout, sampling=settings.sampling, load=load, dimensions=settings.monitor.dimensions)
        return self._lane(settings.kafka.topics.responses, triage, load, use), deployment.run(rollout, self._stop)

    def _label_lane(self, store: Store, life: AsyncExitStack) -> Lane:
        use = self._collaborators(store, life)
        return self._lane(self._settings.kafka.topics.labels, LabelTriage(use, self._settings.labels), Load(self._settings.load), use)

    def _collaborators(self, store: Store, life: AsyncExitStack) -> Collaborators:
        """Each lane has a producer and a patience of its own: one that waits does not hold the other back."""
        publisher = Publisher(self._settings.kafka, self._settings.limits)
        life.push_async_callback(publisher.close)
        return Collaborators(
            store=store,
            publisher=publisher,
            patience=Patience(self._settings.retry, self._stop),
            topics=self._settings.kafka.topics,
            limits=self._settings.limits,
            telemetry=self._telemetry,
            redaction=Redaction(patterns(self._settings.privacy.redact, self._settings.privacy.patterns)),
            now=lambda: datetime.now(UTC),
        )

    def _lane(self, topic: str, handle: Handle[Any], load: Load, use: Collaborators) -> Lane:
        return Lane(
            self._settings.kafka,
            self._settings.limits,
            topic=topic,
            handle=handle,
            load=load,
            patience=use.patience,
            telemetry=self._telemetry,
        )

    async def _run_side_by_side(self, parts: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Until all end. One that fails stops the others, which finish their batches."""
        tasks = [asyncio.create_task(part) for part in parts]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        self._stop.set()
        await asyncio.wait(tasks)
        for failure in filter(None, (task.exception() for task in tasks)):
            raise _without_message(failure)

    def _start_condition(self) -> Condition:
        if self._started:
            return Condition.ok()
        return Condition.not_ready(self._starting.waiting_for or "starting: models are loading")


async def _keep_beating(watchdog: Watchdog) -> None:
    while True:
        watchdog.beat()
        await asyncio.sleep(1)


def _without_message(failure: BaseException) -> BaseException:
    """What was raised on purpose as it is; of anything else the type alone, since its message may quote what it could not bear."""
    if isinstance(failure, GroundwatchError):
        return failure
    log.critical("a part failed: %s", type(failure).__name__, extra={"action": "part_failed", "frames": format_tb(failure.__traceback__)})
    return Defect(f"a defect ended the worker ({type(failure).__name__}); report the log line with action part_failed")
