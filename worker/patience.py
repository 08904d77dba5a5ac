"""Waiting out a service that does not answer."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential_jitter

from worker.errors import InfrastructureError, SchemaOutdated
from worker.settings import Retry

T = TypeVar("T")

log = logging.getLogger("groundwatch")


class Stopping(Exception):
    """The worker was asked to stop while it waited; the batch in hand stays uncommitted and is redelivered."""


class Patience:
    """Retries infrastructure faults with backoff until they are over or the worker stops. Faults of the data pass through."""

    def __init__(self, settings: Retry, stop: asyncio.Event) -> None:
        self._settings = settings
        self._stop = stop
        self._waiting: dict[object, str] = {}
        self._last_progress = time.monotonic()
        self._timed = 0

    @property
    def waiting_for(self) -> str | None:
        """What is being waited for, in words; None while everything answers."""
        return "; ".join(dict.fromkeys(self._waiting.values())) or None

    @property
    def last_progress(self) -> float:
        """When a call last came back, by the monotonic clock; now while a timed call runs."""
        return time.monotonic() if self._timed else self._last_progress

    async def __call__(self, what: str, call: Callable[[], Awaitable[T]], *, timed: bool = False) -> T:
        """The result of `call`, tried until its service answers. Raises Stopping once the worker stops.

        `timed`: the call sees to its own end, however long it may rightly take, so nobody else need suspect that it hangs.
        """
        self._timed += timed
        mine = object()
        try:
            return await self._tried(mine, what, call)
        finally:
            self._last_progress = time.monotonic()
            self._timed -= timed
            self._waiting.pop(mine, None)

    async def _tried(self, mine: object, what: str, call: Callable[[], Awaitable[T]]) -> T:
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type((InfrastructureError, SchemaOutdated)),
            wait=wait_exponential_jitter(multiplier=self._settings.first_seconds, max=self._settings.longest_seconds),
            before_sleep=lambda state: self._note(mine, what, state),
            sleep=self._sleep,
        ):
            with attempt:
                result = await call()
        return result

    async def pause(self) -> None:
        """Wait for the first backoff, before trying again by oneself. Raises Stopping once the worker stops."""
        await self._sleep(self._settings.first_seconds)

    def _note(self, mine: object, what: str, state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        self._waiting[mine] = f"{what}: {error}"
        log.warning(
            "waiting: %s", self._waiting[mine], extra={"action": "infrastructure_wait", "what": what, "attempt": state.attempt_number}
        )

    async def _sleep(self, seconds: float) -> None:
        if await stopped_within(self._stop, seconds):
            raise Stopping


async def stopped_within(stop: asyncio.Event, seconds: float) -> bool:
    """Wait for `stop`, `seconds` at most; whether it is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
    return stop.is_set()


async def unless_stopped(stop: asyncio.Event, call: Coroutine[Any, Any, T]) -> T:
    """What `call` returns. Raises Stopping as soon as `stop` is set: models may take minutes to load."""
    work, stopped = asyncio.create_task(call), asyncio.create_task(stop.wait())
    await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not work.done():
        work.cancel()
        await asyncio.wait({work})
        raise Stopping
    return work.result()


async def first(*calls: Coroutine[Any, Any, Any]) -> None:
    """Return, or raise, as the first of `calls` does; the others are cancelled."""
    tasks = [asyncio.create_task(call) for call in calls]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
