"""How much is taken in hand, and when steps of the detector are left out and taken up again."""

import pytest
from pydantic import ValidationError

from worker.load import Load
from worker.settings import Load as Settings

SETTINGS = Settings(latency_seconds=2, shed_seconds=30, resume_seconds=5)


def load(steps: int = 2, *costs: float) -> Load:
    """Seconds that an answer costs with 0, 1, ... steps left out."""
    made = Load(SETTINGS, steps)
    for shed, cost in enumerate(costs):
        made.measured(shed, 10, 10 * cost)
    return made


def adjusted(one: Load, waiting: int) -> int:
    one.waiting = waiting
    return one.shed


@pytest.mark.parametrize(("costs", "taken"), [((), 64), ((0.1,), 10), ((1e-9,), 64), ((0.0,), 64), ((50,), 1)])
def test_a_batch_takes_half_the_time_aimed_at_since_two_are_in_hand(costs: tuple[float, ...], taken: int) -> None:
    assert load(2, *costs).batch(64) == taken


def test_before_anything_is_measured_a_guess_sizes_the_batch() -> None:
    one = Load(SETTINGS, guess=0.1)
    assert one.batch(64) == 10
    one.measured(0, 1, 0.5)
    assert one.batch(64) == 2


def test_a_batch_is_sized_by_what_an_answer_costs_lately() -> None:
    slow = load(0, 0.1)
    for _ in range(20):
        slow.measured(0, 10, 5)
    assert slow.batch(64) == 2


def test_messages_that_are_not_scored_are_taken_in_large_batches_and_delay_answers_little() -> None:
    one = load(0, 0.1)
    assert one.batch(1000) == 10
    one.read(100, 50)
    assert one.batch(1000) == 14
    one.read(1000, 0)
    assert one.batch(1000) == 1000
    one.read(1000, 1000)
    assert one.batch(1000) == 10


def test_a_backlog_of_messages_that_are_not_scored_leaves_no_step_out() -> None:
    one = load(1, 0.1)
    one.read(1000, 0)
    assert adjusted(one, 10_000) == 0


@pytest.mark.parametrize(
    ("costs", "waiting", "path"),
    [
        ((), 10_000, [0, 0]),
        ((0.1,), 299, [0, 0]),
        ((0.1,), 301, [1, 1]),
        ((0.1, 0.01), 3_001, [1, 2, 2]),
    ],
    ids=["nothing measured", "short enough", "too long", "too long with one step less too"],
)
def test_steps_are_left_out_when_the_backlog_would_last_too_long(costs: tuple[float, ...], waiting: int, path: list[int]) -> None:
    one = load(2, *costs)
    assert [adjusted(one, waiting) for _ in path] == path


@pytest.mark.parametrize(("waiting", "shed"), [(51, 1), (49, 0)])
def test_a_step_is_taken_up_when_the_backlog_would_be_short_with_it(waiting: int, shed: int) -> None:
    one = load(1, 0.1, 0.01)
    assert adjusted(one, 301) == 1
    assert [adjusted(one, waiting), adjusted(one, waiting)] == [shed, shed]


def test_each_figure_of_the_backlog_changes_one_step_and_an_idle_worker_comes_back_to_all() -> None:
    one = load(2, 0.1, 0.1, 0.1)
    assert [adjusted(one, waiting) for waiting in (10_000, 10_000, 0, 0, 0)] == [1, 2, 1, 0, 0]


def test_one_answer_that_took_very_long_says_little_of_the_others() -> None:
    one = load(1, 0.03)
    one.measured(0, 1, 49)
    assert one.batch(64) >= 20
    assert adjusted(one, 100) == 0


def test_a_detector_without_steps_leaves_nothing_out() -> None:
    assert adjusted(load(0, 0.1), 10**9) == 0


def test_taking_models_up_above_the_line_at_which_they_are_left_out_is_refused() -> None:
    with pytest.raises(ValidationError, match="resume_seconds must be less than shed_seconds"):
        Settings(shed_seconds=10, resume_seconds=10)
