"""The dashboard's queries, sent as Grafana sends them to a real Postgres by a role that may only read."""

from typing import Any

import asyncpg
import pytest

from schemas import Meta, Verdict
from tests.integration.worker.store.conftest import connected
from tests.integration.worker.store.factories import labelled, scored, snapshot
from tests.unit.deploy.dashboard import POSTGRES, TARGETS, as_sent

pytestmark = pytest.mark.services


@pytest.fixture
async def stored(database: str) -> None:
    """A decision that waits for a label, and one that has it."""
    store = await connected(database)
    meta = Meta(passed=False, latency_ms=40, llm_latency_ms=100, profile="default", rule="r", encoder="e")
    await store.record([scored(0, "r-1", meta=meta), scored(1, "r-2", decision=Verdict.REVIEW), labelled(0, "r-1")])
    await store.save_snapshots([snapshot()])
    await store.close()


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("target", TARGETS[POSTGRES])
async def test_a_query_shows_what_is_stored(reader: str, target: dict[str, Any]) -> None:
    query = as_sent(target["rawSql"], "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z", dataset="travel", model="m-1")
    connection = await asyncpg.connect(reader)
    rows = await connection.fetch(query)
    await connection.close()
    assert rows
    assert target["format"] == "table" or isinstance(rows[0]["metric"], str)
    assert target["format"] == "table" or rows[0]["time"].tzinfo is not None
