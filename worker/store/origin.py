"""Whom a message that failed concerns, and whether it had failed before."""

import base64
from typing import Final, NamedTuple, Self

from schemas import DeadLetter, identity, subject_sha256

REPLAY_HEADER: Final = "groundwatch-replay-of"
"""Names the place of the dead letter that a replayed message stands for."""

ATTEMPT_HEADER: Final = "groundwatch-attempt"
"""Says how often the message has been replayed, this time included."""

_MOST: Final = 1000
"""Attempts beyond it are not counted: the header may come from anyone."""


class Origin(NamedTuple):
    """Where a message that failed comes from."""

    response_id: str | None
    """The response that it speaks of; None where it does not tell."""
    subject_sha256: str | None
    """Hash of the person whom it concerns; None where it does not tell."""
    replay_of: str | None
    """The place of the dead letter that it replays; None for a message that was sent the first time."""
    attempt: int
    """How often it has been replayed."""

    @classmethod
    def of(cls, letter: DeadLetter) -> Self:
        """As the message and its headers say."""
        response_id, subject = identity(letter)
        headers = {name: base64.b64decode(value).decode("utf-8", "replace") for name, value in letter.headers}
        replay_of = headers.get(REPLAY_HEADER)
        attempt = headers.get(ATTEMPT_HEADER, "1")
        counted = min(int(attempt), _MOST) if attempt.isdecimal() and len(attempt) <= 9 else 1
        return cls(response_id, subject_sha256(subject), replay_of, max(1, counted) if replay_of else 0)
