"""Where raters disagree, and how far they agree."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

from worker.measurement.agreement import between
from worker.measurement.rating import Dispute, Rating, disputes

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def rating(response_id: str = "r-1", label: Any = 1, annotator: str | None = "jo", **overrides: Any) -> Rating:
    minute = overrides.pop("minute", 0)
    fields = {"source": "human", "labelled_at": EPOCH + timedelta(minutes=minute), "precedence": 4} | overrides
    return Rating(response_id=response_id, label=label, annotator=annotator, **fields)


def judged(response_id: str = "r-1", label: Any = 1, **overrides: Any) -> Rating:
    return rating(response_id, label, None, source="judge", precedence=2, **overrides)


def why(*ratings: Rating) -> list[tuple[str, str]]:
    return [(one.response_id, one.why) for one in disputes(ratings)]


def test_people_who_say_opposite_things_disagree_whoever_came_last():
    assert why(rating(label=1), rating(label=0, annotator="al", minute=5)) == [("r-1", "disagreement")]


@pytest.mark.parametrize(
    "ratings",
    [
        (),
        (rating(), rating(annotator="al")),
        (rating(label=1), judged(label=0, minute=9)),
        (rating(label=None), rating(label=0, annotator="al", minute=1)),
        (rating(label=1), rating(label=0, annotator="al"), rating(label=0, source="adjudication", precedence=5)),
    ],
    ids=["nobody", "the same", "a judge against a person", "unsure, then sure", "adjudicated"],
)
def test_there_is_nothing_to_decide_where_the_weightiest_source_agrees(ratings):
    assert disputes(ratings) == []


def test_an_answer_of_which_nobody_that_weighs_enough_can_tell_is_one_to_decide():
    assert why(judged(label=1), rating(label=None), rating("r-2", None)) == [("r-2", "unsure"), ("r-1", "unsure")]


def test_the_latest_come_first_and_so_do_their_ratings():
    old = [rating("r-1", 1), rating("r-1", 0, "al", minute=2)]
    new = [rating("r-2", 0, minute=1), rating("r-2", 1, "al", minute=7), judged("r-2", 0, minute=9)]
    assert disputes([*old, *new]) == [Dispute("r-2", "disagreement", [new[1], new[0]]), Dispute("r-1", "disagreement", old[::-1])]


def test_agreement_is_of_any_two_who_rated_the_same_answers_and_of_all():
    jo = [rating(f"r-{n}", n % 2) for n in range(20)]
    al = [rating(f"r-{n}", n % 2 if n < 15 else 1, "al") for n in range(5, 20)]
    judge = [judged(f"r-{n}", 1) for n in range(3)]
    found = between([*jo, *al, *judge, rating("r-0", None, "al"), rating("r-99", 1, "eve")])
    assert list(found.two) == [("human:al", "human:jo"), ("human:jo", "judge")]
    both = found.two["human:al", "human:jo"]
    expected = cohen_kappa_score([n % 2 for n in range(5, 20)], [n % 2 if n < 15 else 1 for n in range(5, 20)])
    assert (both.items, both.kappa) == (15, pytest.approx(expected))
    assert found.all.items == 18
    assert found.all.kappa is not None


def test_without_shared_answers_there_is_no_agreement():
    found = between([rating("r-1"), rating("r-2", 0, "al")])
    assert (found.all.reason, found.two) == ("no_shared_items", {})
    assert between([]).all.reason == "no_shared_items"


def test_a_thousand_raters_are_no_more_work_than_their_ratings() -> None:
    """Each user that gives feedback is a rater."""
    ratings = [rating(f"r-{n}", (n + user) % 2, f"u-{(n + user * 331) % 1000}") for n in range(1000) for user in range(3)]
    found = between(ratings)
    assert found.all.items == 1000
    assert sum(one.items for one in found.two.values()) == 3000
