"""A drift is significant and large; few rows, ties and empty bins never make one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import cdist, pdist

from worker.measurement.drift import FEWEST, Comparison, categories, energy, judge, ks, psi

NAN = math.nan

some_scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.5, 1e-9, -3.0, 1.0]), min_size=FEWEST, max_size=120).map(np.array)
few_counts = st.lists(st.integers(0, 40), min_size=3, max_size=3).map(np.array)


def _normal(rows, *, shift=0.0, levels=None, seed=0):
    values = np.random.default_rng(seed).normal(shift, size=rows)
    return values if levels is None else np.round(values * levels) / levels


def _vectors(rows, *, shift=0.0, width=16, seed=0):
    return np.random.default_rng(seed).normal(shift, size=(rows, width))


def _result(p, *, effect=1.0, floor=0.1):
    if p is None:
        return Comparison(test="ks", floor=floor, reference=8, current=8, reason="too_few")
    return Comparison(test="ks", statistic=effect, p=p, effect=effect, floor=floor, reference=100, current=100)


def _rate(test, draw, *, runs, alpha=0.05):
    """The share of runs in which `test` finds a difference between two draws (of the reference; of now)."""
    rng = np.random.default_rng(7)
    return np.mean([test(*draw(rng)).p <= alpha for _ in range(runs)])


class TestTooFew:
    @pytest.mark.parametrize("sizes", [(0, 0), (1, 1), (8, 1000), (1000, 8), (FEWEST - 1, FEWEST)])
    @pytest.mark.parametrize("test", [psi, ks])
    def test_scores(self, test, sizes):
        result = test(_normal(sizes[0]), _normal(sizes[1], shift=9))
        assert (result.reason, result.reference, result.current) == ("too_few", *sizes)
        assert (result.statistic, result.p, result.effect, result.drifted) == (None, None, None, None)

    def test_absent_scores_do_not_count(self):
        scores = np.concatenate([_normal(FEWEST - 1), [NAN] * 100])
        assert psi(scores, _normal(500)).reason == ks(scores, _normal(500)).reason == "too_few"
        assert ks(np.append(scores, 0.1), _normal(500)).reference == FEWEST

    def test_vectors(self):
        holed = _vectors(FEWEST)
        holed[3, 2] = NAN
        assert energy(_vectors(1), _vectors(100)).reason == "too_few"
        assert energy(holed, _vectors(100)).reason == "too_few"
        assert energy(holed, _vectors(100)).reference == FEWEST - 1

    def test_counts(self):
        assert categories(np.array([5, 3]), np.array([0, 900])).reason == "too_few"

    def test_how_few_can_be_set(self):
        assert ks(_normal(8), _normal(8), fewest=8).reason is None


class TestPsi:
    def test_is_the_sum_over_the_deciles_of_the_reference(self):
        reference, current = np.arange(100.0), np.concatenate([np.repeat(np.arange(50.0), 2), np.arange(100.0)])
        smoothed = [(10.5 / 105, (count + 0.5) / 205) for count in [30] * 5 + [10] * 5]
        index = sum((q - p) * math.log(q / p) for p, q in smoothed)
        scale = 1 / 100 + 1 / 200
        result = psi(reference, current)
        assert result.effect == pytest.approx(index, abs=1e-12)
        assert result.expected == pytest.approx(9 * scale)
        assert result.p == pytest.approx(stats.chi2.sf(index / scale, 9))

    def test_is_finite_where_no_row_of_now_lies_in_a_bin_of_the_reference(self):
        result = psi(_normal(500), _normal(500, shift=50))
        assert math.isfinite(result.effect)
        assert result.effect > 5
        assert result.p < 1e-12

    @pytest.mark.parametrize("now", [0.2, 0.8])
    def test_one_repeated_value_that_moves_to_either_side_shows(self, now):
        assert psi(np.full(100, 0.5), np.full(100, now)).p < 1e-12

    def test_one_repeated_value_that_stays_is_no_drift(self):
        result = psi(np.full(100, 0.5), np.full(80, 0.5))
        assert (result.effect, result.p, result.expected) == (0.0, 1.0, 0.0)

    @given(some_scores, some_scores)
    def test_any_scores_give_figures(self, reference, current):
        result = psi(reference, current)
        assert result.effect >= 0
        assert 0 <= result.p <= 1

    @given(some_scores)
    def test_a_sample_does_not_drift_from_itself(self, scores):
        assert psi(scores, scores).effect == 0
        assert psi(scores, np.random.default_rng(0).permutation(scores)).p == 1

    @pytest.mark.parametrize("levels", [None, 10, 1], ids=["no ties", "ties", "mostly ties"])
    @pytest.mark.parametrize(("reference", "current"), [(50, 50), (2000, 60), (500, 500)])
    def test_false_alarms_are_as_rare_as_stated(self, reference, current, levels):
        def draw(rng):
            samples = rng.normal(size=reference), rng.normal(size=current)
            return samples if levels is None else tuple(np.round(sample * levels) for sample in samples)

        assert _rate(psi, draw, runs=400) <= 0.08  # 0.05 and three standard errors

    def test_without_drift_its_mean_is_as_expected(self):
        rng = np.random.default_rng(3)
        results = [psi(rng.normal(size=1000), rng.normal(size=300)) for _ in range(200)]
        assert np.mean([result.effect for result in results]) == pytest.approx(results[0].expected, rel=0.1)

    def test_finds_a_shift_of_half_a_standard_deviation(self):
        assert _rate(psi, lambda rng: (rng.normal(size=1000), rng.normal(0.5, size=200)), runs=100, alpha=0.01) > 0.95


class TestKs:
    @pytest.mark.parametrize("levels", [None, 4, 1])
    @pytest.mark.parametrize("shift", [0, 0.4])
    def test_equals_scipy_with_and_without_ties(self, shift, levels):
        reference, current = _normal(200, levels=levels), _normal(90, shift=shift, levels=levels, seed=1)
        expected = stats.ks_2samp(reference, current)
        result = ks(reference, np.concatenate([[NAN], current]))
        assert (result.effect, result.p) == (expected.statistic, expected.pvalue)

    def test_one_value_everywhere(self):
        assert (ks(np.ones(60), np.ones(60)).effect, ks(np.ones(60), np.ones(60)).p) == (0, 1)
        assert ks(np.ones(60), np.zeros(60)).effect == 1

    def test_false_alarms_and_power(self):
        assert _rate(ks, lambda rng: (rng.normal(size=500), rng.normal(size=100)), runs=300) <= 0.09
        assert _rate(ks, lambda rng: (rng.normal(size=1000), rng.normal(0.5, size=200)), runs=100, alpha=0.01) > 0.95


class TestEnergy:
    def test_is_the_unbiased_energy_distance(self):
        x, y = _vectors(60), _vectors(80, shift=0.3, seed=1)
        across = cdist(x, y).mean()
        distance = 2 * across - pdist(x).mean() - pdist(y).mean()
        result = energy(x, y, permutations=9)
        assert result.statistic == pytest.approx(distance, abs=1e-12)
        assert result.effect == pytest.approx(distance / (2 * across), abs=1e-12)

    def test_equals_scipys_biased_one_in_one_dimension_once_the_bias_is_put_back(self):
        x, y = _vectors(60, width=1), _vectors(80, width=1, shift=0.3, seed=1)
        bias = pdist(x).mean() / 60 + pdist(y).mean() / 80
        scipys = stats.energy_distance(x[:, 0], y[:, 0]) ** 2
        assert energy(x, y, permutations=9).statistic + bias == pytest.approx(scipys, abs=1e-12)

    def test_rows_all_alike_are_no_drift(self):
        result = energy(np.ones((60, 3)), np.ones((70, 3)))
        assert (result.statistic, result.effect, result.p) == (0, 0, 1)

    def test_samples_without_overlap(self):
        result = energy(np.zeros((60, 3)), np.ones((70, 3)))
        assert (result.effect, result.p) == (pytest.approx(1), 1 / 1000)

    def test_the_same_seed_gives_the_same_result_and_many_rows_are_drawn(self):
        x, y = _vectors(900), _vectors(700, seed=1)
        assert energy(x, y, most=100) == energy(x, y, most=100)
        assert energy(x, y, most=100) != energy(x, y, most=100, seed=1)
        assert (energy(x, y, most=100).reference, energy(x, y, most=100).current) == (100, 100)

    def test_widths_that_differ_are_refused(self):
        with pytest.raises(ValueError, match="dimension"):
            energy(_vectors(60, width=3), _vectors(60, width=4))

    @pytest.mark.parametrize(("shift", "spread"), [(0.4, 1.0), (0.0, 1.5)], ids=["moved", "spread out"])
    def test_finds_a_real_change(self, shift, spread):
        def draw(rng):
            return rng.normal(size=(100, 8)), rng.normal(shift, spread, size=(100, 8))

        assert _rate(lambda x, y: energy(x, y, permutations=99), draw, runs=30, alpha=0.01) > 0.9

    def test_false_alarms_are_as_rare_as_stated(self):
        def draw(rng):
            return rng.normal(size=(100, 8)), rng.normal(size=(50, 8))

        assert _rate(lambda x, y: energy(x, y, permutations=99), draw, runs=300) <= 0.09


class TestCategories:
    def test_equals_scipy_where_no_category_is_rare(self):
        counts = np.array([300, 120, 80]), np.array([60, 45, 20])
        expected = stats.chi2_contingency(np.stack(counts), correction=False)
        result = categories(*counts)
        assert (result.statistic, result.p) == (expected.statistic, expected.pvalue)
        assert result.effect == pytest.approx(0.12)  # 0.24 → 0.36 in the second

    def test_with_a_rare_category_it_agrees_with_fishers_exact_test(self):
        counts = np.array([400, 3]), np.array([80, 4])
        assert categories(*counts).p == pytest.approx(stats.fisher_exact(np.stack(counts)).pvalue, abs=0.005)

    def test_a_category_that_nobody_has_changes_nothing(self):
        with_empty = categories(np.array([300, 0, 80]), np.array([60, 0, 20]))
        assert with_empty == categories(np.array([300, 80]), np.array([60, 20]))

    def test_one_category_only_is_no_drift(self):
        result = categories(np.array([0, 100]), np.array([0, 60]))
        assert (result.p, result.effect) == (1, 0)

    def test_numbers_of_categories_that_differ_are_refused(self):
        with pytest.raises(ValueError, match="shape"):
            categories(np.array([100, 100]), np.array([100, 100, 100]))

    @given(few_counts, few_counts)
    def test_any_counts_give_figures_or_a_reason(self, reference, current):
        result = categories(reference, current)
        assert (result.reason is None) == (result.p is not None) == (min(reference.sum(), current.sum()) >= FEWEST)

    @pytest.mark.parametrize("shares", [[0.6, 0.3, 0.1], [0.97, 0.02, 0.01]], ids=["common", "rare"])
    def test_false_alarms_are_as_rare_as_stated(self, shares):
        assert _rate(categories, lambda rng: (rng.multinomial(500, shares), rng.multinomial(80, shares)), runs=200) <= 0.1

    def test_finds_a_tenth_of_the_answers_decided_otherwise(self):
        def draw(rng):
            return rng.multinomial(2000, [0.8, 0.15, 0.05]), rng.multinomial(300, [0.7, 0.15, 0.15])

        assert _rate(categories, draw, runs=100, alpha=0.01) > 0.95


class TestJudge:
    def test_the_correction_is_scipys_over_those_that_have_figures(self):
        ps = [0.001, 0.02, 0.03, 0.8]
        judged = judge([_result(0.001), _result(None), *map(_result, ps[1:])], alpha=0.05)
        assert [result.adjusted for result in judged if result.p is not None] == stats.false_discovery_control(ps).tolist()
        assert [result.drifted for result in judged] == [True, None, True, True, False]

    def test_what_is_significant_alone_may_not_be_in_a_family(self):
        assert judge([_result(0.03)], alpha=0.05)[0].drifted
        assert not any(result.drifted for result in judge([_result(0.03), *[_result(0.9)] * 9], alpha=0.05))

    @pytest.mark.parametrize(
        ("p", "effect", "drifted"),
        [(1e-9, 0.5, True), (1e-9, 0.02, False), (0.4, 0.5, False), (0.4, 0.02, False), (0.01, 0.1, True)],
        ids=["both", "certain but small", "large but uncertain", "neither", "on both bounds"],
    )
    def test_a_drift_is_both_significant_and_large(self, p, effect, drifted):
        assert judge([_result(p, effect=effect, floor=0.1)], alpha=0.01)[0].drifted is drifted

    @pytest.mark.parametrize("results", [[], [_result(None)]])
    def test_nothing_to_judge(self, results):
        assert judge(results, alpha=0.01) == results

    def test_many_rows_alone_are_no_drift(self):
        result = judge([psi(_normal(200_000), _normal(200_000, shift=0.03, seed=1))], alpha=0.01)[0]
        assert (result.p < 1e-9, result.drifted) == (True, False)

    def test_in_families_without_drift_an_alarm_is_rare(self):
        rng = np.random.default_rng(11)

        def family():
            pairs = [(rng.normal(size=300), rng.normal(size=100)) for _ in range(5)]
            return [test(*pair, floor=0.0) for pair in pairs for test in (psi, ks)]

        assert np.mean([any(result.drifted for result in judge(family(), alpha=0.05)) for _ in range(100)]) <= 0.11
