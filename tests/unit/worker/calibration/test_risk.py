"""Thresholds keep the stated risk, and say nothing when they cannot."""

from typing import Any

import numpy as np
import pytest

from worker.calibration.risk import (
    ALPHAS,
    choose_accept,
    choose_reject,
    fewest_answers,
    smallest_accept_alpha,
    smallest_reject_alpha,
    upper_limit,
)


def test_the_bound_holds_in_at_least_the_stated_share_of_simulations() -> None:
    """The true risk beyond a chosen threshold is known here: P(hallucinated | p) = 1 - p, with p uniform."""
    draw = np.random.default_rng(1)
    alpha, broken, chosen = 0.25, 0, 0
    for _ in range(400):
        p = draw.random(600)
        threshold = choose_accept(p, draw.random(600) < p, alpha)
        if threshold is not None:
            chosen += 1
            broken += (1 - threshold.at) / 2 > alpha
    assert chosen > 300
    assert broken <= 0.05 * 400


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_fewest_answers_are_just_enough_without_an_error(alpha: float) -> None:
    fewest = fewest_answers(alpha)

    assert upper_limit(0, fewest) <= alpha < upper_limit(0, fewest - 1)


def test_all_right_accepts_all_and_all_wrong_accepts_none() -> None:
    p = np.linspace(0.1, 0.9, 200)

    everything = choose_accept(p, np.ones(200, dtype=bool), 0.05)

    assert everything is not None
    assert (everything.at, everything.answers, everything.wrong) == (0.0, 200, 0)
    assert choose_accept(p, np.zeros(200, dtype=bool), 0.05) is None


def test_an_answer_on_the_threshold_is_not_beyond_it() -> None:
    p = np.round(np.linspace(0.1, 0.9, 601), 6)

    found = choose_reject(p, p > 0.5, 0.05)

    assert found is not None
    assert found.at in p
    assert found.answers == (p < found.at).sum()


def test_reject_is_the_mirror_of_accept() -> None:
    p = np.linspace(0.1, 0.9, 400)
    grounded = p > 0.5

    accept, reject = choose_accept(p, grounded, 0.1), choose_reject(p, grounded, 0.1)

    assert accept is not None
    assert reject is not None
    assert accept.at == pytest.approx(1 - reject.at)
    assert accept.at < 0.52


def test_equal_probabilities_are_accepted_together_or_not_at_all() -> None:
    p = np.full(200, 0.7)

    threshold = choose_accept(p, np.ones(200, dtype=bool), 0.05)

    assert threshold is not None
    assert threshold.answers == 200


@pytest.mark.parametrize(("choose", "smallest"), [(choose_accept, smallest_accept_alpha), (choose_reject, smallest_reject_alpha)])
def test_the_smallest_alpha_is_the_first_that_gives_a_threshold(choose: Any, smallest: Any) -> None:
    draw = np.random.default_rng(3)
    p = np.round(draw.random(400), 6)
    grounded = draw.random(400) < 0.2 + 0.6 * p

    found = smallest(p, grounded)

    assert next(alpha for alpha in ALPHAS if choose(p, grounded, alpha)) == found


def test_no_answers_give_no_threshold() -> None:
    assert smallest_accept_alpha(np.empty(0), np.empty(0, dtype=bool)) is None
    assert upper_limit(0, 0) == 1.0
    assert choose_accept(np.empty(0), np.empty(0, dtype=bool), 0.05) is None
