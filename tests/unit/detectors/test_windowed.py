"""What the windowed profile mends."""

import pytest

from detectors import Answer, Detector
from tests.unit.detectors.factories import CONTEXT, answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

FILLER = "Gulls circle above the harbour while fishermen mend their nets. " * 40


def _scores(detector: Detector, *answers: Answer) -> list[dict[str, float | None]]:
    return [assessment.scores for assessment in detector.assess(answers)]


def _number(score: float | None) -> float:
    assert score is not None
    return score


def test_support_beyond_the_encoders_first_window_counts(windowed: Detector, seed: Detector) -> None:
    late = answer(contexts=(FILLER + CONTEXT,))
    assert windowed.assess([late])[0].low_confidence_sentences == ()
    [cut] = _scores(seed, late)
    [whole] = _scores(windowed, late)
    assert _number(whole["cosine"]) > _number(cut["cosine"])


def test_the_fourth_context_is_read(windowed: Detector) -> None:
    [scores] = _scores(windowed, answer(contexts=("Gulls.", "Nets.", "Boats.", CONTEXT)))
    assert scores["ner_overlap"] == 1.0


def test_entities_match_whatever_article_possessive_and_accent(windowed: Detector, seed: Detector) -> None:
    given = answer(response="In 1999 Zoë Müller moved to the USA.", contexts=("Zoe Muller's move to the U.S.A. was in 1999.",))
    [mended] = _scores(windowed, given)
    [exact] = _scores(seed, given)
    assert mended["ner_overlap"] == 1.0
    assert _number(exact["ner_overlap"]) < 1.0


def test_without_an_entity_the_signal_is_absent_and_the_others_carry_its_weight(windowed: Detector, seed: Detector) -> None:
    given = answer(response="The lamp shines far across the water.")
    [assessment] = windowed.assess([given])
    scores = assessment.scores
    assert scores["ner_overlap"] is None
    assert assessment.missing_signals == ("ner_overlap",)
    divergence = 1 / (1 + _number(scores["tfidf_js"]))
    assert scores["grounded"] == pytest.approx((0.5 * _number(scores["cosine"]) + 0.2 * divergence) / 0.7, abs=1e-5)
    assert _scores(seed, given)[0]["ner_overlap"] == 0.0


def test_divergence_of_a_text_to_itself_is_nothing_and_to_a_foreign_one_all(windowed: Detector) -> None:
    same, foreign = _scores(windowed, answer(response=CONTEXT), answer(response="Penguins juggle."))
    assert same["tfidf_js"] == pytest.approx(0, abs=1e-9)
    assert foreign["tfidf_js"] == pytest.approx(0.693147, abs=1e-5)


def test_markup_and_invisible_characters_change_nothing_but_offsets(windowed: Detector) -> None:
    plain, dirty = _scores(
        windowed, answer(response="Lamp & museum of Orvane."), answer(response="La\u200bmp &amp; museum\x00 of Orvane.\ufeff")
    )
    assert plain == dirty


def test_more_sentences_than_the_limit_are_said_to_be_cut(windowed: Detector) -> None:
    [assessment] = windowed.assess([answer(response="".join(f"Log {number} was kept. " for number in range(300)))])
    assert assessment.context_truncated
