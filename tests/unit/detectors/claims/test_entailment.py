"""A cross-encoder of the user's own as a signal of the claims."""

from pathlib import Path

import pytest

from detectors import Detector, Profile, load_detector
from schemas import ScoreStatus
from tests.unit.detectors.factories import CONTEXT, answer
from tests.unit.detectors.tiny_cross_encoder import write

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

ANSWERS = [
    answer(),
    answer(response="It was built in 1911. The lamp reaches 24 miles. A museum since 1987.", contexts=("Unrelated.", CONTEXT)),
    answer(question=None, response="1911."),
    answer(response="Penguins juggle at midnight in Vellmar."),
]


def with_model(profile: Profile, folder: Path) -> Profile:
    claims = profile.model_dump()["claims"]
    claims["support"]["entailment"] = 1.0
    return Profile.model_validate(profile.model_dump() | {"claims": claims, "entailment": {"model": str(folder)}})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("cross-encoder"))


@pytest.fixture(scope="module")
def judging(folder: Path, default: Detector) -> Detector:
    return load_detector(with_model(default.profile, folder))


def test_each_answer_has_a_probability_and_it_counts(judging: Detector, default: Detector) -> None:
    for with_signal, without in zip(judging.assess(ANSWERS), default.assess(ANSWERS), strict=True):
        score = with_signal.scores["entailment"]
        assert score is not None
        assert 0 <= score <= 1
        assert with_signal.scores["final"] != without.scores["final"]
        assert "entailment" not in without.scores


def test_without_contexts_it_is_absent(judging: Detector) -> None:
    [assessment] = judging.assess([answer(contexts=())])
    assert assessment.status is ScoreStatus.NO_CONTEXT
    assert assessment.scores["entailment"] is None


def test_a_short_claim_is_read_with_its_question(judging: Detector) -> None:
    who, when = judging.assess([answer(response="1911.", question=question) for question in ("Who built the lamp?", "When?")])
    assert who.scores["entailment"] != when.scores["entailment"]


def test_an_answer_gets_the_same_bytes_in_any_batch(judging: Detector) -> None:
    alone = [judging.assess([one])[0].model_dump_json() for one in ANSWERS]
    assert [one.model_dump_json() for one in judging.assess([*ANSWERS[::-1], *ANSWERS])] == [*alone[::-1], *alone]


def test_overload_leaves_it_out_before_the_encoder(folder: Path, default: Detector) -> None:
    profile = with_model(default.profile, folder).model_copy(update={"shedding": ("cross_encoder", "encoder", "parser")})
    detector = load_detector(profile)
    for without, plain in zip(detector.assess(ANSWERS, 1), default.assess(ANSWERS), strict=True):
        assert (without.scores.pop("entailment"), without.degraded) == (None, True)
        assert without.scores == plain.scores
    assert [one.scores["final"] for one in detector.assess(ANSWERS, 3)] == [one.scores["final"] for one in default.assess(ANSWERS, 2)]


def test_the_fingerprint_covers_the_weights(judging: Detector, folder: Path) -> None:
    before = judging.fingerprint
    write(folder, seed=1)
    assert load_detector(judging.profile).fingerprint != before
