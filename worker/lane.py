"""One topic's way through triage: take a batch, have it handled, commit. The only place that commits offsets."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Protocol, TypeVar, cast

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.abc import ConsumerRebalanceListener
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from schemas import Limits
from worker.access import reach, refusal, unanswered
from worker.health import Condition
from worker.intake import Record, Unparsed
from worker.kafka import broker_errors, consumer_lag, stream_consumer
from worker.load import IN_HAND, Load
from worker.patience import Patience, Stopping
from worker.settings import Kafka
from worker.telemetry import Telemetry

log = logging.getLogger("groundwatch.lane")

J = TypeVar("J")


class Handle(Protocol[J]):
    """What is done with a topic's messages."""

    async def judge(self, records: Sequence[Record]) -> J:
        """What is to become of them; several batches may be judged at once."""

    async def settle(self, batch: J) -> None:
        """Have it written and acknowledged; batches come in their order, one after the other."""


Batch = dict[TopicPartition, list[Record]]

ANSWER_SECONDS: Final = 15
"""Longest wait for one answer of the broker."""

DRAIN_SECONDS = 20
"""How long a rebalance waits for the batches in hand."""


class Lane(ConsumerRebalanceListener):  # type: ignore[misc]
    """Consumes one topic. A batch's offsets are committed after `handle` has settled it, never before, and batches in their order."""

    def __init__(
        self, kafka: Kafka, limits: Limits, *, topic: str, handle: Handle[Any], load: Load, patience: Patience, telemetry: Telemetry
    ) -> None:
        self._kafka = kafka
        self._limits = limits
        self._topic = topic
        self._group = kafka.group_of(topic)
        self._handle = handle
        self._patience = patience
        self._telemetry = telemetry
        self._load = load
        self._in_hand: deque[asyncio.Task[None]] = deque()
        self._consumer: AIOKafkaConsumer | None = None
        self.last_commit = time.monotonic()
        self._unreachable: str | None = None
        self._singly = False

    @property
    def lag(self) -> int:
        """Messages on the broker that are not committed yet, as last measured."""
        return self._load.waiting

    async def run(self, stop: asyncio.Event) -> None:
        """Consume until `stop`; then finish the batches in hand and leave the group."""
        try:
            self._consumer = await self._patience(f"joining {self._group}", self._start)
            await self._consume(self._consumer, stop)
        except Stopping:
            log.info("stopped while waiting", extra={"action": "batch_abandoned", "topic": self._topic})

    async def _consume(self, consumer: AIOKafkaConsumer, stop: asyncio.Event) -> None:
        measuring = asyncio.create_task(self._measure(consumer))
        try:
            while not stop.is_set():
                await self._turn(consumer)
                await self._drain(IN_HAND - 1)
            await self._drain()
        finally:
            await _cancel(measuring, *self._in_hand)
            await self._leave(consumer)

    def condition(self) -> Condition:
        """Ready while it consumes and everything it needs answers."""
        if self._consumer is None:
            return Condition.not_ready(self._patience.waiting_for or f"has not joined group {self._group} yet")
        if reason := self._patience.waiting_for or self._unreachable:
            return Condition.not_ready(reason)
        return Condition.ok()

    def stalled_seconds(self) -> float:
        """How long there has been lag without back-pressure and without a commit; 0 while all is well."""
        if self.lag == 0 or self._patience.waiting_for or self._unreachable or self._consumer is None:
            return 0.0
        return time.monotonic() - max(self.last_commit, self._patience.last_progress)

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Log what is ours now."""
        log.info("assigned", extra={"action": "partitions_assigned", "topic": self._topic, "partitions": _numbers(assigned)})

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Let the batches in hand finish, for a while, so that their offsets are committed before another worker takes over."""
        log.info("revoked", extra={"action": "partitions_revoked", "topic": self._topic, "partitions": _numbers(revoked)})
        if self._in_hand and (await asyncio.wait(self._in_hand, timeout=DRAIN_SECONDS))[1]:
            log.warning("revoked with a batch in hand", extra={"action": "drain_timeout", "topic": self._topic})

    async def _start(self) -> AIOKafkaConsumer:
        with broker_errors(self._kafka):
            fresh = stream_consumer(
                self._kafka, self._topic, group=self._group, limits=self._limits, listener=self, drain_seconds=DRAIN_SECONDS
            )
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await reach(self._kafka, fresh.start)
            except BaseException:
                await fresh.stop()
                raise
        return fresh

    async def _turn(self, consumer: AIOKafkaConsumer) -> None:
        batch = await self._fetch(consumer)
        if batch:
            before = self._in_hand[-1] if self._in_hand else None
            self._in_hand.append(asyncio.create_task(self._take(consumer, batch, before)))

    async def _take(self, consumer: AIOKafkaConsumer, batch: Batch, before: asyncio.Task[None] | None) -> None:
        """The batch to its commit, which `before` makes its own commit first."""
        for portion in portions(chain.from_iterable(batch.values()), 2 * self._limits.message_bytes):
            judged = await self._handle.judge(portion)
            if before:
                await asyncio.wait({before})
                before.result()
            await self._handle.settle(judged)
        await self._commit(consumer, {at: records[-1].offset + 1 for at, records in batch.items()})

    async def _drain(self, left: int = 0) -> None:
        """Return when at most `left` batches are in hand. Raises what a batch raised."""
        while self._in_hand and (len(self._in_hand) > left or self._in_hand[0].done()):
            await asyncio.wait({self._in_hand[0]})
            self._in_hand.popleft().result()

    async def _fetch(self, consumer: AIOKafkaConsumer) -> Batch:
        """The next messages; none after a failure, which may have dropped what was taken already: they are read again."""
        fetch = self._fetch_singly if self._singly else self._fetch_many
        self._singly = False
        try:
            async with asyncio.timeout(ANSWER_SECONDS):  # a rebalance may take long, and a stop must not wait for it
                return await fetch(consumer)
        except UnicodeDecodeError:
            self._singly = True
        except (KafkaError, TimeoutError) as error:
            log.warning("fetch failed: %s", type(error).__name__, extra={"action": "fetch_failed", "topic": self._topic})
            await self._patience.pause()
        await self._rewind(consumer)
        return {}

    async def _fetch_many(self, consumer: AIOKafkaConsumer) -> Batch:
        return await self._getmany(consumer, max_records=self._load.batch(self._kafka.batch_events))

    async def _fetch_singly(self, consumer: AIOKafkaConsumer) -> Batch:
        """One message of each partition. One with a header's name that is not UTF-8, at which the client stops, is passed over."""
        batch: Batch = {}
        for at in consumer.assignment():
            try:
                batch |= await self._getmany(consumer, at, max_records=1)
            except UnicodeDecodeError:
                offset = await consumer.position(at)
                consumer.seek(at, offset + 1)
                batch[at] = [Unparsed(at.topic, at.partition, offset)]
        return batch

    async def _getmany(self, consumer: AIOKafkaConsumer, *partitions: TopicPartition, max_records: int) -> Batch:
        wait = int(self._kafka.batch_wait_seconds * 1000)
        return cast(Batch, await consumer.getmany(*partitions, timeout_ms=wait, max_records=max_records))

    async def _rewind(self, consumer: AIOKafkaConsumer) -> None:
        await self._drain()  # what is in hand is committed then, and not taken again

        async def rewind() -> None:
            with broker_errors(self._kafka):
                async with asyncio.timeout(ANSWER_SECONDS):
                    for at in consumer.assignment():
                        committed = await consumer.committed(at)
                        await consumer.seek_to_beginning(at) if committed is None else consumer.seek(at, committed)

        await self._patience("going back to the last commit", rewind)

    async def _commit(self, consumer: AIOKafkaConsumer, offsets: dict[TopicPartition, int]) -> None:
        """A commit that comes too late for its generation is no loss: the batch is written, and its redelivery changes nothing."""

        async def commit() -> None:
            with broker_errors(self._kafka):
                try:
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await consumer.commit(offsets)
                except (CommitFailedError, IllegalStateError):
                    log.warning("another worker owns these partitions now", extra={"action": "commit_superseded", "topic": self._topic})

        await self._patience("committing", commit)
        self.last_commit = time.monotonic()

    async def _measure(self, consumer: AIOKafkaConsumer) -> None:
        """Lag by the broker's own end offsets: a consumer that has silently stopped fetching would not see them grow."""
        while True:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    self._load.waiting = await _lag(consumer)
                self._telemetry.lag.labels(self._topic).set(self.lag)
                self._unreachable = self._missing(consumer)
            except Exception as silent:  # whatever it is, no figure is known and the watchdog must not act on an old one
                self._unreachable = await refusal(self._kafka) or unanswered(self._kafka, silent)
                self.last_commit = time.monotonic()
                log.info("lag unknown: %s", type(silent).__name__, extra={"action": "lag_unknown", "topic": self._topic})
            self._telemetry.waiting.labels(self._topic).set(bool(self._patience.waiting_for or self._unreachable))
            await asyncio.sleep(self._kafka.lag_seconds)

    def _missing(self, consumer: AIOKafkaConsumer) -> str | None:
        """What to do when the topic is gone; a consumer without partitions may as well be one too many."""
        if consumer.partitions_for_topic(self._topic):
            return None
        return f"the topic {self._topic} does not exist; make it with `groundwatch topics create`"

    async def _leave(self, consumer: AIOKafkaConsumer) -> None:
        # In a task of its own: without a broker the client cancels its fetches and lets the cancellation out as if it were ours.
        leaving = asyncio.create_task(consumer.stop())
        await asyncio.wait({leaving}, timeout=self._kafka.session_timeout_seconds)
        if not leaving.done():
            leaving.cancel()
        for failure in filter(None, await asyncio.gather(leaving, return_exceptions=True)):
            log.warning("left without goodbye: %s", type(failure).__name__, extra={"action": "leave_failed", "topic": self._topic})


def portions(records: Iterable[Record], most_bytes: int) -> Iterator[list[Record]]:
    """`records` in order, in lists whose values have at most `most_bytes` together; a larger one stands alone."""
    portion: list[Record] = []
    size = 0
    for record in records:
        size += len(record.value or b"")
        if portion and size > most_bytes:
            yield portion
            portion, size = [], len(record.value or b"")
        portion.append(record)
    if portion:
        yield portion


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _lag(consumer: AIOKafkaConsumer) -> int:
    assigned = consumer.assignment()
    if not assigned:
        return 0
    begins, ends = await consumer.beginning_offsets(list(assigned)), await consumer.end_offsets(list(assigned))
    return consumer_lag(begins, ends, {at: await consumer.committed(at) for at in assigned})


def _numbers(partitions: set[TopicPartition]) -> list[int]:
    return sorted(at.partition for at in partitions)
