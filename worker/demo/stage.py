"""Everything the demo runs on: broker, database and worker, started together and ended together."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import aiohttp
import yaml

from worker.credentials import without_settings
from worker.embedded.broker import EmbeddedBroker
from worker.embedded.postgres import EmbeddedPostgres
from worker.errors import GroundwatchError
from worker.monitor.broker import check_topics
from worker.settings import Settings
from worker.store.migration import upgrade

READY_SECONDS: Final = 90
STOP_SECONDS: Final = 20
TAIL_LINES: Final = 15

Say = Callable[[str], None]


class WorkerEnded(GroundwatchError):
    """The worker ended before its time; its last lines are above."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The running services."""

    settings: Settings
    config: Path
    """The settings file, for every other command."""
    health: str
    """Address of the worker's health endpoint."""
    worker: subprocess.Popen[bytes]
    log: Path

    def check(self) -> None:
        """Raise WorkerEnded unless the worker runs."""
        if self.worker.poll() is not None:
            raise WorkerEnded(f"the worker ended with exit code {self.worker.returncode}; its last lines are above")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a groundwatch command against these services."""
        return subprocess.run(  # noqa: S603 - our own command
            _command(self.config, *command),
            env=without_settings(os.environ),
            capture_output=True,
            text=True,
            timeout=READY_SECONDS,
            check=False,
        )

    def tail(self) -> str:
        """The last lines of the worker's log."""
        with self.log.open(encoding="utf-8", errors="replace") as lines:
            return "".join(deque(lines, TAIL_LINES))


@contextmanager
def open_stage(say: Say) -> Iterator[Stage]:
    """Start all services but wait for none but broker and database; leave nothing behind. On an error the worker's last lines are said."""
    with ExitStack() as life:
        home = Path(life.enter_context(TemporaryDirectory(prefix="groundwatch-demo-")))
        say("starting the embedded broker and Postgres")
        broker = life.enter_context(EmbeddedBroker())
        postgres = life.enter_context(EmbeddedPostgres(home / "postgres"))
        port = _free_port()
        tree: dict[str, Any] = {
            "kafka": {"bootstrap_servers": broker.bootstrap_servers, "manage_topics": False, "lag_seconds": 0.5},
            "store": {"dsn": postgres.dsn},
            "monitor": {"check_seconds": 2},
            "health": {"port": port},
        }
        config = home / "groundwatch.yaml"
        config.write_text(yaml.safe_dump(tree), encoding="utf-8")
        settings = Settings.model_validate(tree)
        asyncio.run(_prepare(settings, postgres.dsn))
        say(f"broker on {broker.bootstrap_servers}, database with its schema; starting the worker")
        worker = life.enter_context(_running_worker(config, home / "worker.log"))
        stage = Stage(settings=settings, config=config, health=f"http://127.0.0.1:{port}", worker=worker, log=home / "worker.log")
        try:
            yield stage
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            say(f"last lines of the worker's log:\n{stage.tail()}")
            raise


async def wait_until_ready(stage: Stage, say: Say) -> None:
    """Return once the worker can work; say what it waits for whenever that changes. Raises WorkerEnded, TimeoutError."""
    said = ""
    async with aiohttp.ClientSession() as client, asyncio.timeout(READY_SECONDS):
        while reason := await _unready(client, stage.health):
            stage.check()
            if reason != said:
                say(f"waiting for the worker: {reason}")
                said = reason
            await asyncio.sleep(0.1)


async def _unready(client: aiohttp.ClientSession, health: str) -> str:
    """What the worker waits for; "" when it is ready."""
    try:
        async with client.get(f"{health}/ready") as answer:
            waiting: dict[str, str] = (await answer.json())["waiting_for"]
    except aiohttp.ClientConnectionError:
        return "its libraries are loading"
    return "; ".join(sorted(set(waiting.values())))


async def _prepare(settings: Settings, dsn: str) -> None:
    await upgrade(dsn)
    await check_topics(settings.kafka, settings.kafka.topics.all())


@contextmanager
def _running_worker(config: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """In a process group of its own, so that Ctrl-C reaches the demo first and the worker is asked to stop."""
    with log.open("wb") as output:
        worker = subprocess.Popen(  # noqa: S603 - our own command
            _command(config, "worker"),
            env=without_settings(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            process_group=0,
        )
    try:
        yield worker
    finally:
        worker.terminate()
        try:
            worker.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        finally:
            _end_group(worker.pid)


def _end_group(group: int) -> None:
    """What a killed worker may have left behind."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _command(config: Path, *command: str) -> Sequence[str]:
    return (sys.executable, "-m", "worker.cli", "--config", str(config), *command)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
