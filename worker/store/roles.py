"""Who may do what with the tables: what each kind of role needs and no more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from worker import settings
from worker.errors import NotFound, WrongRole
from worker.store.connection import SESSION, open_connection
from worker.store.faults import translated
from worker.store.sql import queries

Kind = Literal["writer", "reviewer", "reader", "eraser", "promoter"]

Privileges = Mapping[str, tuple[str, ...]]
"""What may be done with each table or view; SELECT and UPDATE may name its columns."""

PRIVATE: Final = frozenset({"response_texts", "dead_letter_originals"})
"""Tables with people's texts."""

VIEWS: Final = ("auroc_history", "decisions_hourly", "labels_daily", "latency_budget", "mispredictions", "review_load", "review_queue")
"""What people plot from; without texts."""

_ORIGINAL: Final = "key, value, headers, response_id, subject_sha256, stored_at"

WRITER: Final[Privileges] = {
    "migrations": ("SELECT",),
    "decisions": ("SELECT", "INSERT", "UPDATE (decided_at)", "DELETE"),
    "response_texts": ("SELECT (response_id, stored_at)", "INSERT", "UPDATE (stored_at)", "DELETE"),
    "labels": ("SELECT", "INSERT", "UPDATE (stored_at)", "DELETE"),
    "pairs": ("SELECT", "INSERT", "UPDATE (label, label_id, labelled_at, source, precedence)", "DELETE"),
    "ledger": ("SELECT", "INSERT", "UPDATE"),
    "auroc_snapshots": ("SELECT", "INSERT", "UPDATE (taken_at)", "DELETE"),
    "dead_letters": ("SELECT", "INSERT", "UPDATE (replayed_at)", "DELETE"),
    "dead_letter_originals": ('SELECT (topic, partition, "offset", stored_at)', "INSERT", f"UPDATE ({_ORIGINAL})", "DELETE"),
    "replays": ("SELECT", "INSERT", "UPDATE (replayed_at)", "DELETE"),
    "erasures": ("SELECT",),
    "promotions": ("SELECT",),
}
"""The worker: it adds, deletes what has expired, changes no decision and reads no text back.

UPDATE of a time is what locking a row takes. (`doctor` tries a write on dead_letters.)
"""

READER: Final[Privileges] = dict.fromkeys((*(table for table in WRITER if table not in PRIVATE), *VIEWS), ("SELECT",))
"""Dashboards and auditors: everything without a person's text."""

REVIEWER: Final[Privileges] = {
    **dict.fromkeys((*WRITER, *VIEWS), ("SELECT",)),
    "labels": ("SELECT", "INSERT"),
    "dead_letters": ("SELECT", "UPDATE (replayed_at)"),
    "replays": ("SELECT", "INSERT", "UPDATE (replayed_at)"),
}
"""People who judge answers: they read the texts, write labels, and show and replay dead letters."""

ERASER: Final[Privileges] = {
    "migrations": ("SELECT",),
    "response_texts": ("SELECT (response_id, subject_sha256)", "DELETE"),
    "dead_letter_originals": ("SELECT", "DELETE"),
    "erasures": ("SELECT", "INSERT"),
}
"""Who erases a person's texts on request, and notes that."""

PROMOTER: Final[Privileges] = {**READER, "promotions": ("SELECT", "INSERT")}
"""Who makes a challenger the champion: a reader otherwise."""

PRIVILEGES: Final[Mapping[Kind, Privileges]] = {
    "writer": WRITER,
    "reviewer": REVIEWER,
    "reader": READER,
    "eraser": ERASER,
    "promoter": PROMOTER,
}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What the role of a connection may do, held against what a writer needs."""

    role: str
    superuser: bool
    owner: bool
    """Whether it owns the schema or one of its tables, and so may alter and drop it."""
    missing: tuple[str, ...]
    """Such as `INSERT on labels`."""
    surplus: tuple[str, ...]


async def grant(store: settings.Store, roles: Mapping[Kind, str]) -> None:
    """Leave each role with the privileges of its kind on the tables, and no others; in one transaction. Safe to repeat.

    Raises NotFound for a role that does not exist, WrongRole for one that is above privileges, StoreUnavailable.
    """
    with translated():
        connection = await open_connection(store, server_settings=SESSION)
        try:
            async with connection.transaction():
                for kind, role in roles.items():
                    await _grant(connection, PRIVILEGES[kind], role)
        finally:
            await connection.close()


async def standing(store: settings.Store) -> Standing:
    """What the role in `store.dsn` may do. Raises StoreUnavailable or SchemaOutdated."""
    with translated():
        connection = await open_connection(store, server_settings=SESSION)
        try:
            (role,) = await connection.fetch(queries()["role"], None)
            held = {(row["table_name"], row["privilege"]): row["whole"] for row in await connection.fetch(queries()["held_privileges"])}
        finally:
            await connection.close()
    wanted = _each(WRITER)
    return Standing(
        role=role["name"],
        superuser=role["superuser"],
        owner=role["owner"],
        missing=_beyond(wanted, held),
        surplus=_beyond(held, wanted),
    )


async def _grant(connection: Any, privileges: Privileges, role: str) -> None:
    found = await connection.fetch(queries()["role"], role)
    if not found:
        raise NotFound(f'there is no role {role}; make it first: CREATE ROLE "{role}" LOGIN')
    if found[0]["superuser"] or found[0]["owner"]:
        raise WrongRole(f"role {role} is a superuser or owns the schema, which no grant limits; name a role of its own")
    pairs = [(table, privilege) for table, all_of_it in privileges.items() for privilege in all_of_it]
    for row in await connection.fetch(queries()["grants"], role, *map(list, zip(*pairs, strict=True))):
        await connection.execute(row["statement"])


_Held = Mapping[tuple[str, str], bool]
"""Table and privilege, and whether it is for the whole table or some of its columns."""


def _each(privileges: Privileges) -> _Held:
    words = [(table, *privilege.partition(" ")) for table, all_of_it in privileges.items() for privilege in all_of_it]
    return {(table, word): not columns for table, word, _, columns in words}


def _beyond(these: _Held, those: _Held) -> tuple[str, ...]:
    """What is in `these` and not in `those`, or for the whole table where `those` has columns."""
    found = sorted(key for key, whole in these.items() if whole > those.get(key, -1))
    return tuple(f"{privilege} on {table}" for table, privilege in found)
