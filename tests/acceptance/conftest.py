"""A broker of either kind for the real command."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from worker.embedded.broker import EmbeddedBroker


@dataclass(frozen=True)
class Broker:
    """Where a broker is and how the worker must treat it."""

    bootstrap_servers: str
    manage_topics: bool


@pytest.fixture(params=["embedded", pytest.param("real", marks=pytest.mark.kafka)])
def any_broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """The embedded broker, then a real Kafka where one is at hand."""
    if request.param == "real":
        yield Broker(request.getfixturevalue("real_kafka").bootstrap_servers, manage_topics=True)
        return
    with EmbeddedBroker() as embedded:
        yield Broker(embedded.bootstrap_servers, manage_topics=False)
