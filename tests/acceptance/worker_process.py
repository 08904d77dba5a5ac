"""The real worker, in a process of its own that tests may kill."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.acceptance.command import COMMAND, environment
from tests.waiting import until


class WorkerProcess:
    """`groundwatch worker` with its settings in the environment and its log in a file."""

    def __init__(self, directory: Path, *, kafka: str, database: str, arguments: tuple[str, ...] = (), **settings: str) -> None:
        self.log = directory / "worker.log"
        self._arguments = arguments
        self._environment = environment() | {
            "GROUNDWATCH_KAFKA__BOOTSTRAP_SERVERS": kafka,
            "GROUNDWATCH_KAFKA__SESSION_TIMEOUT_SECONDS": "6",
            "GROUNDWATCH_STORE__DSN": database,
            "GROUNDWATCH_HEALTH__PORT": "0",
            "GROUNDWATCH_MONITOR__CHECK_SECONDS": "2",
            **settings,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    def start(self) -> None:
        """Start it; its log goes on where it was."""
        self._log_start = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(COMMAND), "worker", *self._arguments], env=self._environment, stderr=log, stdout=log, start_new_session=True
            )

    def kill(self) -> None:
        """End it as a crash would."""
        self._send(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to finish; its exit status."""
        return self._send(signal.SIGTERM)

    def exit_status(self) -> int | None:
        """Of the process that was started last; None while it runs."""
        assert self._process is not None
        return self._process.poll()

    def _send(self, number: int) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        if process.poll() is None:
            os.kill(process.pid, number)
        try:
            return process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    @property
    def pid(self) -> int:
        """Its process id while it runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def actions(self) -> list[Mapping[str, Any]]:
        """Its log lines since it was last started."""
        return self.lines(self.log.read_bytes()[self._log_start :].decode() if self.log.exists() else "")

    def everything_said(self) -> str:
        """Its log over all its lives."""
        return self.log.read_text() if self.log.exists() else ""

    @staticmethod
    def lines(log: str) -> list[Mapping[str, Any]]:
        """The log lines that are whole."""
        return [json.loads(line) for line in log.splitlines() if line.startswith("{") and line.endswith("}")]

    def health(self, path: str) -> tuple[int, bytes]:
        """The answer of its health endpoint."""
        port = [line["port"] for line in self.actions() if line["action"] == "health_listening"][-1]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    async def until_ready(self, timeout: float = 90) -> None:
        """Return once `/ready` says yes."""

        def ready() -> bool:
            assert self.running, self.log.read_text()[-3000:]
            listening = any(line["action"] == "health_listening" for line in self.actions())
            return listening and self.health("/ready")[0] == 200

        await until(ready, timeout=timeout, every=0.3)
