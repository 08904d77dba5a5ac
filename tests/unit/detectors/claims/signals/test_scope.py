"""Conditions and times."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Entry is free only if you are a member.", "Entry is free provided you are a member.", FULL),
        ("The mill still runs.", "The mill continues to run to this day.", FULL),
        ("The mill will reopen.", "The mill is going to reopen soon.", FULL),
        ("The mill no longer runs.", "The mill has ceased to run, formerly the largest of the valley.", FULL),
        ("The mill has already reopened.", "The mill has been reopened.", FULL),
        ("The fee is paid even if it rains.", "The fee is paid regardless of the rain.", FULL),
    ],
)
def test_the_same_condition_or_time_agrees(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("scope", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Entry is free regardless of age.", "Entry is free only if you are under ten.", LOW),
        ("The fee is refunded automatically.", "The fee is refunded unless the trip has begun.", LOW),
        ("The mill still runs.", "The mill no longer runs.", LOW),
        ("The mill has already reopened.", "The mill will reopen soon.", LOW),
        ("The mill is still closed.", "The mill will be closed from next spring.", LOW),
        ("The council approved the plan.", "The council will approve the plan in May.", LOW),
    ],
)
def test_another_condition_or_time_differs(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("scope", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The mill runs.", "The mill runs on water.", ABSENT),
        ("The mill runs.", "The mill still runs.", ABSENT),
    ],
)
def test_where_neither_shows_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("scope", claim, context), expected)
