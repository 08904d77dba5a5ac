"""Messages out, acknowledged by all in-sync replicas before anything is committed."""

import asyncio
import logging
from collections.abc import Sequence

from aiokafka import AIOKafkaProducer
from aiokafka.errors import ProducerClosed

from schemas import DeadLetter, Limits, Pair, encode
from worker.errors import MessageTooLarge
from worker.kafka import Message, broker_errors, stream_producer
from worker.segments import segment_key
from worker.settings import Kafka, Topics

log = logging.getLogger("groundwatch")


class Publisher:
    """An idempotent producer that is made anew after a failure, since a failed one may have lost its sequence."""

    def __init__(self, settings: Kafka, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._producer: AIOKafkaProducer | None = None
        self._starting = asyncio.Lock()

    async def publish(self, messages: Sequence[Message]) -> None:
        """Send `messages` in order and wait for every acknowledgement. Raises BrokerUnavailable; some may have gone out then."""
        if not messages:
            return
        try:
            with broker_errors(self._settings):
                client = await self._started()
                sent = [await client.send(m.topic, value=m.value, key=m.key, headers=list(m.headers)) for m in messages]
                await asyncio.gather(*sent)
        except MessageTooLarge:
            raise
        except BaseException:
            await self._drop()
            raise

    async def publish_dead_letters(self, topic: str, letters: Sequence[DeadLetter]) -> None:
        """Send dead letters; one that is too large for the topic goes without its original, which the store keeps."""
        for letter in letters:
            try:
                await self.publish([dead_letter_message(topic, letter)])
            except MessageTooLarge:
                log.warning("dead letter without its original", extra={"action": "dead_letter_shortened", "offset": letter.offset})
                await self.publish([dead_letter_message(topic, letter.model_copy(update={"original_base64": None, "shortened": True}))])

    async def close(self) -> None:
        """Flush and stop."""
        if self._producer is not None:
            with broker_errors(self._settings):
                await self._producer.stop()

    async def _started(self) -> AIOKafkaProducer:
        async with self._starting:
            if self._producer is None:
                fresh = stream_producer(self._settings, self._limits)
                try:
                    await fresh.start()
                except BaseException:
                    await fresh.stop()
                    raise
                self._producer = fresh
            return self._producer

    async def _drop(self) -> None:
        failed, self._producer = self._producer, None
        if failed is not None:
            # A producer that is asked to stop flushes first, for as long as the broker is away; what it holds is sent again anyway.
            failed._message_accumulator.fail_all(ProducerClosed())
            await failed.stop()


def decision_message(topics: Topics, response_id: str, payload: bytes) -> Message:
    """A decision, keyed by response id: one response's decisions stay in order."""
    return Message(topic=topics.decisions, key=response_id.encode(), value=payload)


def pair_message(topics: Topics, pair: Pair) -> Message:
    """A pair, keyed by segment."""
    return Message(topic=topics.pairs, key=segment_key(pair.dataset, pair.model), value=encode(pair))


def dead_letter_message(topic: str, letter: DeadLetter) -> Message:
    """A dead letter, keyed by where the message stood."""
    return Message(topic=topic, key=f"{letter.topic}/{letter.partition}/{letter.offset}".encode(), value=encode(letter))
