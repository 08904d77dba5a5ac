"""The Postgres that the tests share, and fresh databases on it."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
from filelock import FileLock

from worker.embedded.postgres import EmbeddedPostgres
from worker.store.migration import upgrade

TEMPLATE = "groundwatch_template"


class PostgresServer(EmbeddedPostgres):
    """An embedded server that hands out migrated databases, copied from a template. Nothing on it is meant to survive a crash."""

    def prepare(self, lock: Path) -> None:
        """Start for the first time. The lock keeps parallel test processes from making the system user at once."""
        with FileLock(lock):
            self.start()
        self.execute("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()")
        self.execute(f"CREATE DATABASE {TEMPLATE}")
        _finish(upgrade(self.address(TEMPLATE)))

    def ensure_started(self) -> None:
        """Start it unless it runs."""
        if self._server is None:
            self.start()

    def create_database(self, template: str = TEMPLATE) -> str:
        """The name of a new database like `template`."""
        name = f"test_{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def drop_database(self, name: str) -> None:
        """Remove a database, cutting its connections."""
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def execute(self, *statements: str) -> None:
        """Run statements as superuser."""
        _finish(_execute(self.dsn, statements))

    def execute_on(self, name: str, *statements: str) -> None:
        """Run statements on a database as superuser."""
        _finish(_execute(self.address(name), statements))


def _finish(work: Coroutine[Any, Any, Any]) -> None:
    """Run `work` to its end, in a thread: the event loop of an async fixture may be running in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def _execute(dsn: str, statements: tuple[str, ...]) -> None:
    connection = await asyncpg.connect(dsn, timeout=30)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()
