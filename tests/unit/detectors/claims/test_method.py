"""All contexts are read whole, whatever characters they come in; what is not looked at is said."""

import pytest

from detectors import Answer, Detector
from schemas import ScoreStatus
from tests.unit.detectors.factories import CONTEXT, answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

FILLER = "Gulls circle above the harbour while fishermen mend their nets. " * 40


def _scores(detector: Detector, *answers: Answer) -> list[dict[str, float | None]]:
    return [assessment.scores for assessment in detector.assess(answers)]


def test_support_beyond_the_encoders_reach_counts(default: Detector, seed: Detector) -> None:
    late = answer(contexts=(FILLER + CONTEXT,))
    assert default.assess([late])[0].low_confidence_sentences == ()
    [cut], [whole] = _scores(seed, late), _scores(default, late)
    assert (whole["cosine"] or 0) > (cut["cosine"] or 0)


def test_the_fourth_context_is_read(default: Detector) -> None:
    [scores] = _scores(default, answer(contexts=("Gulls.", "Nets.", "Boats.", CONTEXT)))
    assert scores["ner_overlap"] == 1.0


def test_without_an_entity_the_measure_is_absent_and_named(default: Detector, seed: Detector) -> None:
    given = answer(response="The lamp shines far across the water.")
    [assessment] = default.assess([given])
    assert assessment.scores["ner_overlap"] is None
    assert "ner_overlap" in assessment.missing_signals
    assert _scores(seed, given)[0]["ner_overlap"] == 0.0


def test_markup_and_invisible_characters_change_nothing_but_offsets(default: Detector) -> None:
    dirty = answer(response="La\u200bmp &amp; museum\x00 of Orvane.\ufeff", contexts=(CONTEXT.replace("'", "&rsquo;"),))
    assert _scores(default, dirty) == _scores(default, answer(response="Lamp & museum of Orvane."))


def test_list_marks_are_no_words(default: Detector) -> None:
    plain, listed = _scores(
        default,
        answer(response="Its lamp reaches 24 nautical miles.\nThe house is a museum."),
        answer(response="1. Its lamp reaches 24 nautical miles.\n2) The house is a museum."),
    )
    assert (plain["final"], plain["numbers"], plain["cosine"]) == (listed["final"], listed["numbers"], listed["cosine"])


def test_a_sample_of_the_same_words_is_wholly_consistent(default: Detector) -> None:
    [scores] = _scores(default, answer(samples=(answer().response,)))
    assert scores["consistency"] == 1.0


def test_more_sentences_than_the_limit_are_said_to_be_cut(default: Detector) -> None:
    [assessment] = default.assess([answer(response="The log was kept. " * 300)])
    assert assessment.context_truncated
    assert len(assessment.low_confidence_sentences) <= default.profile.limits.sentences


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"response": "[1] [2]"}, ScoreStatus.ABSTAINED),
        ({"contexts": ("???", "😀")}, ScoreStatus.NO_CONTEXT),
        ({"response": "Yes.", "question": None, "contexts": ("The tower is 300 metres tall.",)}, ScoreStatus.SCORED),
    ],
)
def test_texts_without_words_have_no_scores_and_those_that_share_none_have(
    default: Detector, given: dict[str, object], status: ScoreStatus
) -> None:
    [assessment] = default.assess([answer(**given)])
    assert assessment.status is status
