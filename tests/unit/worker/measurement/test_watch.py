"""A segment since its baseline: worse at once, worse little by little, as good, or unknown."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from benchmarks.traffic import GAP, cells_of, judged_of, traffic
from schemas import Verdict
from worker.measurement.cells import Judged
from worker.measurement.corrected import Corrected
from worker.measurement.period import PeriodFigures, measure_period
from worker.measurement.watch import Day, Span, spans, watch

START = date(2026, 3, 1)


def period(answers: int, *, gap: float = GAP, seed: int = 0) -> PeriodFigures:
    """Of simulated traffic whose scores part the classes by `gap`."""
    seen = traffic(answers, audit=0.1, review=0.5, seed=seed, gap=gap)
    return measure_period(judged_of(seen), Counter(cells_of(seen)))


def days(count: int, *, gap: float = GAP, first: int = 0, answers: int = 1500) -> list[Day]:
    return [Day(START + timedelta(days=first + n), period(answers, gap=gap, seed=100 + first + n)) for n in range(count)]


BASELINE = period(20_000)


def test_a_segment_that_is_as_good_is_the_same() -> None:
    found = watch(BASELINE, period(15_000, seed=1), days(14), delta=0.05)

    assert (found.outcome, found.figure, found.alarm, found.changed) == ("same", "corrected", None, None)


def test_a_great_loss_of_late_is_worse_and_the_day_of_the_change_is_named() -> None:
    found = watch(
        BASELINE, period(15_000, gap=0.4, seed=1), [*days(12, answers=5000), *days(8, gap=0.4, first=12, answers=5000)], delta=0.03
    )

    assert found.outcome == "worse"
    assert found.reason.startswith("lost 0.")
    assert found.changed is not None
    assert abs((found.changed - START).days - 12) <= 2


def test_losses_that_are_small_each_day_add_up_to_an_alarm() -> None:
    found = watch(BASELINE, period(300, gap=0.8, seed=1), days(40, gap=0.8), delta=0.0)

    assert found.outcome == "worse"
    assert found.alarm is not None
    assert "add up" in found.reason


def test_few_labels_tell_nothing() -> None:
    found = watch(BASELINE, period(600, seed=1), [], delta=0.03)

    assert found.outcome == "unknown"
    assert "too few labels" in found.reason


def test_a_baseline_without_labels_of_the_audit_slice_is_held_against_by_the_labelled_answers_alone() -> None:
    without = measure_period([Judged(Verdict.ACCEPT, n % 7 / 7 + n % 2 / 10, n % 2, False) for n in range(400)], {("ACCEPT", 9): 400})

    assert watch(without, without, [], delta=0.03).figure == "plain"


def test_without_any_label_the_reason_says_where_they_lack() -> None:
    nothing = measure_period([], {})

    assert watch(nothing, BASELINE, [], delta=0.03).reason == "the baseline: no scored pairs"
    assert watch(BASELINE, nothing, [], delta=0.03).reason == "the recent days: no decisions"


@pytest.mark.parametrize("seed", range(10))
def test_ten_segments_that_did_not_change_raise_no_alarm(seed: int) -> None:
    same = [Day(START + timedelta(days=n), period(1500, seed=1000 * (seed + 1) + n)) for n in range(14)]

    assert watch(BASELINE, period(15_000, seed=2000 + seed), same, delta=0.03).outcome != "worse"


def moment(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


def test_the_whole_days_since_the_pinned_period_are_looked_at_and_the_last_ones_until_now() -> None:
    found = spans(Span(moment(1), moment(5, 6)), moment(20, 15), recent=7, at_most=60)

    assert found.recent == Span(moment(13, 15), moment(20, 15))
    assert (found.days[0], found.days[-1]) == (Span(moment(6), moment(7)), Span(moment(19), moment(20)))
    assert spans(found.pinned, moment(20, 15), recent=7, at_most=3).days == found.days[-3:]


@pytest.mark.parametrize(("day", "alpha"), [(5, 0.05 / 7), (6, 0.1 / 7), (11, 0.05), (20, 0.05)])
def test_fewer_days_than_were_asked_for_never_reach_into_the_pinned_period_and_are_judged_more_strictly(day: int, alpha: float) -> None:
    found = spans(Span(moment(1), moment(4)), moment(day), recent=7, at_most=60)

    assert found.recent.since == moment(max(4, day - 7))
    assert found.alpha == pytest.approx(alpha)


def figures(auroc: float, reach: float, labels: int) -> PeriodFigures:
    """With an interval of `reach` to either side."""
    one = Corrected(auroc=auroc, low=auroc - reach, high=auroc + reach, decided=5_000, labels=labels)
    return replace(BASELINE, corrected=one)


def test_what_is_worse_for_many_days_is_unknown_after_few() -> None:
    pinned, late = figures(0.80, 0.03, 2_000), figures(0.70, 0.06, 500)

    assert watch(pinned, late, [], delta=0.03).outcome == "worse"
    assert watch(pinned, late, [], delta=0.03, alpha=0.05 / 7).outcome == "unknown"


def test_days_with_few_labels_that_look_sure_are_no_change() -> None:
    """Where chance shows no hallucinated answer among the accepted, the figure is high and its own variance small."""
    many = [figures(0.80 + (-1) ** n * 0.05, 0.15, 150) for n in range(14)]
    few = [figures(0.93, 0.03, 20)] * 4
    pinned = figures(0.80, 0.03, 2_000)

    found = watch(pinned, pinned, [Day(START + timedelta(days=n), one) for n, one in enumerate([*many, *few])], delta=0.03)

    assert (found.changed, found.alarm) == (None, None)
