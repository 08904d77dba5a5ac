"""Likeness of meaning as a whole."""

import pytest

from tests.unit.detectors.claims.signals.bounds import FULL, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 cars.", "The Balmoor ferry carries 40 cars.", FULL),
        ("The Balmoor ferry carries 40 cars.", "Bread is baked at dawn. The Balmoor ferry carries 40 cars.", FULL),
        ("The shop closes at six in the evening.", "The store shuts at 6 pm.", (0.6, 1.0)),
    ],
)
def test_a_sentence_is_like_itself_and_its_paraphrase(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("similarity", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Sourdough needs patience.", "The Balmoor ferry carries 40 cars.", (0.0, 0.3)),
    ],
)
def test_it_is_unlike_another_matter(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("similarity", claim, context), expected)
