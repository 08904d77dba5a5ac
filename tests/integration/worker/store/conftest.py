"""The store under test."""

from collections.abc import AsyncIterator

import pytest

from worker import settings
from worker.store import Store
from worker.store.memory import MemoryStore
from worker.store.postgres import PostgresStore


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.services)])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """Each implementation in turn."""
    store: Store = MemoryStore() if request.param == "memory" else await connected(request.getfixturevalue("database"))
    yield store
    await store.close()


@pytest.fixture
async def postgres(database: str) -> AsyncIterator[PostgresStore]:
    """The store in Postgres."""
    store = await connected(database)
    yield store
    await store.close()


async def connected(dsn: str, **overrides: float) -> PostgresStore:
    """A store in Postgres, with store settings."""
    return await PostgresStore.connect(settings.Store.model_validate({"dsn": dsn, **overrides}))


async def stored_texts(store: Store) -> list[str]:
    """The responses whose texts are there."""
    if isinstance(store, MemoryStore):
        return sorted(store.texts)
    assert isinstance(store, PostgresStore)
    return sorted(row["response_id"] for row in await store._pool.fetch("SELECT response_id FROM response_texts"))
