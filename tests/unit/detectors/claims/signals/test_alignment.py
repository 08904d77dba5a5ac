"""Each word's likeness to the most alike word of the best sentences."""

import pytest

from tests.unit.detectors.claims.signals.bounds import FERRY, FULL, HIGH, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 cars.", "The Balmoor ferry carries 40 cars.", FULL),
        ("The Balmoor ferry carries cars.", FERRY, HIGH),
        ("The shop closes at six.", "The store shuts at six.", (0.6, 1.0)),
    ],
)
def test_words_and_words_of_like_meaning_align(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("alignment", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Sourdough needs patience.", FERRY, LOW),
    ],
)
def test_words_of_another_matter_do_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("alignment", claim, context), expected)
