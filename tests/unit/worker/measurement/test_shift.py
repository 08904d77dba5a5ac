"""What has shifted between two periods, without a label."""

import numpy as np
import pytest

from schemas import Verdict
from worker.measurement.shift import Decided, Shift, shifts


def period(answers: int, *, centre: float = 0.7, seed: int = 0, unscored: int = 0) -> list[Decided]:
    """Decisions whose `final` lies around `centre` and whose `cosine` never moves."""
    draw = np.random.default_rng(seed)
    finals = np.clip(draw.normal(centre, 0.15, answers), 0, 1).tolist()
    cosines = draw.uniform(size=answers).tolist()
    scored = [
        Decided(f"r-{seed}-{i}", Verdict.ACCEPT if final > 0.5 else Verdict.REJECT, {"final": final, "cosine": cosine}, {})
        for i, (final, cosine) in enumerate(zip(finals, cosines, strict=True))
    ]
    return scored + [Decided(f"u-{seed}-{i}", Verdict.REVIEW, {"final": None, "cosine": None}, {}) for i in range(unscored)]


def drifted(found: list[Shift]) -> set[tuple[str, str]]:
    return {(one.what, one.compared.test) for one in found if one.compared.drifted}


def test_scores_that_fell_are_found_by_every_test_that_sees_them_and_others_are_not_named() -> None:
    found = shifts(period(800), period(400, centre=0.5, seed=1))

    assert drifted(found) == {("decisions", "categories"), ("final", "psi"), ("final", "ks")}


def test_the_examples_are_the_answers_that_moved_the_farthest() -> None:
    now = period(400, centre=0.5, seed=1)

    final = next(one for one in shifts(period(800), now) if (one.what, one.compared.test) == ("final", "ks"))

    lowest = sorted(now, key=lambda one: one.scores["final"] or 0.0)[:3]
    assert final.examples == tuple(one.response_id for one in lowest)
    assert final.now == pytest.approx(0.5, abs=0.05)


def test_answers_that_lost_their_score_show_in_the_coverage() -> None:
    assert ("coverage", "categories") in drifted(shifts(period(500), period(400, seed=1, unscored=100)))


def test_eight_answers_are_no_drift() -> None:
    found = shifts(period(800), period(8, centre=0.1, seed=1))

    assert {one.compared.reason for one in found} == {"too_few"}
    assert drifted(found) == set()


def test_alike_periods_drift_hardly_ever() -> None:
    assert sum(bool(drifted(shifts(period(300, seed=seed), period(200, seed=1000 + seed)))) for seed in range(50)) <= 1


def test_a_score_that_only_one_period_has_and_no_decision_at_all_are_too_few() -> None:
    new = [one._replace(scores={**one.scores, "frames": 0.5}) for one in period(100, seed=1)]

    (frames,) = [one for one in shifts(period(100), new) if one.what == "frames"]
    assert (frames.compared.reason, frames.before, frames.now) == ("too_few", None, 0.5)
    assert all(one.compared.reason == "too_few" for one in shifts([], []))


def asked(about: float, *, length: int = 60, seed: int = 0, answers: int = 300) -> list[Decided]:
    """Decisions on questions that lie around a place, and are about so long."""
    draw = np.random.default_rng(seed)
    traits = [
        {
            "question_characters": int(draw.normal(length, 10)),
            "contexts": 3,
            "directions": {"question": tuple(draw.normal(about, 1.0, 8)), "response": tuple(draw.normal(0.0, 1.0, 8))},
        }
        for _ in range(answers)
    ]
    return [one._replace(traits=trait) for one, trait in zip(period(answers, seed=seed), traits, strict=True)]


def test_questions_about_something_else_are_found_with_those_that_moved_the_farthest() -> None:
    now = asked(0.8, seed=1)

    found = shifts(asked(0.0), now)

    assert drifted(found) == {("direction of question", "energy")}
    (moved,) = [one for one in found if one.compared.drifted]
    along = {one.response_id: sum(one.traits["directions"]["question"]) for one in now}
    assert np.mean([along[one] for one in moved.examples]) > np.percentile(list(along.values()), 95)
    assert (moved.before, moved.now) == (None, None)


def test_longer_questions_are_found_and_what_is_always_alike_is_not() -> None:
    found = shifts(asked(0.0), asked(0.0, length=75, seed=1))

    assert drifted(found) == {("question_characters", "ks")}
    (contexts,) = [one for one in found if one.what == "contexts"]
    assert (contexts.before, contexts.now, contexts.compared.drifted) == (3, 3, False)


def test_texts_that_are_not_embedded_say_nothing_of_their_direction() -> None:
    plain = [one._replace(traits={**one.traits, "directions": {}}) for one in asked(0.0, seed=1)]

    (question,) = [one for one in shifts(asked(0.0), plain) if one.what == "direction of question"]
    assert question.compared.reason == "too_few"
