"""AUROC as the monitor computes it, with intervals that know which answers are near-duplicates."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from worker.measurement.auroc import auroc
from worker.measurement.grouped import Figure, apart, compare, mean, measure


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
    assert measure(np.array([0.9]), np.array([True]), np.arange(1)) == Figure(None, None, None, 1, None, 1)


def test_the_mean_counts_every_set_alike_and_is_absent_with_one_of_them() -> None:
    both = mean([Figure(0.8, 0.7, 0.9, 10, 0.01), Figure(0.6, 0.5, 0.7, 1000, 0.01)])

    assert both.auroc == pytest.approx(0.7)
    assert both.low == pytest.approx(0.7 - 1.96 * 0.005**0.5, abs=1e-3)
    assert mean([both, Figure(None, None, None, 5)]).auroc is None
    assert mean([]).auroc is None


def pairs_of_scores(rows: int, *, gap: float = 0.0, seed: int = 0, levels: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two scores that share most of their noise; the second separates the classes by `gap` more."""
    draw = np.random.default_rng(seed)
    labels = draw.random(rows) < 0.6
    shared = draw.normal(size=rows)
    first, second = (labels * (1 + more) + shared + 0.5 * draw.normal(size=rows) for more in (0, gap))
    return (np.round(first * levels), np.round(second * levels), labels) if levels else (first, second, labels)


def plain_delong(first: np.ndarray, second: np.ndarray, labels: np.ndarray) -> float:
    """Variance of the difference as DeLong et al. wrote it: sample covariances of the placements of either class."""
    placements = []
    for scores in (first, second):
        x, y = scores[labels], scores[~labels]
        kernel = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
        placements.append((kernel.mean(axis=1), kernel.mean(axis=0)))
    covariance = sum(np.cov([one[part], other[part]]) / one[part].size for part in (0, 1) for one, other in [placements])
    contrast = np.array([-1, 1])
    return float(contrast @ covariance @ contrast)


@pytest.mark.parametrize("levels", [None, 2], ids=["distinct", "with ties"])
def test_the_paired_test_is_delongs(levels: int | None) -> None:
    first, second, labels = pairs_of_scores(120, gap=0.4, levels=levels)

    found = compare(first, second, labels)

    areas = [roc_auc_score(labels, scores) for scores in (first, second)]
    error = plain_delong(first, second, labels) ** 0.5
    assert found.difference == pytest.approx(areas[1] - areas[0], abs=1e-12)
    assert found.low == pytest.approx(found.difference - 1.959964 * error)
    assert found.p == pytest.approx(2 * norm.sf(abs(found.difference) / error))


def test_paired_answers_tell_more_than_two_samples_would() -> None:
    found = compare(*pairs_of_scores(400, gap=0.5))

    assert found.low is not None
    assert found.difference is not None
    assert found.first.variance is not None
    assert found.second.variance is not None
    assert found.difference - found.low < 1.96 * (found.first.variance + found.second.variance) ** 0.5


def test_the_interval_covers_no_difference_in_19_runs_of_20() -> None:
    covered = 0
    for seed in range(400):
        found = compare(*pairs_of_scores(120, seed=seed))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_copies_of_answers_are_no_further_evidence_of_a_difference() -> None:
    first, second, labels = pairs_of_scores(100, gap=0.3)
    once = compare(first, second, labels)
    groups = np.repeat(np.arange(100), 3)

    thrice = compare(np.repeat(first, 3), np.repeat(second, 3), np.repeat(labels, 3), groups)

    assert thrice.low == pytest.approx(once.low, abs=2e-3)


def test_scores_that_rank_alike_differ_by_nothing() -> None:
    first, _, labels = pairs_of_scores(50)

    found = compare(first, 2 * first + 1, labels)

    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)


def test_two_answers_say_next_to_nothing_of_a_difference() -> None:
    found = compare(np.array([0.1, 0.9]), np.array([0.9, 0.1]), np.array([False, True]))

    assert found.difference == -1
    assert found.p is None
    assert found.high is not None
    assert found.high > 0


def test_answers_that_lack_a_score_stand_outside_and_a_missing_class_is_a_reason() -> None:
    nan = np.nan
    found = compare(np.array([0.1, nan, 0.9]), np.array([0.1, 0.5, nan]), np.array([False, True, True]))

    assert (found.difference, found.first.n, found.second.grounded) == (None, 1, 0)


def test_two_sets_of_answers_are_compared_by_their_own_intervals() -> None:
    first, second = Figure(0.8, 0.7, 0.9, 100), Figure(0.7, 0.65, 0.75, 100)

    found = apart(first, second)

    assert (found.difference, found.p) == (pytest.approx(-0.1), None)
    assert (found.low, found.high) == (pytest.approx(-0.1 - (0.05**2 + 0.1**2) ** 0.5), pytest.approx(-0.1 + (0.05**2 + 0.1**2) ** 0.5))
