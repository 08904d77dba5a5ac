"""A message as it was read: an event, or the dead letter that says why it is none."""

import base64
import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, Protocol, TypeVar
from uuid import UUID, uuid5

from schemas import DeadLetter, InvalidEvent, LabelEvent, Limits
from schemas.base import Versioned
from schemas.cloudevents import Headers
from worker.settings import Sampling
from worker.store import Position

E = TypeVar("E", bound=Versioned)

log = logging.getLogger("groundwatch")

_LATEST_MS: Final = 221_845_392_000_000
"""The year 9000, the last that an event may name."""

_LABELS = UUID("0f9dd4a5-4a53-5d0b-9d0f-7f6f1f7a5a11")


class Record(Protocol):
    """A consumed message, as Kafka clients give it."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]
    timestamp: int
    """Milliseconds since 1970."""


@dataclass
class Unparsed:
    """A record that the Kafka client cannot parse; only its position is known."""

    topic: str
    partition: int
    offset: int
    key: bytes | None = None
    value: bytes | None = None
    headers: Sequence[tuple[str, bytes]] = ()
    timestamp: int = 0


Decode = Callable[[bytes | None, Headers, Limits], E]


def read(record: Record, decode: Decode[E], limits: Limits, now: datetime) -> E | DeadLetter:
    """The event in `record`, or a dead letter that names the field and the reason. Never raises."""
    if isinstance(record, Unparsed):
        return dead_letter(record, "unreadable", "", "a header's name is not UTF-8; only the topic holds the message", now)
    try:
        return decode(record.value, record.headers, limits)
    except InvalidEvent as invalid:
        kind: Literal["invalid", "unreadable"] = "invalid" if invalid.field else "unreadable"
        return dead_letter(record, kind, invalid.field, invalid.reason, now)
    except Exception as defect:  # ours, but a message that meets it must not stop the stream
        said = {"action": "decoding_failed", **position(record)._asdict()}
        log.error("a message could not be decoded: %s", type(defect).__name__, extra=said)
        return dead_letter(record, "unreadable", "", f"could not be decoded ({type(defect).__name__})", now)


def dead_letter(record: Record, kind: Literal["unreadable", "invalid", "poison"], field: str, reason: str, now: datetime) -> DeadLetter:
    """`record`, kept whole, with what was wrong with it."""
    return DeadLetter(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        kind=kind,
        field=field,
        reason=reason,
        key_base64=_base64(record.key),
        original_base64=_base64(record.value),
        headers=tuple((name, _base64(value) or "") for name, value in record.headers),
        failed_at=now,
    )


def position(record: Record) -> Position:
    """Where `record` stands."""
    return Position(record.topic, record.partition, record.offset)


def sampled(dataset: str, response_id: str, sampling: Sampling) -> bool:
    """Whether a response belongs to its dataset's judged share; the same id always gives the same answer."""
    return drawn(response_id, sampling.datasets.get(dataset, sampling.default))


def audited(response_id: str, sampling: Sampling) -> bool:
    """Whether a judged response belongs to the audit slice; independent of `sampled`."""
    return drawn(response_id, sampling.audit, b"audit")


def drawn(name: str, share: float, purpose: bytes = b"") -> bool:
    """Whether `name` is in a share that its hash chooses, another one for each purpose."""
    place = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8, person=purpose).digest())
    return place < share * 2**64


def label_moment(label: LabelEvent, record: Record) -> datetime:
    """When the label was given; the message's own time where the label does not say. Raises InvalidEvent when that is no time."""
    if label.labelled_at is not None:
        return label.labelled_at
    if record.timestamp > _LATEST_MS:
        raise InvalidEvent("labelled_at", "is missing, and the message's own time is not in milliseconds since 1970")
    return datetime.fromtimestamp(max(record.timestamp, 0) / 1000, UTC)


def label_id(label: LabelEvent, moment: datetime) -> UUID:
    """UUIDv5 of what the label says, so that a redelivered label is the same label."""
    return uuid5(_LABELS, "\x1f".join((label.response_id, str(label.label), label.source, label.annotator or "", moment.isoformat())))


def _base64(raw: bytes | None) -> str | None:
    return None if raw is None else base64.b64encode(raw).decode()
