"""Faults are tried one after the other on one deployment, since starting one takes longer than most faults last.

`make faults` tries every fault in full, `make faults-short` the short ones, shorter.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.stand import Stand, services
from tests.postgres_server import PostgresServer
from tests.real_kafka import RealKafka

FULL = os.environ.get("FAULTS") == "full"
LONG = pytest.mark.skipif(not FULL, reason="takes minutes; `make faults` runs it")


class Stands:
    """The deployment that stands; a new one after a test that failed."""

    def __init__(self, kafka: RealKafka, postgres: PostgresServer) -> None:
        self._services = kafka, postgres
        self._current: Stand | None = None

    def sound(self, directory: Path) -> Stand:
        if self._current is not None and not self._current.sound:
            self.stop()
        if self._current is None:
            self._current = Stand(directory, *self._services, workers=2)
            asyncio.run(self._current.start())
        self._current.sound = False
        return self._current

    def stop(self) -> None:
        current, self._current = self._current, None
        if current is not None:
            current.stop()


@pytest.fixture(scope="session")
def stands() -> Iterator[Stands]:
    """A Kafka and a Postgres that the tests may break and mend."""
    with services() as (kafka, postgres):
        made = Stands(kafka, postgres)
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture
def stand(stands: Stands, tmp_path: Path) -> Stand:
    """Two workers at work."""
    return stands.sound(tmp_path)
