"""Real Kafka and Postgres for a benchmark, empty and gone with it."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.real_kafka import RealKafka, find_script, fresh_names
from worker.embedded.postgres import EmbeddedPostgres
from worker.settings import Settings
from worker.store.migration import upgrade


@dataclass(frozen=True, kw_only=True)
class Services:
    """Where they are."""

    bootstrap_servers: str
    dsn: str
    """The address of a migrated database, as superuser."""
    kafka_pid: int
    postgres_pid: int
    """The server's first process; each connection has a child of it."""

    def settings(self, **sections: Mapping[str, Any]) -> Settings:
        """Settings for a worker here, with `sections` on top, in a consumer group and topics that no other call has named."""
        kafka = {**fresh_names(), "bootstrap_servers": self.bootstrap_servers, **sections.get("kafka", {})}
        store = {"dsn": self.dsn, **sections.get("store", {})}
        return Settings.model_validate({**sections, "kafka": kafka, "store": store})


@contextmanager
def running_services() -> Iterator[Services]:
    """Both, as they come out of the box (durable writes), on free ports in a temporary directory. Enter it outside an event loop.

    Raises ConfigurationError where there is no Kafka to start, BrokerUnavailable or StoreUnavailable where one does not start.
    """
    logging.getLogger("aiokafka").setLevel(logging.ERROR)  # topics that were just made have no leader yet
    script = find_script()
    with TemporaryDirectory(prefix="groundwatch-", ignore_cleanup_errors=True) as directory:
        kafka = RealKafka(script, Path(directory) / "kafka")
        with EmbeddedPostgres(Path(directory) / "postgres") as postgres:
            try:
                kafka.start()
                asyncio.run(upgrade(postgres.dsn))
                yield Services(bootstrap_servers=kafka.bootstrap_servers, dsn=postgres.dsn, kafka_pid=kafka.pid, postgres_pid=postgres.pid)
            finally:
                kafka.stop()
