"""Overload leaves models out: what they would say is absent, never replaced, and the rest is still scored."""

import pytest

from detectors import Detector, Profile, load_profile
from detectors.detector import make_detector
from detectors.errors import ProfileError
from detectors.models import Models
from schemas import ScoreStatus
from tests.unit.detectors.factories import CONTEXT, answer
from tests.unit.detectors.test_calibration import calibration

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

BY_VECTORS = {"similarity", "alignment", "cosine", "relevance", "context_quality", "consistency", "grounded", "disagreement"}
BY_PARSES = {"ner_overlap", "entities", "frames", "roles", "polarity"}
SAMPLED = answer(samples=("Marta Lindqvist built it in 1911.",))


def _failing(*_: object, **__: object) -> None:
    raise AssertionError("a model that is left out was asked")


def test_the_default_profile_leaves_the_dearest_model_out_first() -> None:
    assert load_profile("default").shedding == ("encoder", "parser")
    assert load_profile("seed").shedding == ()


@pytest.mark.parametrize(("shed", "absent"), [(1, BY_VECTORS), (2, BY_VECTORS | BY_PARSES)])
def test_what_a_model_left_out_would_say_is_absent_and_named(default: Detector, shed: int, absent: set[str]) -> None:
    [whole], [degraded] = default.assess([SAMPLED]), default.assess([SAMPLED], shed)
    assert degraded.status is ScoreStatus.SCORED
    gone = {name for name, score in degraded.scores.items() if score is None and whole.scores[name] is not None}
    assert gone == absent & {name for name, score in whole.scores.items() if score is not None}
    assert absent <= {name for name, score in degraded.scores.items() if score is None} == set(degraded.missing_signals)
    assert (whole.degraded, degraded.degraded) == (False, True)


@pytest.mark.parametrize("shed", [1, 2])
def test_the_models_left_out_are_not_asked(models: Models, monkeypatch: pytest.MonkeyPatch, shed: int) -> None:
    detector = make_detector(load_profile("default"), models)
    for name in ("spell", "encode", "windows"):
        monkeypatch.setattr(models.encoder, name, _failing)
    if shed > 1:
        monkeypatch.setattr(models.parser, "parse", _failing)
    [assessment] = detector.assess([SAMPLED], shed)
    assert assessment.scores["final"] is not None


@pytest.mark.parametrize("shed", [1, 2])
def test_words_still_match_by_their_stems(default: Detector, shed: int) -> None:
    backed, wrong, invented = default.assess(
        [answer(), answer(response="It was built in 1912 by Marta Lindqvist."), answer(response="Penguins juggle at midnight in Vellmar.")],
        shed,
    )
    finals = [one.scores["final"] or 0 for one in (backed, wrong, invented)]
    assert finals == sorted(finals, reverse=True)
    assert (backed.scores["coverage"], backed.scores["numbers"]) == (1.0, 1.0)
    assert (wrong.scores["numbers"] or 0) < 0.5
    assert [span.category for span in wrong.spans] == ["contradiction"]


@pytest.mark.parametrize("shed", [1, 2])
def test_no_sentence_is_reported_for_a_cosine_that_was_not_taken(default: Detector, shed: int) -> None:
    invented = answer(response="Penguins love Baroque dances!")
    assert default.assess([invented])[0].low_confidence_sentences
    assert default.assess([invented], shed)[0].low_confidence_sentences == ()


def test_a_claim_that_nothing_left_can_measure_has_no_score_and_no_part_in_the_answers(default: Detector) -> None:
    [alone, beside, without] = default.assess(
        [answer(question=None, response=text) for text in ("Yes.", "Yes. It was built in 1911.", "It was built in 1911.")], 2
    )
    assert (alone.status, alone.scores["final"], alone.spans) == (ScoreStatus.SCORED, None, ())
    assert beside.scores["final"] == without.scores["final"]
    assert len(beside.spans) == 1


def test_a_foreign_text_is_scored_without_models_as_an_english_one_is(default: Detector) -> None:
    foreign = answer(response="Der Leuchtturm wurde 1911 gebaut.", contexts=("Der Leuchtturm von Orvane wurde im Jahr 1911 gebaut.",))
    [assessment] = default.assess([foreign], 2)
    assert (assessment.scores["final"] or 0) > 0.7


def test_a_calibration_says_nothing_of_scores_that_were_read_without_a_model(default: Detector, models: Models) -> None:
    profile = default.profile.model_copy(update={"calibration": calibration(detector=default.fingerprint)})
    detector = make_detector(profile, models)
    assert detector.assess([answer()])[0].scores["probability"] is not None
    [degraded] = detector.assess([answer()], 1)
    assert degraded.scores["probability"] is None
    assert "probability" in degraded.missing_signals


def test_the_seeds_formulas_know_no_absent_model(seed: Detector, models: Models) -> None:
    content = seed.profile.model_dump()
    content["rules"]["degraded"] = load_profile("default").rules.model_dump()["degraded"]
    with pytest.raises(ProfileError, match="seed: shedding: the seeds need encoder; give an empty list"):
        make_detector(Profile.model_validate(content | {"shedding": ("encoder",)}), models)


def test_the_order_of_shedding_is_part_of_the_fingerprint(default: Detector, models: Models) -> None:
    other = Profile.model_validate(default.profile.model_dump() | {"shedding": ("parser", "encoder")})
    assert make_detector(other, models).fingerprint != default.fingerprint
    [assessment] = make_detector(other, models).assess([answer(contexts=(CONTEXT,))], 1)
    assert (assessment.scores["entities"], assessment.scores["cosine"] is None) == (None, False)
