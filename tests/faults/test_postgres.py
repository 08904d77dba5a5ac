"""A Postgres that stops, cuts, refuses, blocks, fills up."""

import asyncio
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack

import asyncpg
import pytest

from tests.acceptance.command import COMMAND, environment, groundwatch
from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand
from tests.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600 if FULL else 180)]

AWAY_SECONDS = 120 if FULL else 5
LOCKED_SECONDS = 60


async def test_a_database_that_stops_and_returns(stand: Stand) -> None:
    async with stand.traffic(rate=3):  # what piles up in two minutes can be scored in half a minute
        stand.postgres.stop()
        await stand.until_not_ready("Postgres does not answer")
        await asyncio.sleep(AWAY_SECONDS)
        stand.postgres.start()
    await stand.audit()
    await stand.until_ready()


async def test_connections_that_are_cut_in_the_middle_of_transactions(stand: Stand) -> None:
    async with stand.traffic(rate=20), stand.connection() as admin:
        for _ in range(600 if FULL else 100):
            await admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'groundwatch'")
            await asyncio.sleep(0.05)
    await stand.audit()


async def test_a_database_that_turns_read_only(stand: Stand) -> None:
    async with stand.traffic():
        stand.query("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
        try:
            await stand.until_not_ready("read-only")
        finally:
            stand.query(
                "SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()"
            )
    await stand.audit()


async def test_a_disk_that_is_full(stand: Stand) -> None:
    """What Postgres says then, from a trigger."""
    async with stand.traffic():
        stand.query(
            "CREATE FUNCTION groundwatch.full() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END$$",
            "CREATE TRIGGER full_disk BEFORE INSERT ON groundwatch.decisions EXECUTE FUNCTION groundwatch.full()",
        )
        try:
            await stand.until_not_ready("No space left on device")
        finally:
            stand.query("DROP FUNCTION groundwatch.full() CASCADE")
    await stand.audit()


@LONG
async def test_a_lock_that_is_held_longer_than_statements_may_take(stand: Stand) -> None:
    async with stand.traffic(), stand.connection() as admin, admin.transaction():
        await admin.execute("LOCK TABLE groundwatch.decisions IN ACCESS EXCLUSIVE MODE")
        await stand.until_not_ready("statement timeout")
        await asyncio.sleep(LOCKED_SECONDS)
    await stand.audit()


async def test_a_server_that_has_no_connection_left(stand: Stand) -> None:
    async with stand.traffic(), AsyncExitStack() as held, stand.connection() as admin:
        await _take_all_connections(stand, held, admin)
        await stand.until_not_ready("too many clients")
    await stand.audit()


async def _take_all_connections(stand: Stand, held: AsyncExitStack, admin: asyncpg.Connection) -> None:
    for _ in range(200):
        try:
            await held.enter_async_context(stand.connection())
        except asyncpg.TooManyConnectionsError:
            await admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'groundwatch'")
            with pytest.raises(asyncpg.TooManyConnectionsError):
                for _ in range(200):
                    await held.enter_async_context(stand.connection())
            return
    raise AssertionError("the server takes any number of connections")


async def test_an_answer_that_a_constraint_refuses_is_the_only_one_lost(stand: Stand) -> None:
    stand.query("ALTER TABLE groundwatch.decisions ADD CONSTRAINT own CHECK (model <> 'unwanted')")
    stand.query("CREATE UNIQUE INDEX single ON groundwatch.decisions (model) WHERE model = 'single'")
    async with stand.traffic() as traffic:
        await traffic.send_unusable(stand.new_event(model="unwanted"))
        first = stand.new_event(model="single")
        await traffic.send(first)
        await stand.until_decided(first)
        await traffic.send_unusable(stand.new_event(model="single"))
    await stand.audit()
    stand.query("ALTER TABLE groundwatch.decisions DROP CONSTRAINT own", "DROP INDEX groundwatch.single")


async def test_characters_that_postgres_or_utf8_cannot_hold(stand: Stand) -> None:
    async with stand.traffic() as traffic:
        for text in ("a\0b", "\0", "\U0010ffff\ufffe", "\u202e\u0000 mixed"):
            await traffic.send(stand.new_event(response=f"It is {text} so.", question=text, contexts=(text, f"It is {text} so.")))
    await stand.audit()


@LONG
async def test_a_restart_in_the_middle_of_a_migration(stand: Stand) -> None:
    name = stand.postgres.create_database(template="template1")
    address = stand.postgres.address(name)
    settings = {"GROUNDWATCH_STORE__DSN": address}
    try:
        blocking = await asyncpg.connect(address)
        await blocking.execute("BEGIN; CREATE SCHEMA groundwatch")
        upgrading = await asyncio.create_subprocess_exec(str(COMMAND), "db", "upgrade", env=environment() | settings, stderr=PIPE)
        waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1"
        async with stand.connection() as watching:
            await until(lambda: watching.fetch(waits, name), timeout=30)
        stand.postgres.stop()
        _, said = await asyncio.wait_for(upgrading.communicate(), 60)
        stand.postgres.start()
        assert upgrading.returncode == 1
        assert said.count(b"\n") == 1, said
        assert groundwatch("db", "upgrade", env=settings).code == 0
    finally:
        stand.postgres.ensure_started()
        stand.postgres.drop_database(name)
    await stand.audit()
