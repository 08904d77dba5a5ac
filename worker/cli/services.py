"""The services that commands use, opened from the settings and closed again."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from worker.cli.options import WrongUse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from worker.settings import Settings
    from worker.settings import Store as StoreSettings
    from worker.store import Segment, Store


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[Store]:
    """The store, ready for work. Raises StoreUnavailable or SchemaOutdated."""
    from worker.store.postgres import PostgresStore

    store = await PostgresStore.connect(settings.store)
    try:
        await store.check()
        yield store
    finally:
        await store.close()


def chosen(segments: Iterable[Segment], name: str | None, lacking: str) -> list[Segment]:
    """The segment of that name, DATASET/MODEL; all of them for None. Raises WrongUse, saying what the one that was named is `lacking`."""
    found = [one for one in segments if name in {None, one.name}]
    if name is not None and not found:
        raise WrongUse(f"segment {name} has {lacking}")
    return found


def place(store: StoreSettings) -> str:
    """Where the database is, without user and password."""
    try:
        address = urlsplit(store.dsn.get_secret_value())
        return f"{address.hostname or 'localhost'}:{address.port or 5432}{address.path}"
    except ValueError:
        return "the address in store.dsn"
