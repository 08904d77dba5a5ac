"""A real Kafka of its own for a test, where one is at hand."""

import os
import random
import shutil
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from worker.settings import Topics

HOME_VARIABLE = "KAFKA_HOME"
START_SECONDS = 90


class RealKafka:
    """A single node on loopback that can be killed and started again on the same data."""

    def __init__(self, script: Path, directory: Path) -> None:
        self._script = script
        self._directory = directory
        self._port = free_pair_of_ports()

    @property
    def bootstrap_servers(self) -> str:
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        """Return once the broker answers."""
        self._run("start", str(self._port))

    def ensure_started(self) -> None:
        """Start it unless it runs."""
        if not (self._directory / "pid").exists():
            self.start()

    def stop(self) -> None:
        self._run("stop")

    def kill(self) -> None:
        """End it as a crash would."""
        self._run("kill")

    def _run(self, command: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._script), command, str(self._directory), *arguments],
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"kafka {command}: {done.stderr}"


def fresh_names() -> dict[str, Any]:
    """Settings under `kafka`: a group and topics that no other test on the same broker uses."""
    prefix = f"test-{uuid4().hex[:12]}"
    return {"group": prefix, "topics": {field: f"{prefix}.{name}" for field, name in Topics()}}


def find_script() -> Path:
    """The `kafka` script; skips the test with the reason where it or Java is missing."""
    beside = Path(__file__).parents[2] / "shared" / "kafka"
    home = Path(os.environ.get(HOME_VARIABLE, beside))
    script = home / "kafka"
    if not script.is_file():
        pytest.skip(f"no Kafka at hand: {script} is missing; name its folder with {HOME_VARIABLE}")
    if shutil.which("java") is None:
        pytest.skip("no Kafka at hand: java is not on the PATH")
    return script


def free_pair_of_ports() -> int:
    """A port that is free together with the next one, below the range that the system hands out by itself."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000, 2)
        if _is_free(port) and _is_free(port + 1):
            return port
    raise AssertionError("no two neighbouring ports are free")


def _is_free(port: int) -> bool:
    with closing(socket.socket()) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
