"""Infrastructure faults are waited out; faults of the data are not."""

import asyncio

import pytest

from tests.waiting import until
from worker.errors import StoreUnavailable
from worker.patience import Patience, Stopping


async def test_it_tries_until_the_service_answers(patience: Patience) -> None:
    failures = iter([StoreUnavailable("away"), StoreUnavailable("away")])
    seen: list[str | None] = []

    async def call() -> str:
        seen.append(patience.waiting_for)
        for failure in failures:
            raise failure
        return "answer"

    assert await patience("asking", call) == "answer"
    assert seen == [None, "asking: away", "asking: away"]
    assert patience.waiting_for is None


async def test_other_errors_pass_through(patience: Patience) -> None:
    async def call() -> None:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        await patience("asking", call)


async def test_a_stop_ends_the_waiting(patience: Patience, stop: asyncio.Event) -> None:
    async def call() -> None:
        stop.set()
        raise StoreUnavailable

    with pytest.raises(Stopping):
        await patience("asking", call)


async def test_a_call_that_sees_to_its_own_end_is_progress_while_it_runs(patience: Patience) -> None:
    going = asyncio.Event()
    before = patience.last_progress
    timed = asyncio.create_task(patience("scoring", going.wait, timed=True))
    await until(lambda: patience.last_progress > before)
    first = patience.last_progress
    await until(lambda: patience.last_progress > first)
    going.set()
    await timed
    assert patience.last_progress == patience.last_progress > first


async def test_one_call_that_comes_back_does_not_hide_that_another_waits(patience: Patience) -> None:
    answers = asyncio.Event()

    async def waits() -> None:
        if not answers.is_set():
            raise StoreUnavailable("away")

    async def at_once() -> None: ...

    waiting = asyncio.create_task(patience("asking", waits))
    await until(lambda: patience.waiting_for)
    await patience("asking", at_once)
    assert patience.waiting_for == "asking: away"
    answers.set()
    await asyncio.wait_for(waiting, 20)
    assert patience.waiting_for is None
