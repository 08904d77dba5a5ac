"""The embedded broker takes and gives messages, and ends with whoever started it."""

import asyncio
import subprocess
import sys

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from tests.processes import is_alive
from worker.embedded.broker import EmbeddedBroker
from worker.errors import ConfigurationError

ORPHANING_PARENT = """
import os
from worker.embedded.broker import EmbeddedBroker
broker = EmbeddedBroker().__enter__()
os._exit(9)
"""


async def send(bootstrap_servers: str, value: bytes) -> None:
    async with AIOKafkaProducer(bootstrap_servers=bootstrap_servers, acks="all", enable_idempotence=True) as producer:
        await producer.send_and_wait("topic", value)


async def receive(bootstrap_servers: str, count: int) -> list[bytes]:
    consumer = AIOKafkaConsumer("topic", bootstrap_servers=bootstrap_servers, group_id="group", auto_offset_reset="earliest")
    async with consumer, asyncio.timeout(30):
        return [(await consumer.getone()).value for _ in range(count)]


@pytest.mark.services
async def test_what_is_sent_is_received(broker: EmbeddedBroker) -> None:
    await send(broker.bootstrap_servers, b"one")

    assert await receive(broker.bootstrap_servers, 1) == [b"one"]


@pytest.mark.services
def test_it_ends_with_its_block() -> None:
    with EmbeddedBroker() as broker:
        assert is_alive(broker.pid)

    assert not is_alive(broker.pid)


@pytest.mark.services
def test_it_does_not_outlive_a_parent_that_dies() -> None:
    # The broker inherits stderr, so that this returns only when both have ended.
    parent = subprocess.run([sys.executable, "-c", ORPHANING_PARENT], capture_output=True, text=True, timeout=30, check=False)

    assert parent.returncode == 9


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(ConfigurationError, match=r"pip install 'groundwatch\[demo\]'"):
        EmbeddedBroker().__enter__()
