"""The scorer process may die; the worker does not, and only the answer at fault is given up."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable

import pytest

from detectors import Answer, Assessment
from worker.errors import ConfigurationError, ScorerUnavailable
from worker.scorer import Poison, Scorer
from worker.settings import Scorer as Settings

COMMAND = (sys.executable, "-m", "tests.unit.worker.fragile_scorer")


def answer(response: str) -> Answer:
    return Answer(response=response, contexts=("A passage.",))


@pytest.fixture
async def make() -> AsyncIterator[Callable[..., Scorer]]:
    made: list[Scorer] = []

    def scorer(**settings: object) -> Scorer:
        made.append(Scorer(Settings.model_validate({"timeout_seconds": 20, **settings}), COMMAND))
        return made[-1]

    yield scorer
    for each in made:
        await each.stop()


async def test_scores_come_back_in_order(make: Callable[..., Scorer]) -> None:
    results = await make().assess([answer("x" * length) for length in (30, 10, 20)])
    assert [result.scores["final"] for result in results if isinstance(result, Assessment)] == [0.3, 0.1, 0.2]


async def test_an_empty_batch_starts_nothing(make: Callable[..., Scorer]) -> None:
    scorer = make()
    assert await scorer.assess([]) == []
    assert scorer.pid is None


@pytest.mark.parametrize("position", [0, 3, 6])
async def test_only_the_answer_that_kills_the_process_is_poison(make: Callable[..., Scorer], position: int) -> None:
    answers = [answer("fine")] * 7
    answers[position] = answer("die")
    results = await make().assess(answers)
    assert [isinstance(result, Poison) for result in results] == [index == position for index in range(7)]


async def test_a_process_killed_from_outside_costs_no_answer(make: Callable[..., Scorer]) -> None:
    scorer = make()
    await scorer.start()
    assert scorer.pid is not None
    os.kill(scorer.pid, signal.SIGKILL)
    (result,) = await scorer.assess([answer("fine")])
    assert isinstance(result, Assessment)
    assert scorer.restarts == 1


async def test_a_worker_that_was_frozen_past_the_limit_takes_the_reply_that_waits(make: Callable[..., Scorer]) -> None:
    scorer = make(timeout_seconds=0.5)
    await scorer.start()
    asked = asyncio.create_task(scorer.assess([answer("fine")]))
    await asyncio.sleep(0)  # lets it ask
    await asyncio.sleep(0)
    time.sleep(1)  # noqa: ASYNC251 - the fault: nothing in this process runs
    (result,) = await asked
    assert isinstance(result, Assessment)
    assert scorer.restarts == 0


async def test_a_hung_process_is_ended_and_its_answer_poison(make: Callable[..., Scorer]) -> None:
    hung, fine = await make(timeout_seconds=0.5).assess([answer("hang"), answer("fine")])
    assert isinstance(hung, Poison)
    assert "hung" in hung.reason
    assert isinstance(fine, Assessment)


@pytest.mark.parametrize(("profile", "complaint"), [("missing", "there is no such profile"), ("modelless", "the model cannot be loaded")])
async def test_what_no_retry_mends_is_a_configuration_error(make: Callable[..., Scorer], profile: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        await make(profile=profile).start()


async def test_a_process_that_ends_while_loading_is_unavailable(make: Callable[..., Scorer]) -> None:
    with pytest.raises(ScorerUnavailable):
        await make(profile="crash").start()


async def test_stop_leaves_no_process(make: Callable[..., Scorer]) -> None:
    scorer = make()
    await scorer.start()
    pid = scorer.pid
    assert pid is not None
    await scorer.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_process_that_died_idle_is_replaced_before_any_answer_is_tried(
    make: Callable[..., Scorer], caplog: pytest.LogCaptureFixture
) -> None:
    scorer = make()
    await scorer.start()
    process = scorer._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    (result,) = await scorer.assess([answer("fine")])
    assert isinstance(result, Assessment)
    assert scorer.restarts == 1
    assert [record.getMessage() for record in caplog.records if record.name == "groundwatch.scorer" and record.levelname == "WARNING"] == [
        "scorer process ended by itself"
    ]
