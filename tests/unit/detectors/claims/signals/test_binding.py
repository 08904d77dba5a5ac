"""Whether each word stands among the same neighbours as in the contexts."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, HIGH, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The red kite nests in the tower.", "The red kite nests in the tower. The blue heron fishes in the pond.", HIGH),
        ("In the tower nests the red kite.", "The red kite nests in the tower. The blue heron fishes in the pond.", HIGH),
    ],
)
def test_words_that_stand_together_are_bound(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("binding", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The blue heron nests in the tower.", "The red kite nests in the tower. The blue heron fishes in the pond.", (0.0, 0.8)),
    ],
)
def test_words_of_two_places_mixed_are_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("binding", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Herons.", "The blue heron fishes in the pond.", ABSENT),
        ("Penguins juggle sonatas.", "The blue heron fishes in the pond.", ABSENT),
    ],
)
def test_with_fewer_than_two_words_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("binding", claim, context), expected)
