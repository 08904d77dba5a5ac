"""Parts that run side by side end together, and a failure is told without what it may quote."""

import asyncio
import logging

import pytest

from worker.errors import Defect
from worker.run import Worker
from worker.settings import Settings


async def test_a_part_that_fails_stops_the_others_and_is_named_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(Settings(), ())
    finished = asyncio.Event()
    private = "what was asked"

    async def fails() -> None:
        raise KeyError(private)

    async def finishes_its_batch() -> None:
        await worker._stop.wait()
        finished.set()

    with caplog.at_level(logging.CRITICAL), pytest.raises(Defect, match="KeyError") as ended:
        await asyncio.wait_for(worker._run_side_by_side([fails(), finishes_its_batch()]), 10)
    assert finished.is_set()
    (record,) = [record for record in caplog.records if getattr(record, "action", None) == "part_failed"]
    assert "KeyError" in record.getMessage()
    assert "fails" in str(vars(record)["frames"])
    assert private not in str(vars(record)) + str(ended.value)
