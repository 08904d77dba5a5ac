"""A message that its topic refuses, or a broker that is gone, costs no more than it must."""

import asyncio
import base64
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from aiokafka import AIOKafkaConsumer

from schemas import DeadLetter, Limits
from tests.real_kafka import RealKafka, fresh_names
from worker import publishing
from worker.errors import BrokerUnavailable
from worker.kafka import Message
from worker.ledger import Partition
from worker.publishing import Publisher, decision_message
from worker.settings import Kafka
from worker.topics import create_topics, offset_bounds

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

TOO_LARGE = 1_500_000
"""Bytes; the topics of this test take a million."""


@pytest.fixture
async def kafka(real_kafka: RealKafka) -> Kafka:
    kafka = Kafka(bootstrap_servers=real_kafka.bootstrap_servers, partitions=1, **fresh_names())
    await create_topics(kafka, Limits(message_bytes=100_000))
    return kafka


@pytest.fixture
async def publisher(kafka: Kafka) -> AsyncIterator[Publisher]:
    publisher = Publisher(kafka, Limits())
    yield publisher
    await publisher.close()


async def received(kafka: Kafka, topic: str) -> list[Any]:
    (_, end) = (await offset_bounds(kafka, [Partition(topic, 0)]))[Partition(topic, 0)]
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=kafka.bootstrap_servers, auto_offset_reset="earliest")
    async with consumer, asyncio.timeout(30):
        return [orjson.loads((await consumer.getone()).value) for _ in range(end)]


def small(kafka: Kafka, number: int) -> Message:
    return Message(topic=kafka.topics.decisions, key=b"k", value=orjson.dumps(number))


def letter(offset: int, size: int = 10, headers: tuple[tuple[str, str], ...] = ()) -> DeadLetter:
    return DeadLetter(
        topic="t",
        partition=0,
        offset=offset,
        kind="invalid",
        field="f",
        reason="r",
        key_base64=None,
        original_base64=base64.b64encode(os.urandom(size)).decode(),
        headers=headers,
        failed_at=datetime.now(UTC),
    )


async def test_a_decision_too_large_for_its_topic_goes_without_its_lists(kafka: Kafka, publisher: Publisher) -> None:
    explanations = {"reason": "because", "low_confidence_sentences": [{"start": n, "end": n + 1} for n in range(60_000)], "spans": []}
    large = orjson.dumps({"response_id": "r", "explanations": explanations})
    await publisher.publish([small(kafka, 1), decision_message(kafka.topics, "r", large), small(kafka, 2)])
    await publisher.publish([small(kafka, 3)])

    everything = await received(kafka, kafka.topics.decisions)
    shortened = {"reason": "because", "low_confidence_sentences": [], "spans": [], "shortened": True}
    assert {"response_id": "r", "explanations": shortened} in everything
    assert [one for one in everything if isinstance(one, int)][-3:] == [1, 2, 3]


async def test_a_message_that_fits_in_no_form_is_left_out(kafka: Kafka, publisher: Publisher) -> None:
    await publisher.publish([small(kafka, 1), Message(topic=kafka.topics.decisions, key=None, value=b"0" * TOO_LARGE), small(kafka, 2)])
    assert {1, 2} == set(await received(kafka, kafka.topics.decisions))


async def test_dead_letters_too_large_for_their_topic_go_without_the_message(kafka: Kafka, publisher: Publisher) -> None:
    letters = [letter(1), letter(2, TOO_LARGE), letter(3), letter(4, headers=(("h", "A" * TOO_LARGE),))]
    await publisher.publish_dead_letters(kafka.topics.dead_letters, letters)

    last = {sent["offset"]: sent["shortened"] for sent in await received(kafka, kafka.topics.dead_letters)}
    assert last == {1: False, 2: True, 3: False, 4: True}


async def test_topics_of_our_own_take_a_dead_letter_of_the_largest_event(real_kafka: RealKafka, publisher: Publisher) -> None:
    kafka = Kafka(bootstrap_servers=real_kafka.bootstrap_servers, partitions=1, **fresh_names())
    await create_topics(kafka, Limits())
    await publisher.publish_dead_letters(kafka.topics.dead_letters, [letter(1, Limits().message_bytes)])
    assert [sent["shortened"] for sent in await received(kafka, kafka.topics.dead_letters)] == [False]


async def test_a_broker_that_goes_away_is_noticed_and_its_return_too(
    real_kafka: RealKafka, kafka: Kafka, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "ANSWER_SECONDS", 3)
    await publisher.publish([small(kafka, 1)])
    real_kafka.kill()
    for _ in range(2):
        with pytest.raises(BrokerUnavailable):
            await publisher.publish([small(kafka, 2)])
    monkeypatch.undo()
    real_kafka.start()
    await publisher.publish([small(kafka, 3)])
