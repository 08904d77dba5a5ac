"""Scorer processes that die, hang or run out of memory, and the answer that makes them."""

import os
import signal
from pathlib import Path

import pytest

from tests.audit import fetch
from tests.faults.conftest import FULL, LONG
from tests.faults.stand import Stand

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600 if FULL else 240)]


def scorers(worker: int) -> list[int]:
    """Process ids of a worker's scorers."""
    children = [int(child) for child in Path(f"/proc/{worker}/task/{worker}/children").read_text().split()]
    return [child for child in children if b"scorer_process" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.parametrize("number", [pytest.param(signal.SIGKILL, id="killed"), pytest.param(signal.SIGSTOP, id="hung", marks=LONG)])
async def test_a_scorer_that_ends_or_hangs_harms_no_answer(stand: Stand, number: signal.Signals) -> None:
    async with stand.traffic():
        for worker in stand.workers:
            for scorer in scorers(worker.pid):
                os.kill(scorer, number)
        await stand.until_said("scorer_died")
    await stand.audit()


@pytest.mark.parametrize(
    "what", ["kills the scorer", pytest.param("exhausts the memory", marks=LONG), pytest.param("hangs the scorer", marks=LONG)]
)
async def test_an_answer_that_ends_the_scorer_every_time_is_the_only_one_lost(stand: Stand, what: str) -> None:
    async with stand.traffic() as traffic:
        await traffic.send_unusable(stand.new_event(response=f"This {what}."))
        await stand.until_dead_lettered("poison")
    await stand.audit(within=120)
    said = {"exhausts the memory": "scorer.headroom_megabytes"}.get(what, "the scorer process")
    assert await fetch(stand.database, "SELECT 1 FROM dead_letters WHERE kind = 'poison' AND position($1 in reason) > 0", said)
    assert all(worker.running for worker in stand.workers)
