"""Several scorer processes: answers keep their order, contexts their process, and no process idles while another has a queue."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from detectors import Answer, Assessment
from worker.errors import ScorerUnavailable
from worker.load import Load
from worker.scorer import Poison
from worker.scorers import Scorers
from worker.settings import Load as LoadSettings
from worker.settings import Scorer as Settings

COMMAND = (sys.executable, "-m", "tests.unit.worker.fragile_scorer")


def answer(response: str, context: str = "A passage.") -> Answer:
    return Answer(response=response, contexts=(context,))


def processes(results: list[Assessment | Poison]) -> list[float | None]:
    """Which process scored each answer, as the fragile detector tells."""
    return [result.scores["process"] if isinstance(result, Assessment) else None for result in results]


@pytest.fixture
async def scorers() -> AsyncIterator[Scorers]:
    made = Scorers(Settings(processes=2, timeout_seconds=20), Load(LoadSettings()), COMMAND)
    yield made
    await made.stop()


async def test_results_come_in_the_order_of_the_answers_from_both_processes(scorers: Scorers) -> None:
    results = await scorers.assess([answer("x" * length, f"Passage {length}.") for length in range(1, 41)])
    assert [result.scores["final"] for result in results if isinstance(result, Assessment)] == [n / 100 for n in range(1, 41)]
    shares = [processes(results).count(process) for process in set(processes(results))]
    assert len(shares) == 2
    assert min(shares) >= 10


async def test_the_same_contexts_go_to_the_same_process(scorers: Scorers) -> None:
    passages = [f"Passage {n}." for n in range(8)]
    rounds = [[processes(await scorers.assess([answer("fine", passage)]))[0] for passage in passages] for _ in range(3)]
    assert rounds[0] == rounds[1] == rounds[2]
    assert len(set(rounds[0])) == 2


async def test_a_passage_that_everybody_asks_about_keeps_no_process_idle(scorers: Scorers) -> None:
    passage = "A passage. " * 100
    results = processes(await scorers.assess([answer("fine " * 40, passage)] * 60))
    shares = sorted(results.count(process) for process in set(results))
    assert len(shares) == 2
    assert shares[0] >= 15


async def test_contexts_that_share_passages_go_to_the_process_that_remembers_most_of_them(scorers: Scorers) -> None:
    first, second = ("A long passage. " * 50, "Another one. " * 60), ("A third one. " * 60, "A fourth one. " * 55)
    homes = [processes(await scorers.assess([Answer(response="fine", contexts=contexts)]))[0] for contexts in (first, second)]
    mixed = (*first, second[1]), (first[1], *second)
    assert homes == [processes(await scorers.assess([Answer(response="fine", contexts=contexts)]))[0] for contexts in mixed]
    assert homes[0] != homes[1]


async def test_several_batches_at_once_each_get_their_own_results(scorers: Scorers) -> None:
    batches = [[answer("x" * (10 * batch + n), f"Passage {n}.") for n in range(1, 8)] for batch in range(5)]
    for batch, results in zip(batches, await asyncio.gather(*map(scorers.assess, batches)), strict=True):
        assert [result.scores["final"] for result in results if isinstance(result, Assessment)] == [
            len(one.response) / 100 for one in batch
        ]


async def test_an_answer_that_kills_a_process_harms_no_other(scorers: Scorers) -> None:
    results = await scorers.assess([answer("die" if n == 3 else "fine", f"Passage {n}.") for n in range(8)])
    assert [n for n, result in enumerate(results) if isinstance(result, Poison)] == [3]


async def test_a_process_that_was_killed_is_started_again(scorers: Scorers) -> None:
    await scorers.start()
    for pid in scorers.pids:
        os.kill(pid, signal.SIGKILL)
    results = await scorers.assess([answer("fine", f"Passage {n}.") for n in range(8)])
    assert all(isinstance(result, Assessment) for result in results)
    assert scorers.restarts == 2


async def test_processes_that_loaded_different_detectors_do_not_serve(tmp_path: Path) -> None:
    made = Scorers(Settings(processes=2, profile=f"different {tmp_path / 'flag'}"), Load(LoadSettings()), COMMAND)
    with pytest.raises(ScorerUnavailable, match="different detectors"):
        await made.start()
    assert made.pids == []


async def test_a_process_that_cannot_start_leaves_the_work_to_the_other_and_no_process_behind(tmp_path: Path) -> None:
    made = Scorers(Settings(processes=2, profile=f"once {tmp_path / 'flag'}"), Load(LoadSettings()), COMMAND)
    try:
        results = await made.assess([answer("fine", f"Passage {n}.") for n in range(8)])
        assert all(isinstance(result, Assessment) for result in results)
        assert len(set(processes(results))) == len(made.pids) == 1
    finally:
        await made.stop()


async def test_an_empty_batch_asks_nobody(scorers: Scorers) -> None:
    assert await scorers.assess([]) == []
    assert scorers.pids == []
