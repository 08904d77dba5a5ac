"""Services that tests start for themselves."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres_server import PostgresServer
from tests.real_kafka import RealKafka, find_script
from tests.secure_kafka import SecureKafka
from tests.secure_postgres import SecurePostgres
from worker.embedded.broker import EmbeddedBroker

os.environ.setdefault("OMP_NUM_THREADS", "1")  # test processes side by side share the cores, and the product's processes inherit it


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    """An empty embedded broker (topics appear as they are used)."""
    with EmbeddedBroker() as running:
        yield running


@pytest.fixture(scope="session")
def kafka_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealKafka]:
    """This process's Kafka; skips where none is at hand."""
    kafka = RealKafka(find_script(), tmp_path_factory.mktemp("kafka"))
    try:
        yield kafka
    finally:
        kafka.stop()


@pytest.fixture
def real_kafka(kafka_server: RealKafka) -> RealKafka:
    """That Kafka, running, whatever the test before did to it. Its topics outlive a test: see `fresh_names`."""
    kafka_server.ensure_started()
    return kafka_server


@pytest.fixture(scope="session")
def secure_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureKafka]:
    """This process's Kafka with TLS and SASL; skips where none is at hand."""
    kafka = SecureKafka(find_script(), tmp_path_factory.mktemp("secure-kafka"))
    kafka.start()
    try:
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


@pytest.fixture(scope="session")
def secure_postgres() -> Iterator[SecurePostgres]:
    """This process's Postgres with TLS; skips where none is installed."""
    with tempfile.TemporaryDirectory(prefix="groundwatch-", ignore_cleanup_errors=True) as directory:
        Path(directory).chmod(0o755)
        server = SecurePostgres(Path(directory) / "postgres")
        try:
            server.prepare(Path(directory) / "lock")
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
