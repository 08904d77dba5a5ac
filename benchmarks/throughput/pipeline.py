"""The whole worker as it is deployed: a process of its own on real Kafka and Postgres."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import aiohttp
import numpy as np
import yaml
from aiokafka import AIOKafkaConsumer

from benchmarks.real_kafka import free_pair_of_ports
from benchmarks.services import Services
from benchmarks.throughput.consuming import event, response_id, send
from benchmarks.throughput.processes import family, peak_megabytes, resident_megabytes
from benchmarks.throughput.scoring import WARM_UP
from detectors import Answer
from schemas import Decision, Verdict
from worker.settings import PREFIX, Health, Settings
from worker.topics import create_topics

ANSWER_SECONDS: Final = 300
"""Longest wait for the next decision, a worker's start among it."""
STOP_SECONDS: Final = 60
UNSHED: Final = {"shed_seconds": 1e6}
"""Settings of `load` with which no backlog sheds: whole detectors are compared."""


@dataclass(frozen=True)
class Passage:
    """Events that went through a worker."""

    rate: float
    """Decisions a second, from the first event sent to the last decision published."""
    seconds: Sequence[float]
    """Of each event, from its sending to its decision on the topic."""
    decisions: Sequence[Decision]

    def percentiles(self, verdicts: Collection[Verdict] = tuple(Verdict)) -> dict[str, float]:
        """p50, p95 and p99 of the seconds of events with these verdicts."""
        chosen = [seconds for seconds, decision in zip(self.seconds, self.decisions, strict=True) if decision.decision in verdicts]
        return {f"p{q}": round(float(np.percentile(chosen, q)), 3) for q in (50, 95, 99)} if chosen else {}


class Pipeline:
    """A running worker and a consumer of its decisions."""

    def __init__(self, settings: Settings, workers: Sequence[int], consumer: AIOKafkaConsumer) -> None:
        self._settings, self._workers, self._consumer = settings, workers, consumer
        self._sent = 0

    async def take(self, answers: Sequence[Answer], due: Sequence[float] | None = None) -> Passage:
        """Send `answers`, each when it is `due` (seconds from now), else at once, and wait for every decision."""
        first, self._sent = self._sent, self._sent + len(answers)
        sending = asyncio.create_task(send(self._settings, [event(answer, first + at) for at, answer in enumerate(answers)], due))
        arrived: dict[str, tuple[float, Decision]] = {}
        while len(arrived) < len(answers):
            message = await asyncio.wait_for(self._consumer.getone(), ANSWER_SECONDS)
            decision = Decision.model_validate_json(message.value)
            arrived[decision.response_id] = message.timestamp / 1000, decision
        sent = await sending
        ends, decisions = zip(*(arrived[response_id(first + at)] for at in range(len(answers))), strict=True)
        return Passage(len(answers) / (max(ends) - sent[0]), [end - at for end, at in zip(ends, sent, strict=True)], decisions)

    def megabytes(self) -> dict[str, int]:
        """Peak memory of the first worker and its scorers."""
        return {name: peak_megabytes(pid) for name, pid in family(self._workers[0]).items()}

    def resident_megabytes(self) -> dict[str, int]:
        """Memory that they have now."""
        return {name: resident_megabytes(pid) for name, pid in family(self._workers[0]).items()}


@asynccontextmanager
async def running_pipeline(services: Services, workers: int = 1, **sections: Mapping[str, Any]) -> AsyncIterator[Pipeline]:
    """Workers with both roles and these settings, warm."""
    settings = services.settings(**sections)
    await create_topics(settings.kafka, settings.limits)
    consumer = AIOKafkaConsumer(
        settings.kafka.topics.decisions, bootstrap_servers=settings.kafka.bootstrap_servers, auto_offset_reset="earliest"
    )
    ports = [free_pair_of_ports() for _ in range(workers)]
    with ExitStack() as life:
        pids = [life.enter_context(_worker(settings.model_copy(update={"health": Health(port=port)}))) for port in ports]
        async with consumer:
            for port in ports:
                await _ready(f"http://127.0.0.1:{port}/ready")
            pipeline = Pipeline(settings, pids, consumer)
            await pipeline.take(WARM_UP)
            yield pipeline


async def _ready(address: str) -> None:
    """Return once the worker there can work."""
    async with aiohttp.ClientSession() as client, asyncio.timeout(ANSWER_SECONDS):
        while True:
            with suppress(aiohttp.ClientConnectionError):
                if (await client.get(address)).status == HTTPStatus.OK:
                    return
            await asyncio.sleep(0.2)


@contextmanager
def _worker(settings: Settings) -> Iterator[int]:
    """The process id of a worker with `settings`; ended with SIGTERM."""
    with TemporaryDirectory(prefix="groundwatch-") as directory:
        config = Path(directory) / "groundwatch.yaml"
        tree = settings.model_dump(mode="json") | {"store": settings.store.model_dump() | {"dsn": settings.store.dsn.get_secret_value()}}
        config.write_text(yaml.safe_dump(tree), encoding="utf-8")
        command = (sys.executable, "-m", "worker.cli", "--config", str(config), "worker")
        environment = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
        with (Path(directory) / "log").open("wb") as log:
            worker = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            yield worker.pid
        finally:
            worker.terminate()
            worker.wait(STOP_SECONDS)
