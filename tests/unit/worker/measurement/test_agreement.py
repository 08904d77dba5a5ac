"""Agreement beyond chance carries an interval, and is absent with a reason where chance alone would agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

from worker.measurement.agreement import cohen, fleiss

WORKED_EXAMPLE = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""Ten items, fourteen annotators, five categories: the usual worked example, kappa 0.210."""

two_annotators = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def _cohen(pairs):
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    return cohen(first, second)


def _table(both_yes, first_only, second_only, both_no):
    return [(1, 1)] * both_yes + [(1, 0)] * first_only + [(0, 1)] * second_only + [(0, 0)] * both_no


def _counts(pairs):
    return np.array([np.bincount(pair, minlength=4) for pair in pairs])


def _fleiss_cohen_everitt(table):
    """The large-sample variance as the authors wrote it, over the cells of the two annotators' table."""
    shares = table / table.sum()
    first, second = shares.sum(axis=1), shares.sum(axis=0)
    observed, chance = np.trace(shares), first @ second
    kappa = (observed - chance) / (1 - chance)
    same = sum(shares[k, k] * (1 - (first[k] + second[k]) * (1 - kappa)) ** 2 for k in range(len(shares)))
    other = sum(shares[k, j] * (second[k] + first[j]) ** 2 for k in range(len(shares)) for j in range(len(shares)) if k != j)
    return kappa, (same + (1 - kappa) ** 2 * other - (kappa - chance * (1 - kappa)) ** 2) / ((1 - chance) ** 2 * table.sum())


def _annotate(rng, items, annotators, accuracy):
    truth = rng.random(items) < 0.4
    return np.array([truth ^ (rng.random(items) > accuracy) for _ in range(annotators)]).astype(int)


class TestCohen:
    def test_the_textbook_table(self):
        figure = _cohen(_table(20, 5, 10, 15))
        assert (figure.kappa, figure.observed, figure.items) == (pytest.approx(0.4), 0.7, 50)

    @given(two_annotators.filter(lambda pairs: len({rating for pair in pairs for rating in pair}) > 1))
    def test_equals_scikit_learn(self, pairs):
        figure = _cohen(pairs)
        assert figure.kappa == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-12)
        assert -1 <= figure.low <= figure.kappa + 1e-12
        assert figure.kappa - 1e-12 <= figure.high <= 1

    @pytest.mark.parametrize("table", [(20, 5, 10, 15), (80, 3, 2, 15), (5, 20, 15, 10)])
    def test_the_interval_is_that_of_fleiss_cohen_and_everitt(self, table):
        kappa, variance = _fleiss_cohen_everitt(np.array(table).reshape(2, 2))
        figure, items = _cohen(_table(*table)), sum(table)
        reach = t.ppf(0.975, items - 1) * (variance * items / (items - 1)) ** 0.5
        assert (figure.low, figure.high) == pytest.approx((kappa - reach, kappa + reach), abs=1e-9)

    def test_items_that_one_of_them_left_out_stand_outside(self):
        first, second = np.array([0, 1, -1, 1, 0, -1]), np.array([0, 1, 1, -1, 1, -1])
        assert cohen(first, second) == _cohen([(0, 0), (1, 1), (0, 1)])

    @pytest.mark.parametrize(
        ("pairs", "reason", "items"),
        [
            ([], "no_shared_items", 0),
            ([(0, -1), (-1, 1)], "no_shared_items", 0),
            ([(1, 1)] * 9, "one_category", 9),
            ([(2, 2)], "one_category", 1),
        ],
    )
    def test_is_absent_with_a_reason_where_it_is_not_defined(self, pairs, reason, items):
        figure = _cohen(pairs)
        assert (figure.kappa, figure.low, figure.high, figure.observed, figure.reason) == (None, None, None, None, reason)
        assert figure.items == items

    def test_one_item_says_next_to_nothing(self):
        figure = _cohen([(0, 1)])
        assert figure.kappa == 0
        assert figure.high - figure.low > 0.7

    def test_perfect_agreement_is_more_certain_with_more_items(self):
        lows = [_cohen([(0, 0), (1, 1)] * n).low for n in (1, 10, 100, 1000)]
        assert lows == sorted(lows)
        assert lows[0] < 0
        assert 0.99 < lows[-1] < 1

    def test_constant_but_different_annotators_agree_as_by_chance(self):
        assert _cohen([(0, 1)] * 5).kappa == cohen_kappa_score([0] * 5, [1] * 5) == 0


