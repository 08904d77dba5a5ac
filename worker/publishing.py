"""Messages out, acknowledged by all in-sync replicas before anything is committed."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import orjson
from aiokafka import AIOKafkaProducer

from schemas import DeadLetter, Limits, Pair, encode
from worker.access import reach
from worker.errors import MessageTooLarge
from worker.kafka import Message, broker_errors, stream_producer
from worker.segments import segment_key
from worker.settings import Kafka, Topics

log = logging.getLogger("groundwatch")

ANSWER_SECONDS: Final = 30
"""Longest wait for the acknowledgements of one call."""


class Publisher:
    """An idempotent producer that is made anew after a failure, since a failed one may have lost its sequence."""

    def __init__(self, settings: Kafka, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._producer: AIOKafkaProducer | None = None
        self._starting = asyncio.Lock()

    async def publish(self, messages: Sequence[Message]) -> None:
        """Send `messages` in order and wait for every acknowledgement. Raises BrokerUnavailable; some may have gone out then.

        A message that its topic refuses for its size goes out as its shorter form; without one, or when that is refused too, it is
        left out with an error in the log: its content is in the store, and waiting would stop the stream.
        """
        if not messages:
            return
        try:
            await self._send(messages)
        except MessageTooLarge:
            for message in messages:
                await self._send_what_fits(message)

    async def publish_dead_letters(self, topic: str, letters: Sequence[DeadLetter]) -> None:
        """Send dead letters; one that is too large for the topic goes without the message itself, which the store keeps."""
        await self.publish([dead_letter_message(topic, letter) for letter in letters])

    async def close(self) -> None:
        """Flush and stop."""
        if self._producer is not None:
            with broker_errors(self._settings):
                await self._producer.stop()

    async def _send(self, messages: Sequence[Message]) -> None:
        """After any failure the producer is dropped: the batch that failed has used up sequence numbers that the broker now misses."""
        try:
            with broker_errors(self._settings):
                async with asyncio.timeout(ANSWER_SECONDS):  # an idempotent producer itself tries for ever
                    client = await self._started()
                    sent = [await client.send(m.topic, value=m.value, key=m.key, headers=list(m.headers)) for m in messages]
                    await asyncio.gather(*sent)
        except BaseException:
            await self._drop()
            raise

    async def _send_what_fits(self, message: Message) -> None:
        said = {"topic": message.topic, "bytes": len(message.value or b"")}
        try:
            await self._send([message])
        except MessageTooLarge:
            if message.shorter is None:
                log.error("too large for its topic, left out", extra={"action": "message_left_out", **said})
                return
            log.warning("too large for its topic, shortened", extra={"action": "message_shortened", **said})
            await self._send_what_fits(replace(message, value=message.shorter(), shorter=None))

    async def _started(self) -> AIOKafkaProducer:
        async with self._starting:
            if self._producer is None:
                fresh = stream_producer(self._settings, self._limits)
                try:
                    await reach(self._settings, fresh.start)
                except BaseException:
                    await fresh.stop()
                    raise
                self._producer = fresh
            return self._producer

    async def _drop(self) -> None:
        failed, self._producer = self._producer, None
        if failed is not None:
            # A producer that is asked to stop flushes first, for as long as the broker is away; what it holds is sent again anyway.
            failed._closed = True
            await failed._sender.close()
            await failed.client.close()


def decision_message(topics: Topics, response_id: str, payload: bytes) -> Message:
    """A decision, keyed by response id: one response's decisions stay in order."""
    return Message(topic=topics.decisions, key=response_id.encode(), value=payload, shorter=lambda: _without_lists(payload))


def pair_message(topics: Topics, pair: Pair) -> Message:
    """A pair, keyed by segment."""
    return Message(topic=topics.pairs, key=segment_key(pair.dataset, pair.model), value=encode(pair))


def dead_letter_message(topic: str, letter: DeadLetter) -> Message:
    """A dead letter, keyed by where the message stood."""
    bare = {"original_base64": None, "key_base64": None, "headers": (), "shortened": True}
    key = f"{letter.topic}/{letter.partition}/{letter.offset}".encode()
    return Message(topic=topic, key=key, value=encode(letter), shorter=lambda: encode(letter.model_copy(update=bare)))


def _without_lists(decision: bytes) -> bytes:
    """A decision without the lists that grow with the answer."""
    content = orjson.loads(decision)
    content["explanations"] |= {"low_confidence_sentences": [], "spans": [], "shortened": True}
    return orjson.dumps(content)
