"""Erasing and expiring beside workers that write: nothing slips through, nothing that is needed goes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from tests.integration.worker.store.conftest import connected, stored_texts
from tests.integration.worker.store.factories import at, dead_lettered, decision_id, labelled, message, scored
from tests.waiting import until
from worker.errors import Busy
from worker.store import Erasable, Perishable, Segment
from worker.store.postgres import PostgresStore
from worker.store.sql import queries

pytestmark = pytest.mark.services

AT_ONCE = timedelta(0)


@pytest.fixture
async def another(database: str) -> AsyncIterator[Any]:
    """A connection of another worker's."""
    connection = await asyncpg.connect(database, server_settings={"search_path": "groundwatch"})
    yield connection
    await connection.close()


async def test_an_erasure_waits_for_the_batches_in_hand(postgres: PostgresStore, another: Any) -> None:
    batch = another.transaction()
    await batch.start()
    await postgres._write(another, [scored(0, "r-1")])
    erasing = asyncio.create_task(postgres.erase(Erasable.RESPONSE, "r-1"))
    await until(lambda: another.fetchval("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
    await batch.commit()
    assert (await asyncio.wait_for(erasing, 10)).texts == 1
    assert await stored_texts(postgres) == []


async def test_batches_do_not_wait_for_each_other(postgres: PostgresStore, another: Any) -> None:
    async with another.transaction():
        await postgres._write(another, [scored(0, "r-1")])
        await asyncio.wait_for(postgres.record([scored(1, "r-2")]), 10)


async def test_one_expires_at_a_time(database: str, postgres: PostgresStore) -> None:
    await postgres.record([scored(n, f"r-{n}") for n in range(3)])
    other = await connected(database)
    batches = postgres.expire(Perishable.TEXTS, older_than=AT_ONCE, batch=1, window=1)
    assert await anext(batches) == 1
    with pytest.raises(Busy):
        await anext(other.expire(Perishable.LABELS, older_than=AT_ONCE, batch=1, window=1))
    await batches.aclose()
    assert [count async for count in other.expire(Perishable.TEXTS, older_than=AT_ONCE, batch=5, window=1)] == [2]
    await other.close()


async def test_a_decision_that_is_just_being_paired_stays(postgres: PostgresStore, another: Any) -> None:
    await postgres.record([scored(0, "r-1"), labelled(0, "r-1"), scored(1, "r-2")])
    async with another.transaction():
        await another.execute(queries()["pair"], ["r-1"])
        counts = postgres.expire(Perishable.DECISIONS, older_than=AT_ONCE, batch=10, window=5)
        assert [count async for count in counts] == [1]
    assert set(await postgres.known([decision_id("r-1"), decision_id("r-2")])) == {decision_id("r-1")}
    assert len(await postgres.window(Segment("travel", "m-1"), 5)) == 1


async def test_a_row_that_someone_holds_is_left_for_the_next_pass(postgres: PostgresStore, another: Any) -> None:
    await postgres.record([scored(0, "r-1"), scored(1, "r-2")])
    async with another.transaction():
        await another.execute("SELECT FROM response_texts WHERE response_id = 'r-1' FOR UPDATE")
        counts = postgres.expire(Perishable.TEXTS, older_than=AT_ONCE, batch=10, window=5)
        assert await asyncio.wait_for(anext(counts), 10) == 1
        await counts.aclose()
    assert await stored_texts(postgres) == ["r-1"]


async def test_an_original_of_a_topic_before_it_was_made_anew_gives_way(postgres: PostgresStore, another: Any) -> None:
    await postgres.record([dead_lettered(0, **message(b"old"))])
    await another.execute("DELETE FROM dead_letters")
    await postgres.record([dead_lettered(0, **message(b"new")), dead_lettered(0, **message(b"new"))])
    assert (await postgres.dead_letter(at(0))).letter.original == b"new"


@pytest.mark.parametrize("table", ["response_texts", "labels", "dead_letter_originals"])
async def test_age_counts_from_storing(postgres: PostgresStore, another: Any, table: str) -> None:
    column = await another.fetchrow(
        "SELECT column_default, is_nullable FROM information_schema.columns WHERE table_name = $1 AND column_name = 'stored_at'", table
    )
    assert tuple(column) == ("now()", "NO")


async def test_texts_older_than_their_time_go(postgres: PostgresStore, another: Any) -> None:
    await postgres.record([scored(0, "r-1"), scored(1, "r-2")])
    await another.execute("UPDATE response_texts SET stored_at = now() - interval '31 days' WHERE response_id = 'r-1'")
    counts = postgres.expire(Perishable.TEXTS, older_than=timedelta(days=30), batch=10, window=5)
    assert [count async for count in counts] == [1]
    assert await stored_texts(postgres) == ["r-2"]
