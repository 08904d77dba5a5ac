"""Pairs of the store as labelled answers: which serve, which do not, which belong together."""

from datetime import timedelta
from typing import Any

import numpy as np

from schemas import Pair, ScoreStatus
from tests.unit.worker.monitor.factories import EPOCH, pair
from worker.calibration.production import LeftOut, Production
from worker.store import Served


def served(number: int = 0, **overrides: Any) -> Served:
    fields: dict[str, Any] = {
        "at": EPOCH + timedelta(hours=number),
        "degraded": False,
        "question_sha256": None,
        "response_sha256": f"{number}",
        "contexts_sha256": (f"c{number}",),
    }
    return Served(**fields | overrides)


def of(*rows: tuple[Pair, Served]) -> tuple[Production, LeftOut]:
    return Production.of([one for one, _ in rows], {one.decision_id: answer for one, answer in rows}, ["f-1", "f-2"])


def test_answers_come_in_the_order_in_which_they_were_served() -> None:
    first, second = pair(1, label=0, labelled_at=EPOCH + timedelta(days=1), audit=True), pair(2, label=1)

    found, _ = of((second, served(5)), (first, served(2)))

    assert found.data.labels.tolist() == [False, True]
    assert (found.served - EPOCH.timestamp()).tolist() == [2 * 3600, 5 * 3600]
    assert (found.labelled - EPOCH.timestamp()).tolist() == [86400, 0]
    assert found.audited.tolist() == [True, False]


def test_what_another_detector_scored_or_nobody_did_or_not_with_all_models_is_left_out_and_counted() -> None:
    absent: dict[str, Any] = {"score_status": ScoreStatus.ABSTAINED, "scores": {"final": None}}

    found, left_out = of(
        (pair(1), served(1)),
        (pair(2, fingerprint="f-2"), served(2)),
        (pair(3, fingerprint="old"), served(3)),
        (pair(4, **absent), served(4)),
        (pair(5), served(5, degraded=True)),
        (pair(6, **absent), served(6, degraded=True)),
    )

    assert found.served.size == 2
    assert left_out == LeftOut(unscored=1, degraded=2, repeated=0, others={"old": 1})


def test_an_answer_that_expired_meanwhile_is_left_out() -> None:
    _, left_out = Production.of([pair(1)], {}, ["f-1"])

    assert left_out == LeftOut(unscored=1)


def test_an_answer_that_was_decided_on_with_and_without_the_calibration_counts_once() -> None:
    again = pair(2, response_id="r-1", fingerprint="f-2", scores={"final": 0.5, "cosine": 0.4, "probability": 0.9})

    found, left_out = of((again, served(1)), (pair(1), served(1)))

    assert (found.served.size, left_out.repeated) == (1, 1)


def test_what_a_calibration_made_of_the_scores_is_no_signal() -> None:
    found, _ = of((pair(1, scores={"final": 0.5, "probability": 0.9}), served(1)))

    assert found.data.names == ("final",)


def test_hashes_make_the_groups_that_texts_would() -> None:
    rows = [
        (pair(1), served(1, contexts_sha256=("a", "b"))),
        (pair(2), served(2, contexts_sha256=("a", "b"))),
        (pair(3), served(3, response_sha256="2")),
        (pair(4), served(4, question_sha256="q", response_sha256="2")),
        (pair(5), served(5, contexts_sha256=())),
        (pair(6), served(6, contexts_sha256=())),
    ]

    one, two, three, four, five, six = of(*rows)[0].data.groups

    assert one == two == three
    assert len({one, four, five, six}) == 4


def test_a_group_is_as_old_as_its_first_answer() -> None:
    found, _ = of((pair(1), served(7, contexts_sha256=("a",))), (pair(2), served(1, contexts_sha256=("a",))), (pair(3), served(4)))

    assert sorted(found.first_served() - EPOCH.timestamp()) == [3600, 4 * 3600]


def test_the_fingerprint_is_of_decisions_and_labels_whatever_their_order() -> None:
    one, two = (pair(1), served(1)), (pair(2), served(2))
    other = (pair(2, label_id=pair(9).label_id), served(2))

    assert of(one, two)[0].fingerprint == of(two, one)[0].fingerprint != of(one, other)[0].fingerprint


def test_nothing_is_production_too() -> None:
    found, left_out = of()

    assert (found.data.labels.size, found.first_served().size, left_out) == (0, 0, LeftOut())
    assert np.unique(found.data.groups).size == 0
