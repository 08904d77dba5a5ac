"""A real Kafka of one's own, where one is at hand: in the folder that KAFKA_HOME names, or beside the repository."""

import os
import random
import shutil
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from worker.errors import BrokerUnavailable, ConfigurationError
from worker.settings import Topics

HOME_VARIABLE: Final = "KAFKA_HOME"
BESIDE: Final = Path(__file__).parents[2] / "shared" / "kafka"
START_SECONDS: Final = 90


class RealKafka:
    """A single node on loopback that can be killed and started again on the same data, in `directory`."""

    def __init__(self, script: Path, directory: Path) -> None:
        self._script = script
        self._directory = directory
        self._port = free_pair_of_ports()

    @property
    def bootstrap_servers(self) -> str:
        """Its address, `host:port`."""
        return f"127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The broker's process, once started."""
        return int((self._directory / "pid").read_text())

    def start(self) -> None:
        """Return once the broker answers. Raises BrokerUnavailable."""
        self._run("start", str(self._port))

    def ensure_started(self) -> None:
        """Start it unless it runs."""
        if not (self._directory / "pid").exists():
            self.start()

    def stop(self) -> None:
        """End it in order."""
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
        if done.returncode:
            raise BrokerUnavailable(f"kafka {command}: {done.stderr}")


def find_script() -> Path:
    """The `kafka` script. Raises ConfigurationError where it or Java is missing."""
    script = Path(os.environ.get(HOME_VARIABLE, BESIDE)) / "kafka"
    if not script.is_file():
        raise ConfigurationError(f"no Kafka at hand: {script} is missing; name its folder with {HOME_VARIABLE}")
    if shutil.which("java") is None:
        raise ConfigurationError("no Kafka at hand: java is not on the PATH")
    return script


def fresh_names() -> dict[str, Any]:
    """Settings under `kafka`: a group and topics that nobody else on the same broker uses."""
    prefix = f"fresh-{uuid4().hex[:12]}"
    return {"group": prefix, "topics": {field: f"{prefix}.{name}" for field, name in Topics()}}


def free_pair_of_ports() -> int:
    """A port that is free together with the next one, below the range that the system hands out by itself."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000, 2)
        if _is_free(port) and _is_free(port + 1):
            return port
    raise BrokerUnavailable("no two neighbouring ports are free")


def _is_free(port: int) -> bool:
    with closing(socket.socket()) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