class TestFleiss:
    def test_the_usual_example(self):
        figure = fleiss(np.array(WORKED_EXAMPLE))
        assert (figure.kappa, figure.observed, figure.items) == (pytest.approx(0.210, abs=5e-4), pytest.approx(0.378, abs=5e-4), 10)
        assert figure.low < figure.kappa < figure.high

    @given(two_annotators.filter(lambda pairs: len({rating for pair in pairs for rating in pair}) > 1))
    def test_of_two_annotators_is_cohens_once_both_use_the_categories_alike(self, pairs):
        mirrored = [*pairs, *((second, first) for first, second in pairs)]
        assert fleiss(_counts(mirrored)).kappa == pytest.approx(cohen_kappa_score(*zip(*mirrored, strict=True)), abs=1e-12)

    def test_the_order_of_items_and_categories_does_not_matter(self):
        counts, figure = np.array(WORKED_EXAMPLE), fleiss(np.array(WORKED_EXAMPLE))
        turned = fleiss(counts[::-1, ::-1])
        assert (turned.kappa, turned.low, turned.high) == pytest.approx((figure.kappa, figure.low, figure.high))

    def test_numbers_of_ratings_may_differ_and_each_item_counts_alike(self):
        figure = fleiss(np.array([[2, 0], [0, 4], [3, 1]]))
        observed, share = (1 + 1 + 0.5) / 3, (1 + 0 + 0.75) / 3
        chance = share**2 + (1 - share) ** 2
        assert figure.kappa == pytest.approx((observed - chance) / (1 - chance))

    def test_the_interval_is_near_that_of_leaving_out_one_item_at_a_time(self):
        answers = _annotate(np.random.default_rng(1), 80, 5, 0.85)
        counts = np.stack([(answers == 0).sum(axis=0), (answers == 1).sum(axis=0)], axis=1)
        counts[::3] -= np.minimum(counts[::3], [1, 0])  # some items lack a rating
        without = np.array([fleiss(np.delete(counts, item, axis=0)).kappa for item in range(80)])
        error = (79 * without.var()) ** 0.5
        figure = fleiss(counts)
        assert (figure.high - figure.low) / 2 == pytest.approx(t.ppf(0.975, 79) * error, rel=0.05)

    def test_items_with_fewer_than_two_ratings_stand_outside(self):
        assert fleiss(np.array([[2, 0], [1, 2], [1, 0], [0, 0]])) == fleiss(np.array([[2, 0], [1, 2]]))

    @pytest.mark.parametrize(
        ("counts", "reason", "items"),
        [
            (np.zeros((0, 2), dtype=int), "no_shared_items", 0),
            (np.array([[1, 0], [0, 1]]), "no_shared_items", 0),
            (np.array([[3, 0], [2, 0], [0, 1]]), "one_category", 2),
        ],
    )
    def test_is_absent_with_a_reason_where_it_is_not_defined(self, counts, reason, items):
        figure = fleiss(counts)
        assert (figure.kappa, figure.low, figure.high, figure.reason, figure.items) == (None, None, None, reason, items)


@pytest.mark.parametrize("annotators", [2, 3])
@pytest.mark.parametrize("items", [30, 200])
def test_the_interval_holds_the_true_kappa_about_as_often_as_it_says(items, annotators):
    rng, yes = np.random.default_rng(items), 0.4 * 0.85 + 0.6 * 0.15
    observed, chance = 0.85**2 + 0.15**2, yes**2 + (1 - yes) ** 2
    true = (observed - chance) / (1 - chance)

    def held():
        answers = _annotate(rng, items, annotators, 0.85)
        counts = np.stack([(answers == 0).sum(axis=0), (answers == 1).sum(axis=0)], axis=1)
        figure = cohen(*answers) if annotators == 2 else fleiss(counts)
        return figure.low <= true <= figure.high

    assert 0.9 <= np.mean([held() for _ in range(400)]) <= 0.99
