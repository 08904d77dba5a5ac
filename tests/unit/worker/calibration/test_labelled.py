"""Which answers belong together, and what identifies labelled data."""

import numpy as np

from detectors import Answer
from worker.calibration.labelled import Labelled, fingerprint, group


def answer(response: str, *contexts: str, question: str | None = None) -> Answer:
    return Answer(question=question, response=response, contexts=contexts)


def test_the_same_contexts_or_the_same_answer_make_a_group_and_links_carry_on() -> None:
    answers = [answer("One.", "A"), answer("Two.", "A"), answer("Two.", "B"), answer("Three.", "C")]

    one, two, three, four = group(answers)

    assert one == two == three != four


def test_the_same_words_to_another_question_or_without_contexts_are_no_link() -> None:
    answers = [answer("Yes.", "A", question="Is it?"), answer("Yes.", "B", question="Was it?"), answer("No."), answer("Never.")]

    assert np.unique(group(answers)).size == 4


def test_no_answers_have_no_groups() -> None:
    assert group([]).size == 0


def test_scores_that_fall_as_answers_get_better_and_scores_that_nobody_has_are_no_signals() -> None:
    data = Labelled.of([{"final": 0.5, "disagreement": 0.1, "never": None}, {"final": None, "part": 0.2}], [True, False], np.arange(2))

    assert data.names == ("final", "part")
    assert np.isnan(data.scores).tolist() == [[False, True], [True, False]]


def test_the_fingerprint_depends_on_texts_and_labels_but_not_on_their_order() -> None:
    one, two = answer("One.", "A"), answer("Two.", "A")

    assert fingerprint([one, two], [True, False]) == fingerprint([two, one], [False, True])
    assert fingerprint([one, two], [True, False]) != fingerprint([one, two], [False, True])
