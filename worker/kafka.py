"""The stream clients made from the settings, and aiokafka's errors in our terms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.abc import ConsumerRebalanceListener
from aiokafka.errors import (
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    KafkaError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
)

from schemas import Limits
from worker.access import client_arguments
from worker.errors import BrokerUnavailable, MessageTooLarge
from worker.settings import Kafka

Offsets = Mapping[TopicPartition, int]

# A batch that waits for Postgres must not cost the membership: the stall watchdog, not the poll interval, judges liveness.
_NEVER_MS = 24 * 3600 * 1000


# A partition takes one request at a time, and a segment has one partition: the default of 16 KB would send 500 pairs in 28 requests.
_BATCH_BYTES: Final = 1 << 18


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message to publish."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]] = ()
    shorter: Callable[[], bytes] | None = None
    """Makes the value to send when the topic takes no message of this size."""


@contextmanager
def broker_errors(kafka: Kafka) -> Iterator[None]:
    """Turn the client's errors into BrokerUnavailable, which names the servers; a message over the size limit into MessageTooLarge."""
    try:
        yield
    except (MessageSizeTooLargeError, RecordListTooLargeError) as too_large:
        raise MessageTooLarge from too_large
    except (TopicAuthorizationFailedError, GroupAuthorizationFailedError, ClusterAuthorizationFailedError) as forbidden:
        who = f"user {kafka.user}" if kafka.user else "groundwatch"
        raise BrokerUnavailable(
            f"the broker does not let {who} do this ({_said(forbidden)}); add the ACLs that SECURITY.md lists"
        ) from forbidden
    except (KafkaError, OSError, TimeoutError) as unavailable:
        where, said = kafka.bootstrap_servers, _said(unavailable)
        raise BrokerUnavailable(
            f"the broker at {where} does not answer ({said}); check kafka.bootstrap_servers and that the broker runs"
        ) from unavailable


def _said(error: BaseException) -> str:
    """In one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__


def stream_consumer(
    kafka: Kafka, topic: str, *, group: str, limits: Limits, listener: ConsumerRebalanceListener, drain_seconds: float
) -> AIOKafkaConsumer:
    """An unstarted consumer that never commits by itself and starts a new group at the beginning.

    At a rebalance the group waits `drain_seconds` and a session for a member to finish its batch.
    """
    made = AIOKafkaConsumer(
        **client_arguments(kafka),
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_poll_interval_ms=_NEVER_MS,
        rebalance_timeout_ms=int((drain_seconds + kafka.session_timeout_seconds) * 1000),
        session_timeout_ms=int(kafka.session_timeout_seconds * 1000),
        heartbeat_interval_ms=int(kafka.session_timeout_seconds * 1000 / 5),
        max_partition_fetch_bytes=max(1 << 20, limits.message_bytes),
        metadata_max_age_ms=10_000,
    )
    made.subscribe([topic], listener=listener)
    return made


def consumer_lag(begins: Offsets, ends: Offsets, committed: Mapping[TopicPartition, int | None]) -> int:
    """Messages that the topic holds (from `begins` up to `ends`) and the group has not committed."""
    return sum(max(0, end - max(begins[at], committed[at] or 0)) for at, end in ends.items())


def largest_message(limits: Limits) -> int:
    """Bytes of the largest message that is sent: a dead letter carries its original as base64."""
    return max(1 << 20, 2 * limits.message_bytes)


def stream_producer(kafka: Kafka, limits: Limits) -> AIOKafkaProducer:
    """An unstarted idempotent producer that waits for all in-sync replicas."""
    return AIOKafkaProducer(
        **client_arguments(kafka),
        acks="all",
        enable_idempotence=True,
        linger_ms=5,
        max_batch_size=_BATCH_BYTES,
        max_request_size=largest_message(limits),
        metadata_max_age_ms=10_000,
    )
