"""Opening connections to Postgres."""

from typing import Any, Final

import asyncpg

from worker.errors import ConfigurationError

SESSION: Final = {"search_path": "groundwatch", "application_name": "groundwatch"}
"""Server settings of every connection: all objects live in a schema of their own."""


async def open_connection(dsn: str, **options: Any) -> Any:
    """A connection, with the driver's options. Raises ConfigurationError for an address that is none; it may hold a password."""
    try:
        return await asyncpg.connect(dsn, **options)
    except ValueError:
        raise ConfigurationError("setting store.dsn: expected is an address such as postgresql://user:password@host:5432/name") from None
