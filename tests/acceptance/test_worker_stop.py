"""The worker stops when it is told to, whatever it is at, and leaves no process behind."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.acceptance.worker_process import WorkerProcess
from tests.processes import is_alive
from tests.waiting import until
from worker.embedded.broker import EmbeddedBroker

pytestmark = [pytest.mark.services, pytest.mark.timeout(120)]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def scorers(pid: int) -> list[int]:
    """The scorer processes of a worker; libraries start short-lived children of their own while they load."""
    found = []
    for child in children(pid):
        with suppress(ProcessLookupError, FileNotFoundError):  # it has ended meanwhile
            if b"worker.scorer_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


async def test_a_stop_while_the_models_load_is_prompt(tmp_path: Path, broker: EmbeddedBroker, database: str) -> None:
    worker = WorkerProcess(
        tmp_path,
        kafka=broker.bootstrap_servers,
        database=database,
        GROUNDWATCH_KAFKA__MANAGE_TOPICS="false",
        arguments=("--role", "triage"),
    )
    worker.start()
    try:
        scorer = (await until(lambda: scorers(worker.pid), timeout=60))[0]
        os.kill(scorer, signal.SIGSTOP)  # a model that loads for ever
        asked = time.monotonic()
        assert worker.stop() == 0
        assert time.monotonic() - asked < 10
        assert not is_alive(scorer)
        assert "Traceback" not in worker.log.read_text()
    finally:
        worker.kill()


async def test_a_stop_while_postgres_is_away_is_prompt(tmp_path: Path, broker: EmbeddedBroker) -> None:
    worker = WorkerProcess(tmp_path, kafka=broker.bootstrap_servers, database="postgresql://x@127.0.0.1:1/x")
    worker.start()
    try:
        await until(lambda: any(line["action"] == "infrastructure_wait" for line in worker.actions()), timeout=60)
        assert worker.stop() == 0
    finally:
        worker.kill()
