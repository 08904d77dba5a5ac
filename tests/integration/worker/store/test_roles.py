"""Each kind of role may do what it is for, in a real Postgres, and nothing else."""

from datetime import timedelta

import asyncpg
import pytest

from tests.integration.conftest import MakeRole, as_role, granted, owner
from tests.integration.worker.store.conftest import connected
from tests.integration.worker.store.factories import dead_lettered, labelled, minutes, scored, skipped, snapshot
from worker.errors import NotFound, StoreUnavailable, WrongRole
from worker.store import Erasable, Perishable, Position
from worker.store.roles import PRIVATE, PRIVILEGES, VIEWS, WRITER, Kind, grant, standing

pytestmark = pytest.mark.services

HOSTILE = 'x"; DROP TABLE groundwatch.labels; --'


async def attempt(database: str, statement: str) -> None:
    connection = await asyncpg.connect(database, server_settings={"search_path": "groundwatch"})
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def test_every_table_and_view_is_thought_of(database: str) -> None:
    connection = await asyncpg.connect(database)
    tables = await connection.fetch(
        "SELECT relname, obj_description(oid) AS says FROM pg_class WHERE relnamespace = 'groundwatch'::regnamespace AND relkind = 'r'"
    )
    views = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'groundwatch'::regnamespace AND relkind IN ('v', 'm')"
    )
    await connection.close()
    assert {row["relname"] for row in views} == set(VIEWS)
    assert {row["relname"] for row in tables} == set(WRITER)
    assert {row["relname"] for row in tables if row["says"].startswith("PRIVATE")} == PRIVATE


async def test_a_writer_does_all_that_the_worker_does(database: str, make_role: MakeRole) -> None:
    store = await connected(await granted(database, make_role, "writer"))
    outcomes = [scored(0), dead_lettered(1), skipped(2), labelled(0)]
    await store.check()
    for _ in range(2):
        payloads = await store.record(outcomes)
    assert await store.known(payloads) == payloads
    (pair,) = await store.pair(["r-1"])
    await store.record([labelled(1, label=1 - pair.label, minute=5)])
    (corrected,) = await store.pair(["r-1"])
    assert corrected.label != pair.label
    await store.save_snapshots([snapshot()])
    assert await store.latest_snapshots() == [snapshot()]
    (segment,) = await store.segments()
    assert await store.window(segment, 10) == [corrected]
    assert len(await store.decision_counts()) == 1
    assert all(row.balance == 0 for row in await store.ledger())
    with pytest.raises(NotFound):
        await store.mark_replayed(Position("doctor", 0, 0), Position("doctor", 0, 0))
    await store.close()


async def test_a_writer_deletes_what_has_expired(database: str, make_role: MakeRole) -> None:
    store = await connected(await granted(database, make_role, "writer"))
    await store.record([scored(0), dead_lettered(1), labelled(0)])
    await store.pair(["r-1"])
    await store.save_snapshots([snapshot(), snapshot(taken_at=minutes(1))])
    for what in Perishable:
        gone = [count async for count in store.expire(what, older_than=timedelta(0), batch=10, window=0)]
        assert sum(gone) == 1, what
    await store.close()


