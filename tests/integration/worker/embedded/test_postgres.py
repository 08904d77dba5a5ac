"""Postgres out of a wheel."""

import importlib.util
from pathlib import Path

import asyncpg
import pytest

from tests.postgres_server import PostgresServer
from worker.embedded.postgres import EmbeddedPostgres
from worker.errors import ConfigurationError


@pytest.mark.services
async def test_it_keeps_data_and_address_when_it_starts_again(postgres_server: PostgresServer, database: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("CREATE TABLE kept (number integer)")
    await connection.close()
    postgres_server.stop()
    with pytest.raises(OSError, match=r"No such file|refused"):
        await asyncpg.connect(database)
    postgres_server.start()
    connection = await asyncpg.connect(database)
    assert await connection.fetchval("SELECT count(*) FROM kept") == 0
    await connection.close()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'groundwatch\[demo\]'"), EmbeddedPostgres(tmp_path):
        pass
