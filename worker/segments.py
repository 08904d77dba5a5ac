"""Segments as keys, which keep one's messages on one partition, and as labels, which must be few."""

from typing import Final

import orjson

MOST_SEGMENTS: Final = 1000
"""How many segments one process measures where nobody says otherwise: senders name them, so they must be bounded."""

OTHER: Final = ("(other)", "(other)")
"""What further segments are called in metrics."""


class Roster:
    """The first `most` segments that come."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[tuple[str, str]] = set()

    def admits(self, segment: tuple[str, str]) -> bool:
        """Whether `segment` is among them."""
        if segment not in self._known and len(self._known) < self._most:
            self._known.add(segment)
        return segment in self._known


def segment_key(dataset: str, model: str) -> bytes:
    """The message key of a segment, the JSON array [dataset, model]. Pairs and snapshots carry it, so one monitor owns a segment."""
    return orjson.dumps([dataset, model])
