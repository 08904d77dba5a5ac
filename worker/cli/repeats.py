"""Response ids that come more than once in a file, by the worker's rule: a decision stands once per id."""

from typing import NamedTuple

from schemas import ResponseEvent
from worker.cli.lines import Reject
from worker.policy import REUSED_ID, text_sha256


class Duplicate(NamedTuple):
    """A line with an answer that stood under the same response id before."""

    line: int
    """Its number, from 1."""


class Answered:
    """The answer that each response id stands for. Keeps the ids and a hash for each, no texts."""

    def __init__(self) -> None:
        self._sha256: dict[str, bytes] = {}

    def check(self, number: int, event: ResponseEvent) -> ResponseEvent | Duplicate | Reject:
        """`event` when its id is new; else whether its response is the same as before or another one."""
        sha256 = bytes.fromhex(text_sha256(event.response))
        if event.response_id not in self._sha256:
            self._sha256[event.response_id] = sha256
            return event
        return Duplicate(number) if self._sha256[event.response_id] == sha256 else Reject(number, "response_id", REUSED_ID)
