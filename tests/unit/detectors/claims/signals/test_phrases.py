"""Support of word pairs."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FERRY, FULL, NONE, PARTLY, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 cars.", FERRY, FULL),
        ("The Balmoor ferries carried 40 cars.", FERRY, FULL),
    ],
)
def test_pairs_that_stand_so_are_told(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("phrases", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Cars 40 ferry Balmoor.", FERRY, NONE),
        ("Penguins juggle Baroque sonatas.", FERRY, NONE),
        ("The Balmoor ferry carries 40 penguins.", FERRY, PARTLY),
    ],
)
def test_the_same_words_in_another_order_are_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("phrases", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Balmoor.", FERRY, ABSENT),
        ("It is what it is.", FERRY, ABSENT),
    ],
)
def test_without_a_pair_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("phrases", claim, context), expected)