async def test_an_eraser_erases_and_notes_it(database: str, make_role: MakeRole) -> None:
    writing = await connected(database)
    await writing.record([scored(0), dead_lettered(1)])
    await writing.close()
    address = await granted(database, make_role, "eraser")
    store = await connected(address)
    await store.check()
    for kind, name in ((Erasable.RESPONSE, "r-1"), (Erasable.SUBJECT, "jo")):
        await store.erase(kind, name, requested_by="dpo", reason="asked")
    assert [erasure.texts for erasure in await store.erasures()] == [1, 0]
    await store.close()
    for statement in ("SELECT response FROM response_texts", "SELECT * FROM decisions", "DELETE FROM decisions", "DELETE FROM erasures"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await attempt(address, statement)


FOR_NOBODY = (
    "DROP TABLE labels",
    "ALTER TABLE labels ADD COLUMN mine text",
    "CREATE TABLE mine (a text)",
    "DELETE FROM ledger",
    "TRUNCATE ledger",
    "UPDATE decisions SET decision = 'ACCEPT'",
    "UPDATE pairs SET decision = 'ACCEPT'",
    "UPDATE labels SET label = 1",
    "INSERT INTO migrations (name) VALUES ('99_mine')",
    "COPY decisions TO PROGRAM 'cat'",
)
READ_TEXTS = (
    "SELECT response FROM response_texts",
    "SELECT * FROM dead_letter_originals",
)
REFUSED: dict[Kind, tuple[str, ...]] = {
    "writer": (*FOR_NOBODY, *READ_TEXTS),
    "reader": (*FOR_NOBODY, *READ_TEXTS, "UPDATE dead_letters SET replayed_at = now()"),
    "reviewer": (*FOR_NOBODY, "DELETE FROM response_texts", "UPDATE response_texts SET response = ''"),
}


@pytest.mark.parametrize(
    ("kind", "statement"),
    [(kind, statement) for kind, statements in REFUSED.items() for statement in statements],
)
async def test_what_a_role_is_not_for_is_refused(database: str, make_role: MakeRole, kind: Kind, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await attempt(await granted(database, make_role, kind), statement)


async def test_a_reader_reads_all_that_is_not_private(database: str, make_role: MakeRole) -> None:
    address = await granted(database, make_role, "reader")
    for table in (set(WRITER) - PRIVATE) | set(VIEWS):
        await attempt(address, f"SELECT * FROM {table}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await attempt(address, "INSERT INTO labels VALUES (gen_random_uuid(), 'r', 1, 'human', NULL, now())")


async def test_a_reviewer_reads_texts_writes_labels_and_replays_dead_letters(database: str, make_role: MakeRole) -> None:
    writing = await connected(database)
    await writing.record([scored(0), dead_lettered(1)])
    await writing.close()
    address = await granted(database, make_role, "reviewer")
    for table in (*WRITER, *VIEWS):
        await attempt(address, f"SELECT * FROM {table}")
    await attempt(address, "INSERT INTO labels VALUES (gen_random_uuid(), 'r-1', 1, 'human', 'rita', now())")
    store = await connected(address)
    (letter,) = await store.dead_letters()
    at = Position(letter.letter.topic, letter.letter.partition, letter.letter.offset)
    await store.mark_replayed(at, at)
    await store.close()


async def test_granting_again_changes_nothing_and_another_kind_takes_away(database: str, make_role: MakeRole) -> None:
    role = make_role()
    for kind in ("reviewer", "writer", "writer"):
        await grant(owner(database), {kind: role})
    its = await standing(owner(as_role(database, role)))
    assert (its.role, its.superuser, its.owner, its.missing, its.surplus) == (role, False, False, (), ())
    await grant(owner(database), {"reader": role})
    its = await standing(owner(as_role(database, role)))
    assert "INSERT on decisions" in its.missing


async def test_too_much_is_seen(database: str, make_role: MakeRole) -> None:
    role = make_role()
    await grant(owner(database), {"writer": role})
    await attempt(database, f'GRANT DELETE ON ledger TO "{role}"; GRANT SELECT ON response_texts TO "{role}"')
    assert (await standing(owner(as_role(database, role)))).surplus == ("DELETE on ledger", "SELECT on response_texts")
    assert (await standing(owner(database))).superuser


async def test_a_role_that_owns_the_tables_is_seen_and_not_granted_to(database: str, make_role: MakeRole) -> None:
    role = make_role()
    await attempt(database, f'ALTER TABLE labels OWNER TO "{role}"; GRANT USAGE ON SCHEMA groundwatch TO "{role}"')
    assert (await standing(owner(as_role(database, role)))).owner
    with pytest.raises(WrongRole, match="owns the schema"):
        await grant(owner(database), {"writer": role})


async def test_a_role_that_is_not_there_or_above_privileges_is_refused(database: str) -> None:
    with pytest.raises(NotFound, match='CREATE ROLE "absent" LOGIN'):
        await grant(owner(database), {"writer": "absent"})
    with pytest.raises(WrongRole, match="superuser"):
        await grant(owner(database), {"writer": "postgres"})


async def test_a_name_is_only_a_name(database: str, make_role: MakeRole) -> None:
    role = make_role(HOSTILE)
    for kind in PRIVILEGES:
        await grant(owner(database), {kind: role})
    await attempt(database, "SELECT * FROM labels")


async def test_a_role_without_grants_is_told_what_helps(database: str, make_role: MakeRole) -> None:
    await attempt(database, f'GRANT USAGE ON SCHEMA groundwatch TO "{(role := make_role())}"')
    store = await connected(as_role(database, role))
    with pytest.raises(StoreUnavailable, match=r"permission denied for table migrations.*groundwatch db grant"):
        await store.check()
    await store.close()
