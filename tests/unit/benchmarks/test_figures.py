"""AUROC as the monitor computes it, with intervals that know which answers are near-duplicates."""

import numpy as np
import pytest

from benchmarks.figures import Figure, mean, measure
from worker.measurement.auroc import auroc


def scored(rows: int = 300) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    labels = draw.random(rows) < 0.4
    return np.round(draw.normal(size=rows) + labels, 1), labels


def test_answers_that_stand_alone_have_the_monitors_own_figure() -> None:
    scores, labels = scored()

    ours, theirs = measure(scores, labels, np.arange(300)), auroc(scores, labels)

    assert ours.auroc == theirs.auroc
    assert (ours.low, ours.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_three_copies_of_each_answer_widen_nothing_and_narrow_nothing() -> None:
    scores, labels = scored()
    once = measure(scores, labels, np.arange(300))

    thrice = measure(np.repeat(scores, 3), np.repeat(labels, 3), np.repeat(np.arange(300), 3))
    unaware = auroc(np.repeat(scores, 3), np.repeat(labels, 3))

    assert thrice.auroc == pytest.approx(once.auroc)
    assert (thrice.low, thrice.high) == (pytest.approx(once.low, abs=1e-3), pytest.approx(once.high, abs=1e-3))
    assert unaware.low is not None
    assert once.low is not None
    assert unaware.low > once.low


def test_absent_scores_are_left_out_and_not_counted() -> None:
    found = measure(np.array([0.9, 0.1, np.nan, 0.4]), np.array([True, False, False, True]), np.arange(4))

    assert (found.auroc, found.n) == (1.0, 3)


def test_one_class_has_no_figure() -> None:
    assert measure(np.array([0.9]), np.array([True]), np.arange(1)) == Figure(None, None, None, 1)


def test_the_mean_counts_every_set_alike_and_is_absent_with_one_of_them() -> None:
    both = mean([Figure(0.8, 0.7, 0.9, 10, 0.01), Figure(0.6, 0.5, 0.7, 1000, 0.01)])

    assert both.auroc == pytest.approx(0.7)
    assert both.low == pytest.approx(0.7 - 1.96 * 0.005**0.5, abs=1e-3)
    assert mean([both, Figure(None, None, None, 5)]).auroc is None
    assert mean([]).auroc is None
