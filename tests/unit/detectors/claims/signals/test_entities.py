"""Names, looked up where the contexts speak of the claim."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, PARTLY, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Ines Falk painted the mural.", "The mural was painted by Ines Falk in 1998.", FULL),
        ("Falk painted the mural.", "Ines Falk painted the mural.", FULL),
        ("The NMO funded the mural.", "The Northern Mural Office funded the mural.", FULL),
        ("The Northern Mural Office funded the mural.", "The NMO funded the mural.", FULL),
        ("Vellmar's harbour froze.", "The harbour of Vellmar froze.", FULL),
    ],
)
def test_a_name_that_is_told_is_found(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("entities", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Oskar Brandt painted the mural.", "Ines Falk painted the mural.", LOW),
        # its initials are a common word there
        ("Ines Falk painted the mural.", "Ask Oskar if the mural is dry.", LOW),
        ("The harbour of Sund froze.", "The harbour of Vellmar froze.", LOW),
        # the first name is right
        ("Ines Brandt painted the mural.", "Ines Falk painted the mural.", PARTLY),
        # the order is right, half of the names is not
        ("Ines Falk met Oskar Brandt.", "Ines Falk met Clara Winter.", PARTLY),
    ],
)
def test_another_name_is_not(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("entities", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The mural is large.", "Ines Falk painted the mural.", ABSENT),
        ("It took 40 days.", "Ines Falk painted it in 40 days.", ABSENT),
    ],
)
def test_without_a_name_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("entities", claim, context), expected)
