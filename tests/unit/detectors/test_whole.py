"""The answer as a whole: what the gatekeeper compares, and the hybrid's measures."""

from math import log

import numpy as np
import pytest

from detectors.profile import Grounded
from detectors.whole import Whole, cosine, hybrid, ner_overlap, similarities, tfidf_js

WEIGHTS = Grounded(cosine=0.5, ner_overlap=0.3, tfidf_js=0.2)
EAST, NORTH = np.array([1.0, 0.0]), np.array([0.0, 1.0])
NORTHEAST, WEST = np.array([1.0, 1.0]) / 2**0.5, -EAST


def _idf(_: str) -> float:
    return 1.0


def test_similarities_are_clipped_and_absent_without_a_question() -> None:
    response, context = Whole(["lamp", "lamp", "shines"], EAST), Whole(["lamp"], WEST)
    found = similarities(response, context, None, sentences=[EAST], samples=[], hedges=2)
    assert (found.context_cosine, found.context_overlap, found.response_tokens, found.distinct_tokens, found.hedges) == (0, 0.5, 3, 2, 2)
    assert (found.question_cosine, found.question_overlap, found.best_sentence, found.consistency) == (None, None, None, None)


def test_the_question_meets_the_response_and_its_best_sentence_and_samples_are_averaged() -> None:
    response, question = Whole(["lamp"], NORTHEAST), Whole(["lamp", "who"], NORTH)
    found = similarities(response, response, question, sentences=[EAST, NORTH], samples=[EAST, WEST], hedges=0)
    assert found.question_cosine == pytest.approx(0.5**0.5)
    assert (found.question_overlap, found.best_sentence) == (0.5, 1.0)
    assert found.consistency == pytest.approx(0.5**0.5 / 2)


def test_grounded_is_the_mean_by_weight_and_divergence_counts_against_it() -> None:
    scores = hybrid({"cosine": 0.8, "ner_overlap": 0.5, "tfidf_js": 0.25}, WEIGHTS)
    assert scores["grounded"] == pytest.approx(0.5 * 0.8 + 0.3 * 0.5 + 0.2 * 0.8)
    assert scores["tfidf_js"] == 0.25


def test_an_absent_measure_leaves_its_weight_to_the_others() -> None:
    scores = hybrid({"cosine": 0.8, "ner_overlap": None, "tfidf_js": 0.0}, WEIGHTS)
    assert scores["grounded"] == pytest.approx((0.5 * 0.8 + 0.2) / 0.7)
    assert hybrid({"cosine": None, "ner_overlap": None, "tfidf_js": None}, WEIGHTS)["grounded"] is None


def test_the_cosine_is_not_clipped() -> None:
    assert cosine(Whole([], EAST), Whole([], WEST)) == -1


@pytest.mark.parametrize(
    ("entities", "share"),
    [
        (["Zoë Müller", "the USA", "1999"], 1.0),
        (["Zoe Muller", "Oslo"], 0.5),
        (["Oslo"], 0.0),
        (["the"], None),
        ([], None),
    ],
)
def test_entities_match_whatever_article_possessive_and_accent_in_any_context(entities: list[str], share: float | None) -> None:
    assert ner_overlap(entities, ("Gulls.", "Zoe Muller's move to the U.S.A. was in 1999.")) == share


def test_divergence_of_a_text_to_itself_is_nothing_and_to_a_foreign_one_all() -> None:
    assert tfidf_js(["lamp", "lamp", "sea"], ["sea", "lamp", "lamp"], _idf) == pytest.approx(0, abs=1e-9)
    assert tfidf_js(["lamp"], ["penguin"], _idf) == pytest.approx(log(2))
    assert tfidf_js([], ["penguin"], _idf) is None
