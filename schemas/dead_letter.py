"""A message that could not be processed, kept whole."""

import base64
from datetime import datetime
from typing import Literal

from schemas.base import Versioned


class DeadLetter(Versioned):
    """What was wrong with one message, and the message itself (topic `llm.dead-letters`)."""

    topic: str
    partition: int
    offset: int
    """Where the message stood."""
    kind: Literal["unreadable", "invalid", "poison"]
    """unreadable: not a JSON object; invalid: a field is missing, wrong or over a limit; poison: it kills the scorer,
    or Postgres refuses it."""
    field: str
    """The offending field, "" for the message as a whole."""
    reason: str
    key_base64: str | None
    original_base64: str | None
    """The message's bytes; null for a tombstone and where `shortened`."""
    shortened: bool = False
    """True when the topic takes no message of this size: the original, its key and headers stand in the store alone."""
    headers: tuple[tuple[str, str], ...] = ()
    """Its headers, values in base64."""
    failed_at: datetime

    @property
    def original(self) -> bytes | None:
        """The message's value as it was."""
        return None if self.original_base64 is None else base64.b64decode(self.original_base64)

    @property
    def key(self) -> bytes | None:
        """The message's key as it was."""
        return None if self.key_base64 is None else base64.b64decode(self.key_base64)
