"""What only Postgres has: faults, locks and tables."""

import asyncio
from typing import Any

import asyncpg
import orjson
import pytest

from tests.integration.worker.store.conftest import connected
from tests.integration.worker.store.factories import labelled, scored, skipped
from tests.postgres_server import PostgresServer
from worker.errors import ConfigurationError, SchemaOutdated, StoreRefused, StoreUnavailable
from worker.store import Segment, Texts
from worker.store.postgres import PostgresStore

pytestmark = pytest.mark.services


async def fetch(dsn: str, statement: str, *arguments: Any) -> list[Any]:
    connection = await asyncpg.connect(dsn, server_settings={"search_path": "groundwatch"})
    try:
        return list(await connection.fetch(statement, *arguments))
    finally:
        await connection.close()


async def test_it_recovers_when_the_server_comes_back(postgres: PostgresStore, postgres_server: PostgresServer) -> None:
    await asyncio.gather(*(postgres.record([scored(0)]) for _ in range(4)))
    postgres_server.stop()
    try:
        for _ in range(6):
            with pytest.raises(StoreUnavailable, match=r"Check store\.dsn"):
                await postgres.record([scored(1)])
    finally:
        postgres_server.start()
    await postgres.record([scored(1)])
    (row,) = await postgres.ledger()
    assert (row.scored, row.redelivered) == (2, 3)


async def test_connections_that_the_server_cut_are_replaced(postgres: PostgresStore, postgres_server: PostgresServer) -> None:
    await postgres.check()
    await asyncio.to_thread(postgres_server.stop)
    await asyncio.to_thread(postgres_server.start)
    await asyncio.wait_for(postgres.check(), 10)


async def test_a_batch_that_fails_leaves_nothing(database: str, postgres: PostgresStore) -> None:
    await fetch(database, "ALTER TABLE labels ADD CONSTRAINT no_labels CHECK (false)")
    with pytest.raises(StoreRefused, match="CheckViolation"):
        await postgres.record([scored(0), labelled(0)])
    assert await postgres.ledger() == []
    assert await postgres.known([scored(0).decision.decision_id]) == {}


async def test_a_statement_that_takes_too_long_counts_as_no_answer(database: str) -> None:
    store = await connected(database, timeout_seconds=0.2)
    blocker = await asyncpg.connect(database)
    async with blocker.transaction():
        await blocker.execute("LOCK TABLE groundwatch.ledger")
        with pytest.raises(StoreUnavailable, match="statement timeout"):
            await store.record([skipped(0)])
    await blocker.close()
    await store.record([skipped(0)])
    await store.close()


async def test_batches_of_other_partitions_with_the_same_rows_never_deadlock(postgres: PostgresStore) -> None:
    def batch(partition: int) -> list[Any]:
        order = range(16) if partition % 2 else reversed(range(16))
        return [scored(offset, f"r-{n}", partition=partition) for offset, n in enumerate(order)]

    for _ in range(5):
        recorded = await asyncio.gather(*(postgres.record(batch(partition)) for partition in range(4)))
        assert all(payloads == recorded[0] for payloads in recorded)


async def test_texts_stand_apart_and_offsets_into_them_stay_true(database: str, postgres: PostgresStore) -> None:
    await postgres.record([scored(0, texts=Texts(question="a\x00b", response="\x00ü", contexts=("c\x00", "", "😀")))])
    (row,) = await fetch(database, "SELECT question, response, contexts FROM response_texts")
    assert (row["question"], row["response"], orjson.loads(row["contexts"])) == ("a\ufffdb", "\ufffdü", ["c\ufffd", "", "😀"])


async def test_the_longest_names_can_be_stored(postgres: PostgresStore) -> None:
    name = "".join(chr(0x1F300 + n) for n in range(256))
    await postgres.record([scored(0, name, dataset=name, model=name), labelled(0, name)])
    (pair,) = await postgres.pair([name])
    assert await postgres.segments() == [pair.segment]


async def test_a_ledger_that_does_not_balance_is_refused(database: str, postgres: PostgresStore) -> None:
    await postgres.record([skipped(0)])
    with pytest.raises(asyncpg.CheckViolationError, match="ledger_balances"):
        await fetch(database, "UPDATE ledger SET skipped = skipped + 1")


async def test_a_database_without_the_schema_is_outdated(postgres_server: PostgresServer) -> None:
    name = postgres_server.create_database(template="template1")
    store = await connected(postgres_server.address(name))
    with pytest.raises(SchemaOutdated, match="groundwatch db upgrade"):
        await store.check()
    with pytest.raises(SchemaOutdated):
        await store.ledger()
    await store.close()
    postgres_server.drop_database(name)


@pytest.mark.parametrize(
    ("dsn", "error"),
    [
        ("postgresql://groundwatch:geheim@127.0.0.1:1/groundwatch", StoreUnavailable),
        ("postgresql://groundwatch:geheim@host.invalid/groundwatch", StoreUnavailable),
        ("mysql://groundwatch:geheim@127.0.0.1/groundwatch", ConfigurationError),
        ("postgresql://groundwatch:geheim@127.0.0.1:port/groundwatch", ConfigurationError),
        ("geheim", ConfigurationError),
    ],
)
async def test_an_address_without_a_database_is_named_without_its_password(dsn: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"store\.dsn") as raised:
        store = await connected(dsn, timeout_seconds=5)
        await store.check()
    assert "geheim" not in str(raised.value)


async def test_closing_does_not_wait_for_a_server_that_is_gone(postgres_server: PostgresServer, database: str) -> None:
    store = await connected(database)
    await store.check()
    postgres_server.stop()
    try:
        await asyncio.wait_for(store.close(), 10)
    finally:
        postgres_server.start()
    with pytest.raises(StoreUnavailable):
        await store.check()


@pytest.mark.parametrize(("segment", "size"), [(Segment("secret\x00", "m"), 5), (Segment("secret", "m"), 2**70)])
async def test_what_postgres_refuses_is_not_quoted(postgres: PostgresStore, segment: Segment, size: int) -> None:
    with pytest.raises(StoreRefused) as refused:
        await postgres.window(segment, size)
    assert "secret" not in str(refused.value)
    assert str(size) not in str(refused.value)
