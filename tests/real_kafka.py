"""A real Kafka of its own for a test, where one is at hand."""

from pathlib import Path

import pytest

from benchmarks import real_kafka
from benchmarks.real_kafka import RealKafka, fresh_names
from worker.errors import ConfigurationError

__all__ = ["RealKafka", "find_script", "fresh_names"]


def find_script() -> Path:
    """The `kafka` script; skips the test with the reason where it or Java is missing."""
    try:
        return real_kafka.find_script()
    except ConfigurationError as missing:
        pytest.skip(str(missing))
