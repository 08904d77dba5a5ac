"""AUROC is exact, carries an interval, and is absent with a reason rather than a guess."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from worker.measurement.auroc import auroc, operating, placements

NAN = math.nan
Z = NormalDist().inv_cdf(0.975)

some_labels = st.lists(st.booleans(), min_size=2, max_size=60).filter(lambda labels: any(labels) and not all(labels))


def _measure(scores, labels):
    return auroc(np.array(scores, dtype=float), np.array(labels, dtype=bool))


def _random(pairs, *, levels=None, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.random(pairs) < 0.6
    scores = rng.normal(labels * 0.8)
    return (np.round(scores * levels) / levels if levels else scores), labels


def _plain_delong(scores, labels):
    """Point estimate and variance as DeLong et al. wrote them: every positive against every negative."""
    x, y = scores[labels], scores[~labels]
    kernel = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
    theta = kernel.mean()
    v10, v01 = kernel.mean(axis=1), kernel.mean(axis=0)
    return theta, ((v10 - theta) ** 2).sum() / (len(x) - 1) / len(x) + ((v01 - theta) ** 2).sum() / (len(y) - 1) / len(y)


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([0.1, 0.9], [0, 1], 1.0),
        ([0.9, 0.1], [0, 1], 0.0),
        ([0.5, 0.5], [0, 1], 0.5),
        ([0.5] * 6, [0, 1, 0, 1, 1, 1], 0.5),
        ([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.75),
        ([NAN, 0.1, 0.9, NAN], [1, 0, 1, 0], 1.0),
    ],
    ids=["one right pair", "one wrong pair", "one tie", "all equal", "textbook", "absent scores stand outside"],
)
def test_small_cases(scores, labels, expected):
    assert _measure(scores, labels).auroc == expected


@pytest.mark.parametrize(
    ("scores", "labels", "reason", "counts"),
    [
        ([0.2, 0.3], [1, 1], "no_hallucinated_labels", (2, 0)),
        ([0.2, 0.3], [0, 0], "no_grounded_labels", (0, 2)),
        ([NAN, 0.3], [0, 1], "no_hallucinated_labels", (1, 0)),
        ([NAN, NAN], [0, 1], "no_scored_pairs", (0, 0)),
        ([], [], "no_scored_pairs", (0, 0)),
    ],
)
def test_a_missing_class_gives_a_reason_instead_of_a_figure(scores, labels, reason, counts):
    figure = _measure(scores, labels)
    assert (figure.auroc, figure.low, figure.high, figure.reason) == (None, None, None, reason)
    assert (figure.grounded, figure.hallucinated) == counts


@pytest.mark.parametrize("levels", [None, 50, 5, 1])
@pytest.mark.parametrize("pairs", [10, 100, 1000])
def test_equals_scikit_learn_with_and_without_ties(pairs, levels):
    scores, labels = _random(pairs, levels=levels)
    assert _measure(scores, labels).auroc == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


@given(some_labels, st.data())
def test_equals_scikit_learn_on_any_scores(labels, data):
    scores = data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1e-9, -3.0, 1.0]), min_size=len(labels), max_size=len(labels)))
    figure = _measure(scores, labels)
    assert figure.auroc == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)
    assert 0 <= figure.low <= figure.auroc <= figure.high <= 1
    assert figure.low < figure.high


@given(some_labels, st.data())
def test_turning_the_score_round_mirrors_the_figure(labels, data):
    scores = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=len(labels), max_size=len(labels))), dtype=float)
    figure, mirrored = _measure(scores, labels), _measure(-scores, labels)
    assert (mirrored.auroc, mirrored.low, mirrored.high) == pytest.approx((1 - figure.auroc, 1 - figure.high, 1 - figure.low), abs=1e-9)


@pytest.mark.parametrize("levels", [None, 20, 3])
@pytest.mark.parametrize("seed", range(5))
def test_the_interval_is_delongs_on_the_logit_scale(levels, seed):
    scores, labels = _random(80, levels=levels, seed=seed)
    theta, variance = _plain_delong(scores, labels)
    logit, reach = math.log(theta / (1 - theta)), Z * math.sqrt(variance) / (theta * (1 - theta))
    figure = _measure(scores, labels)
    assert figure.auroc == pytest.approx(theta, abs=1e-12)
    assert figure.low == pytest.approx(1 / (1 + math.exp(-(logit - reach))), abs=1e-12)
    assert figure.high == pytest.approx(1 / (1 + math.exp(-(logit + reach))), abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "labels"),
    [
        ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]),
        ([0.8, 0.9, 0.1, 0.2], [0, 0, 1, 1]),
        ([0.5] * 4, [0, 0, 1, 1]),
        ([0.5, 0.1, 0.9], [1, 0, 0]),
        ([0.1, 0.9], [0, 1]),
    ],
    ids=["perfect", "reversed", "all equal", "one of a class", "one pair"],
)
def test_where_delongs_variance_is_zero_or_undefined_the_interval_still_has_a_width(scores, labels):
    figure = _measure(scores, labels)
    assert 0 <= figure.low <= figure.auroc <= figure.high <= 1
    assert figure.high - figure.low > 0.3


def test_perfect_separation_of_more_pairs_is_more_certain():
    lows = [_measure([0.0] * n + [1.0] * n, [0] * n + [1] * n).low for n in (1, 10, 100, 1000)]
    assert lows == sorted(lows)
    assert lows[0] == pytest.approx(1 / (1 + Z**2), abs=1e-9)  # Wilson's bound for one success in one trial
    assert 0.99 < lows[-1] < 1


@pytest.mark.parametrize("levels", [None, 5, 1])
def test_a_placement_counts_the_other_class_below_and_half_of_its_ties(levels):
    scores, labels = _random(60, levels=levels)
    scores[::7] = NAN
    others = labels[:, np.newaxis] != labels
    twice = ((scores[:, np.newaxis] > scores) * 2 + (scores[:, np.newaxis] == scores)) * others
    assert placements(scores[np.newaxis], labels)[0].tolist() == twice.sum(axis=1).tolist()


def test_rows_are_measured_independently():
    scores, labels = _random(200)
    rows = np.vstack([scores, np.round(scores), np.where(scores > 0, scores, NAN), np.full(200, NAN)])
    assert np.array_equal(placements(rows, labels), np.vstack([placements(row[np.newaxis], labels) for row in rows]))


def test_operating_figures():
    figures = operating(np.array([1, 1, 1, 0, 0], dtype=bool), np.array([1, 1, 0, 1, 0], dtype=bool))
    assert (figures.false_positive_rate, figures.precision, figures.recall) == (0.5, 2 / 3, 2 / 3)


@pytest.mark.parametrize(
    ("accepted", "labels", "absent"),
    [([], [], {"false_positive_rate", "precision", "recall"}), ([0], [0], {"precision", "recall"}), ([1], [1], {"false_positive_rate"})],
)
def test_an_operating_figure_without_a_denominator_is_absent(accepted, labels, absent):
    figures = operating(np.array(accepted, dtype=bool), np.array(labels, dtype=bool))
    assert {name for name, value in figures.model_dump().items() if value is None} == absent
