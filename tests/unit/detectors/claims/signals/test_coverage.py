"""Support of the content words by the best sentence or two."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, HIGH, NONE, PARTLY, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        (
            "The Balmoor ferry carries 40 cars.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            FULL,
        ),
        (
            "40 cars are carried by the Balmoor ferry.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            FULL,
        ),
        (
            "The ferries carry cars.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            FULL,
        ),
        # a second sentence adds the rest, at a discount
        (
            "The Balmoor ferry carries cars and sells souvenirs.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            HIGH,
        ),
    ],
)
def test_words_that_are_told_count(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("coverage", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        (
            "The Balmoor ferry serves pancakes and porridge.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            PARTLY,
        ),
        (
            "Penguins juggle sonatas.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            NONE,
        ),
    ],
)
def test_words_that_are_not_do_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("coverage", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        (
            "It is what it is.",
            "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs.",
            ABSENT,
        ),
    ],
)
def test_without_a_content_word_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("coverage", claim, context), expected)


def test_a_short_answer_is_supported_where_its_question_is(measure: Measure) -> None:
    context = "The oak was planted in Vellmar. The birch was planted in Sund."
    asked = "Where was the birch planted?"
    right, wrong = (measure("coverage", f"In {place}.", context, question=asked) for place in ("Sund", "Vellmar"))
    assert right is not None
    assert wrong is not None
    assert right > wrong
