"""A broker of either kind for the real command."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.real_kafka import fresh_names
from worker.embedded.broker import EmbeddedBroker
from worker.settings import Kafka


@dataclass(frozen=True)
class Broker:
    """Where a broker is, and under which names it is used."""

    kafka: Kafka

    @property
    def environment(self) -> dict[str, str]:
        """Settings of the command, as variables."""
        plain = self.kafka.model_dump(include={"bootstrap_servers", "group", "manage_topics"})
        named = {f"TOPICS__{field}": name for field, name in self.kafka.topics}
        return {f"GROUNDWATCH_KAFKA__{field.upper()}": str(value) for field, value in (plain | named).items()}


@pytest.fixture(params=["embedded", pytest.param("real", marks=pytest.mark.kafka)])
def any_broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """The embedded broker, then a real Kafka where one is at hand."""
    if request.param == "real":
        yield Broker(Kafka(bootstrap_servers=request.getfixturevalue("real_kafka").bootstrap_servers, **fresh_names()))
        return
    with EmbeddedBroker() as embedded:
        yield Broker(Kafka(bootstrap_servers=embedded.bootstrap_servers, manage_topics=False))
