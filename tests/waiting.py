"""The one way tests wait: for a condition, with a deadline."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any


async def until(condition: Callable[[], Any | Awaitable[Any]], timeout: float = 20, every: float = 0.05) -> Any:
    """Poll `condition`, plain or async, until what it returns is true; return that. Fails after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while True:
        outcome = condition()
        if inspect.isawaitable(outcome):
            outcome = await outcome
        if outcome:
            return outcome
        assert time.monotonic() < deadline, f"not so within {timeout} s: {condition}"
        await asyncio.sleep(every)
