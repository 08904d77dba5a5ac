"""Bringing a database to this version's schema."""

from typing import Any, Final

from pydantic import SecretStr

from worker import settings
from worker.store.connection import SESSION, open_connection
from worker.store.faults import translated
from worker.store.sql import migrations, queries

_LOCK: Final = 7091125213
"""Key of the advisory lock under which migrations run, one process at a time."""


async def upgrade(database: str | settings.Store) -> list[str]:
    """Apply the missing migrations in order, each in a transaction; returns their names. Safe to repeat and to run at once.

    `database`: its address, or all that leads there. Raises StoreUnavailable when it does not answer, ConfigurationError for no address.
    """
    store = settings.Store(dsn=SecretStr(database)) if isinstance(database, str) else database
    with translated():
        connection = await open_connection(store, server_settings=SESSION)
        try:
            await connection.execute(queries()["lock_migrations"], _LOCK)
            missing = await pending(connection)
            for name in missing:
                await _apply(connection, name)
            return missing
        finally:
            await connection.close()


async def pending(connection: Any) -> list[str]:
    """Names of the migrations that this database lacks, in order."""
    if not await connection.fetchval(queries()["has_migrations"]):
        return list(migrations())
    applied = {row["name"] for row in await connection.fetch(queries()["applied_migrations"])}
    return [name for name in migrations() if name not in applied]


async def _apply(connection: Any, name: str) -> None:
    async with connection.transaction():
        await connection.execute(migrations()[name])
        await connection.execute(queries()["note_migration"], name)
