"""Ends a process that stands still: another worker, or its restart, takes over from the last commit."""

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping

from worker.errors import Stalled

log = logging.getLogger("groundwatch.watchdog")

EXIT_CODE = 70
"""The process's status when the watchdog ends it (EX_SOFTWARE)."""

Stillness = Mapping[str, Callable[[], float]]
"""Each part's name and for how many seconds it has stood still."""


class Watchdog:
    """A thread, so that it also sees an event loop that no longer turns. `beat` is called by that loop."""

    def __init__(self, stall_seconds: float, parts: Stillness, end: Callable[[int], None] = os._exit) -> None:
        self._stall_seconds = stall_seconds
        self._parts = parts
        self._end = end
        self._last_beat = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def __enter__(self) -> "Watchdog":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def beat(self) -> None:
        """The event loop turns."""
        self._last_beat = time.monotonic()

    def verdict(self) -> str | None:
        """What stands still, in words; None while everything moves."""
        still = {"the event loop": time.monotonic() - self._last_beat} | {name: ask() for name, ask in self._parts.items()}
        for name, seconds in still.items():
            if seconds > self._stall_seconds:
                return f"{name} has stood still for {seconds:.0f} s"
        return None

    def _watch(self) -> None:
        while not self._over.wait(min(1.0, self._stall_seconds / 4)):
            if verdict := self.verdict():
                log.critical("%s: %s", verdict, Stalled(), extra={"action": "stalled"})
                logging.shutdown()
                self._end(EXIT_CODE)
                return
