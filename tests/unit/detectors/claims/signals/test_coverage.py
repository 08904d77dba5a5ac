"""Support of the content words by the best sentence or two."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FERRY, FULL, HIGH, NONE, PARTLY, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 cars.", FERRY, FULL),
        ("40 cars are carried by the Balmoor ferry.", FERRY, FULL),
        ("The ferries carry cars.", FERRY, FULL),
        # a second sentence adds the rest, at a discount
        ("The Balmoor ferry carries cars and sells souvenirs.", FERRY, HIGH),
    ],
)
def test_words_that_are_told_count(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("coverage", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry serves pancakes and porridge.", FERRY, PARTLY),
        ("Penguins juggle sonatas.", FERRY, NONE),
    ],
)
def test_words_that_are_not_do_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("coverage", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("It is what it is.", FERRY, ABSENT),
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
