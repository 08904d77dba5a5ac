"""The gate: what is worse, what is good enough, and what cannot be told."""

import pytest

from tests.unit.worker.gate.factories import answers
from worker.gate.judgement import Outcome, judge
from worker.settings import Gate

ANY = Gate(datasets=0, minimum=0.0)
"""No floor and any number of datasets."""


def outcome(baseline: float, candidate: float, rows: int = 400, rule: Gate = ANY, *, seed: int = 0, sha: str = "a") -> Outcome:
    """Of one dataset, by how far each side separates the classes."""
    sides = {"d": answers(rows, gap=baseline)}, {"d": answers(rows, gap=candidate, seed=seed, sha=sha)}
    return judge(*sides, rule).results[0].outcome


@pytest.mark.parametrize(
    ("baseline", "candidate", "expected"),
    [(2.0, 2.0, Outcome.OK), (2.0, 3.0, Outcome.OK), (2.0, 1.95, Outcome.OK), (2.0, 1.0, Outcome.WORSE)],
    ids=["the same", "better", "hardly worse", "much worse"],
)
def test_a_fall_by_more_than_delta_is_worse(baseline: float, candidate: float, expected: Outcome) -> None:
    assert outcome(baseline, candidate) is expected


def test_a_fall_that_so_few_labels_do_not_bear_out_is_not_called_worse() -> None:
    few = Gate(datasets=0, minimum=0.0, labels=5)

    assert outcome(2.0, 1.2, rows=20, rule=few, sha="b") is Outcome.NOT_ENOUGH


def test_strict_asks_that_a_fall_be_ruled_out() -> None:
    assert outcome(2.0, 2.0, rows=80, seed=1, sha="b", rule=Gate(datasets=0, minimum=0.0)) is Outcome.OK
    assert outcome(2.0, 2.0, rows=80, seed=1, sha="b", rule=Gate(datasets=0, minimum=0.0, strict=True)) is Outcome.NOT_ENOUGH


def test_too_few_labels_of_a_class_tell_nothing() -> None:
    report = judge({"d": answers(58, gap=3)}, {"d": answers(58, gap=3)}, ANY)

    assert report.outcome is Outcome.NOT_ENOUGH
    assert report.results[0].reason == "baseline has 29 grounded and 29 hallucinated answers with a score; gate.labels asks for 30 of each"


def test_scores_that_are_absent_are_no_labels() -> None:
    without = {name: one._replace(score=None) for name, one in answers(100, gap=3).items()}

    assert judge({"d": answers(100, gap=3)}, {"d": without}, ANY).outcome is Outcome.NOT_ENOUGH


@pytest.mark.parametrize(("critical", "expected"), [((), Outcome.WORSE), (("d",), Outcome.WORSE), (("other",), Outcome.OK)])
def test_critical_datasets_have_a_floor_all_of_them_unless_some_are_named(critical: tuple[str, ...], expected: Outcome) -> None:
    assert outcome(1.0, 1.0, rule=Gate(datasets=0, minimum=0.85, critical=critical)) is expected


def test_the_same_answers_are_compared_by_the_paired_test_others_by_their_intervals() -> None:
    same = judge({"d": answers(200, gap=1.5)}, {"d": answers(200, gap=1.5)}, ANY).results[0]
    others = judge({"d": answers(200, gap=1.5)}, {"d": answers(200, gap=1.5, sha="b")}, ANY).results[0]

    assert (same.paired, same.compared.low, same.compared.p) == (True, 0.0, 1.0)
    assert others.paired is False
    assert others.compared.low is not None
    assert others.compared.low < -0.05


def test_it_takes_three_datasets_one_of_them_of_the_own_domain() -> None:
    rule = Gate(minimum=0.0, domain_specific=("claims",))
    sides = {name: answers(200, gap=2) for name in ("a", "b", "claims")}

    assert judge(sides, sides, rule).outcome is Outcome.OK
    two = {name: sides[name] for name in ("a", "claims")}
    assert judge(two, two, rule).outcome is Outcome.NOT_ENOUGH
    strange = judge({**two, "b": sides["b"]}, {**two, "b": sides["b"]}, Gate(minimum=0.0))
    assert strange.reasons == ("gate.domain_specific names none of them; name the one that is of your own domain",)


def test_a_dataset_that_one_side_lacks_is_no_dataset_and_a_critical_one_must_be_there() -> None:
    report = judge({"d": answers(200, gap=2), "c": answers(200, gap=2)}, {"d": answers(200, gap=2)}, Gate(datasets=0, critical=("c",)))

    assert [result.dataset for result in report.results] == ["d"]
    assert report.outcome is Outcome.NOT_ENOUGH
    assert report.reasons == ("gate.critical names c, without labelled answers on both sides",)


def test_worse_weighs_more_than_not_enough() -> None:
    sides = {"bad": answers(400, gap=2), "few": answers(10, gap=2)}

    assert judge(sides, {**sides, "bad": answers(400, gap=0)}, ANY).outcome is Outcome.WORSE


def test_two_that_are_alike_are_called_worse_hardly_ever() -> None:
    worse = sum(outcome(1.5, 1.5, rows=160, seed=seed, sha="b") is Outcome.WORSE for seed in range(200))

    assert worse <= 10


def test_nothing_in_common_is_not_enough_however_few_datasets_are_asked_for() -> None:
    for sides in (({}, {}), ({"d": answers(80, gap=2)}, {"e": answers(80, gap=2)})):
        report = judge(*sides, ANY)
        assert (report.outcome, report.reasons) == (Outcome.NOT_ENOUGH, ("no dataset has labelled answers on both sides",))
