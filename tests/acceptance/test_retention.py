"""A worker deletes what is old beside its work."""

from pathlib import Path

import asyncpg
import pytest

from tests.acceptance.worker_process import WorkerProcess
from tests.integration.worker.store.conftest import connected, stored_texts
from tests.integration.worker.store.factories import decision_id, scored
from tests.waiting import until
from worker.embedded.broker import EmbeddedBroker

pytestmark = [pytest.mark.services, pytest.mark.timeout(120)]


async def test_what_is_old_goes_while_the_worker_runs(tmp_path: Path, broker: EmbeddedBroker, database: str) -> None:
    store = await connected(database)
    await store.record([scored(n, f"r-{n}") for n in range(3)])
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE groundwatch.response_texts SET stored_at = now() - interval '31 days' WHERE response_id <> 'r-2'")
    await connection.close()

    worker = WorkerProcess(
        tmp_path,
        kafka=broker.bootstrap_servers,
        database=database,
        GROUNDWATCH_KAFKA__MANAGE_TOPICS="false",
        arguments=("--role", "monitor"),
    )
    worker.start()
    try:
        (told,) = await until(lambda: [line for line in worker.actions() if line["action"] == "rows_expired"], timeout=60)
        assert b'groundwatch_expired_rows_total{kind="texts"} 2.0' in worker.health("/metrics")[1]
        assert told["rows"] == {"texts": 2}
        assert await stored_texts(store) == ["r-2"]
        assert len(await store.known([decision_id(f"r-{n}") for n in range(3)])) == 3
        assert worker.stop() == 0
    finally:
        worker.kill()
        await store.close()
