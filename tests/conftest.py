"""Services that tests start for themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
