"""A series of AUROC estimates: where it moved, whether today's is worse than the baseline, and what has accumulated since."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import Auroc
from worker.measurement.auroc import auroc
from worker.measurement.change import against_baseline, change_point, cusum, variance_of

NAN = math.nan

some_series = st.lists(st.tuples(st.sampled_from([0.5, 0.7, 0.7, 0.71, 0.9, 1.0]), st.floats(1e-4, 1e-2)), min_size=8, max_size=20)


def _series(days, *, at=None, loss=0.0, spread=0.02, seed=0):
    values = np.random.default_rng(seed).normal(0.85, spread, size=days)
    values[at if at is not None else days :] -= loss
    return values


def _estimate(rng, answers, shift):
    grounded = np.arange(answers) % 3 > 0
    figure = auroc(rng.normal(grounded * shift), grounded)
    return figure.auroc, variance_of(figure)


class TestVarianceOf:
    def test_is_that_of_the_interval(self):
        assert variance_of(Auroc(auroc=0.8, low=0.7, high=0.9, grounded=9, hallucinated=9)) == pytest.approx((0.1 / 1.959964) ** 2)

    def test_is_absent_without_a_figure(self):
        assert variance_of(auroc(np.array([0.1]), np.array([True]))) is None

    def test_is_near_the_true_one(self):
        estimates = [_estimate(np.random.default_rng(seed), 150, 1.5) for seed in range(300)]
        assert np.mean([variance for _, variance in estimates]) == pytest.approx(np.var([value for value, _ in estimates]), rel=0.2)


class TestChangePoint:
    def test_finds_the_place_and_both_levels(self):
        found = change_point(np.array([0.9] * 6 + [0.8] * 4), np.full(10, 1e-4))
        assert (found.place, found.before, found.after, found.values) == (6, pytest.approx(0.9), pytest.approx(0.8), 10)
        assert found.p < 0.02

    def test_is_the_split_with_the_greatest_likelihood_ratio(self):
        rng = np.random.default_rng(4)
        values, variances = rng.normal(size=15), rng.uniform(0.5, 3, size=15)

        def ratio(split):
            means = [np.average(values[part], weights=1 / variances[part]) for part in (slice(split), slice(split, None))]
            spread = sum(1 / np.sum(1 / variances[part]) for part in (slice(split), slice(split, None)))
            return (means[0] - means[1]) ** 2 / spread

        assert change_point(values, variances).place == max(range(2, 14), key=ratio)

    def test_means_weigh_by_certainty(self):
        values, variances = np.array([0.9] * 5 + [0.7, 0.8, 0.8, 0.8, 0.8]), np.array([1e-4] * 5 + [1.0, 1e-4, 1e-4, 1e-4, 1e-4])
        assert change_point(values, variances).after == pytest.approx(0.8, abs=1e-4)

    def test_absent_days_are_passed_over_and_places_stay_those_of_the_series(self):
        values = np.array([NAN, 0.9, 0.9, NAN, 0.9, 0.9, NAN, 0.8, 0.8, 0.8, 0.8])
        found = change_point(values, np.where(np.isnan(values), NAN, 1e-4))
        assert (found.place, found.values) == (7, 8)

    @pytest.mark.parametrize("values", [[], [0.9], [0.9] * 7, [0.9] * 7 + [NAN] * 20])
    def test_a_short_series_gives_a_reason(self, values):
        found = change_point(np.array(values), np.full(len(values), 1e-4))
        assert (found.place, found.before, found.after, found.p, found.reason) == (None, None, None, None, "too_few")

    def test_a_constant_series_has_no_change(self):
        assert change_point(np.full(12, 0.83), np.full(12, 1e-4)).p == 1

    def test_one_odd_day_is_no_change(self):
        assert change_point(np.array([0.9] * 11 + [0.2]), np.full(12, 1e-4)).p > 0.1

    def test_the_same_seed_gives_the_same_result(self):
        assert change_point(_series(20), np.full(20, 4e-4)) == change_point(_series(20), np.full(20, 4e-4))

    @given(some_series)
    def test_any_series_gives_figures(self, series):
        values, variances = np.array(series).T
        found = change_point(values, variances, permutations=19)
        assert 2 <= found.place <= len(series) - 2
        assert 0 < found.p <= 1

    @pytest.mark.parametrize("days", [10, 30])
    @pytest.mark.parametrize("excess", [1, 2], ids=["as the variances say", "days differ by twice that"])
    def test_false_alarms_are_as_rare_as_stated(self, days, excess):
        rng = np.random.default_rng(days)

        def p():
            spreads = rng.choice([0.01, 0.02, 0.05], size=days)
            return change_point(rng.normal(0.85, excess * spreads), spreads**2, permutations=99).p

        assert np.mean([p() <= 0.05 for _ in range(300)]) <= 0.09  # 0.05 and three standard errors

    def test_finds_a_loss_of_two_standard_errors_and_its_place(self):
        found = [change_point(_series(30, at=18, loss=0.04, seed=seed), np.full(30, 4e-4), permutations=199) for seed in range(60)]
        assert np.mean([each.p <= 0.05 for each in found]) > 0.9
        assert np.mean([abs(each.place - 18) <= 2 for each in found]) > 0.8


class TestAgainstBaseline:
    @pytest.mark.parametrize(
        ("value", "error", "verdict"),
        [
            (0.80, 0.01, "worse"),
            (0.895, 0.005, "same"),
            (0.95, 0.01, "same"),
            (0.88, 0.02, "unknown"),
            (0.80, 0.08, "unknown"),
            (0.90, 0.08, "unknown"),
        ],
    )
    def test_verdicts_about_a_baseline_of_0_9_of_which_0_02_may_be_lost(self, value, error, verdict):
        assert against_baseline(value, error**2, 0.9, 0.005**2, delta=0.02).verdict == verdict

    def test_a_loss_that_is_certain_but_tolerated_is_the_same(self):
        check = against_baseline(0.89, 1e-6, 0.9, 1e-6, delta=0.02)
        assert check.high < 0
        assert check.verdict == "same"

    def test_an_uncertain_baseline_makes_the_verdict_uncertain(self):
        assert against_baseline(0.84, 1e-4, 0.9, 1e-6, delta=0.02).verdict == "worse"
        assert against_baseline(0.84, 1e-4, 0.9, 1e-2, delta=0.02).verdict == "unknown"

    @given(st.floats(0, 1), st.floats(1e-6, 0.05), st.floats(0, 1), st.floats(1e-6, 0.05))
    def test_the_bounds_hold_the_difference(self, value, variance, baseline, baseline_variance):
        check = against_baseline(value, variance, baseline, baseline_variance, delta=0.02)
        assert check.low <= check.difference <= check.high

    @pytest.mark.parametrize("value", [0.0, 1.0])
    def test_perfect_separation_has_one_side_only(self, value):
        check = against_baseline(value, 0.03**2, 0.5, 0.0, delta=0.0)
        assert (check.low == check.difference) == (value == 0)
        assert (check.high == check.difference) == (value == 1)

    @pytest.mark.parametrize("answers", [60, 200])
    def test_at_the_tolerated_loss_neither_verdict_is_given_more_often_than_stated(self, answers):
        rng = np.random.default_rng(answers)
        verdicts = [
            against_baseline(*_estimate(rng, answers, 1.593), *_estimate(rng, 1000, 1.812), delta=0.03).verdict  # AUROC 0.87 and 0.90
            for _ in range(400)
        ]
        assert verdicts.count("worse") / 400 <= 0.085
        assert verdicts.count("same") / 400 <= 0.085

    def test_a_great_loss_is_mostly_found(self):
        rng = np.random.default_rng(2)
        checks = [against_baseline(*_estimate(rng, 200, 1.19), *_estimate(rng, 1000, 1.812), delta=0.03) for _ in range(100)]  # to 0.80
        assert np.mean([check.verdict == "worse" for check in checks]) > 0.55
        assert not any(check.verdict == "same" for check in checks)


class TestCusum:
    def test_adds_up_losses_beyond_the_slack(self):
        found = cusum(np.array([0.88, 0.86, NAN, 0.86]), np.full(4, 0.02**2), 0.9, 0.0, delta=0.0)
        assert found.level == pytest.approx(0.5 + 1.5 + 1.5)
        assert (found.alarm, found.days) == (None, 3)

    def test_a_good_day_takes_the_level_to_nothing_but_not_below(self):
        assert cusum(np.array([0.86, 0.99]), np.full(2, 0.02**2), 0.9, 0.0, delta=0.0).level == 0

    def test_the_alarm_is_the_first_day_over_the_limit(self):
        found = cusum(np.array([0.9, NAN, 0.84, 0.84, 0.84, 0.99]), np.full(6, 0.02**2), 0.9, 0.0, delta=0.0)
        assert found.alarm == 3

    def test_a_tolerated_loss_and_the_baselines_own_error_never_alarm(self):
        days = np.full(1000, 0.865), np.full(1000, 0.02**2)
        assert cusum(*days, 0.9, 0.0, delta=0.0).alarm is not None
        assert cusum(*days, 0.9, 0.0, delta=0.03).alarm is None
        assert cusum(*days, 0.9, 0.02**2, delta=0.0).alarm is None

    @pytest.mark.parametrize("values", [[], [NAN, NAN]])
    def test_without_estimates_nothing_accumulates(self, values):
        found = cusum(np.array(values), np.full(len(values), 1e-4), 0.9, 1e-4, delta=0.02)
        assert (found.level, found.alarm, found.days) == (0, None, 0)

    @pytest.mark.parametrize(("slack", "limit", "days"), [(0.5, 4, 336), (0.5, 5, 930), (0.25, 8.01, 740)])
    def test_the_run_length_is_the_tabulated_one(self, slack, limit, days):
        found = cusum(np.array([]), np.array([]), 0.9, 0.0, 0.0, slack=slack, limit=limit)
        assert found.run_length == pytest.approx(days, rel=0.02)  # twice the two-sided 168 and 465 of Montgomery's table, 370 of Hawkins's

    def test_runs_without_a_loss_last_as_long_as_stated_and_with_one_a_week(self):
        rng = np.random.default_rng(8)

        def run(loss):
            found = cusum(rng.normal(0.9 - loss, 0.02, size=1500), np.full(1500, 0.02**2), 0.9, 0.0, delta=0.0)
            return 1500 if found.alarm is None else found.alarm + 1

        assert np.mean([run(0.0) for _ in range(200)]) == pytest.approx(338, rel=0.2)
        assert np.mean([run(0.02) for _ in range(200)]) == pytest.approx(8.4, rel=0.1)
