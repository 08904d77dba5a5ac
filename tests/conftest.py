"""Services that tests start for themselves."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres_server import PostgresServer
from tests.real_kafka import RealKafka, find_script
from worker.embedded.broker import EmbeddedBroker


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    """An empty embedded broker (topics appear as they are used)."""
    with EmbeddedBroker() as running:
        yield running


@pytest.fixture
def real_kafka(tmp_path: Path) -> Iterator[RealKafka]:
    """A started, empty Kafka; skips where none is at hand."""
    kafka = RealKafka(find_script(), tmp_path / "kafka")
    try:
        kafka.start()
        yield kafka
    finally:
        kafka.stop()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """This process's Postgres. A test that stops it starts it again."""
    with tempfile.TemporaryDirectory(prefix="groundwatch-", ignore_cleanup_errors=True) as directory:
        server = PostgresServer(Path(directory) / "postgres")
        try:
            server.prepare(lock=tmp_path_factory.getbasetemp().parent / "postgres.lock")
            yield server
        finally:
            server.stop()


@pytest.fixture
def database(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a fresh, migrated database."""
    name = postgres_server.create_database()
    try:
        yield postgres_server.address(name)
    finally:
        postgres_server.drop_database(name)
