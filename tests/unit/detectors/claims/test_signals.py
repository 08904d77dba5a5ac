"""Each signal sees its own kind of error: a true and a false answer to one context."""

import pytest

from detectors import Detector
from tests.unit.detectors.factories import answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

FERRY = "The Balmoor ferry carries 40 cars and leaves at 7 am. The Sund ferry carries 65 cars. Dogs are not allowed on deck."


@pytest.mark.parametrize(
    ("signal", "context", "true", "false"),
    [
        ("coverage", FERRY, "The Balmoor ferry carries cars.", "The Balmoor ferry sells souvenirs and pastries."),
        ("gaps", FERRY, "The Balmoor ferry carries cars.", "The Balmoor ferry sells souvenirs and pastries."),
        ("phrases", FERRY, "The Balmoor ferry carries 40 cars.", "Cars 40 ferry Balmoor."),
        ("similarity", FERRY, "The Balmoor ferry carries cars.", "Sourdough needs patience."),
        ("alignment", FERRY, "The Balmoor ferry carries cars.", "Sourdough needs patience."),
        ("numbers", FERRY, "The Balmoor ferry carries forty cars.", "The Balmoor ferry carries 65 cars."),
        ("numbers", "The bridge opened on 2014-06-09.", "The bridge opened on 9 June 2014.", "The bridge opened on 9 July 2014."),
        ("numbers", "The parcel weighs 2 kg.", "The parcel weighs 2,000 g.", "The parcel weighs 2 g."),
        ("entities", "Ines Falk painted the mural.", "Ines Falk painted the mural.", "Oskar Brandt painted the mural."),
        ("polarity", FERRY, "Dogs are not allowed on deck.", "Dogs are allowed on deck."),
        ("polarity", "The cellar door was locked at noon.", "The cellar door was locked.", "The cellar door was unlocked."),
        ("roles", "Ines taught Oskar.", "Oskar was taught by Ines.", "Oskar taught Ines."),
        (
            "comparisons",
            "The oak is 30 m tall. The birch is 18 m tall.",
            "The oak is taller than the birch.",
            "The birch is taller than the oak.",
        ),
        ("quantifiers", "Some members voted for the plan.", "Some members voted for the plan.", "None of the members voted for the plan."),
        ("scope", "The mill will reopen soon.", "The mill will reopen.", "The mill has already reopened."),
    ],
)
def test_the_signal_is_lower_for_the_false_answer(default: Detector, signal: str, context: str, true: str, false: str) -> None:
    right, wrong = default.assess([answer(question=None, response=text, contexts=(context,)) for text in (true, false)])
    better, worse = right.scores[signal], wrong.scores[signal]
    assert better is not None
    assert worse is not None
    assert better > worse


def test_a_citation_is_held_against_the_passage_it_names(default: Detector) -> None:
    contexts = ("The oak is 30 m tall.", "Bread is baked at dawn.")
    given = [answer(question=None, response=f"The oak is 30 m tall {mark}.", contexts=contexts) for mark in ("[1]", "[2]", "[7]", "")]
    right, other, none, without = (one.scores["citations"] for one in default.assess(given))
    assert (right, none, without) == (1.0, 0.0, None)
    assert other is not None
    assert other < 0.5


@pytest.mark.parametrize("signal", ["numbers", "citations", "comparisons", "entities"])
def test_with_nothing_to_measure_the_signal_is_absent_and_named(default: Detector, signal: str) -> None:
    [assessment] = default.assess([answer(question=None, response="The lamp is bright.", contexts=("The lamp is bright.",))])
    assert assessment.scores[signal] is None
    assert signal in assessment.missing_signals


def test_the_english_parser_is_not_asked_about_other_languages(default: Detector) -> None:
    text = "Der Turm wurde von einer Ingenieurin aus dem Norden gebaut und steht noch."
    [assessment] = default.assess([answer(question=None, response=text, contexts=(text,))])
    assert (assessment.scores["roles"], assessment.scores["entities"]) == (None, None)
    assert (assessment.scores["final"] or 0) > 0.8
