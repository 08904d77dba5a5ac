"""Conditions and times."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, PARTLY, Bound, keeps
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
        ("The toll has been in place since May.", "The toll takes effect in May.", LOW),
        ("The lamp burns whatever the switch says.", "The lamp burns as long as the switch is on.", LOW),
        ("Fares are paid back when a boat is cancelled or delayed.", "Fares are paid back only if a boat is cancelled.", LOW),
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


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Dogs may swim.", "Dogs may swim, except in the nesting season.", PARTLY),
        ("Dogs may swim outside the nesting season, except near the weir.", "Dogs may swim, except in the nesting season.", FULL),
        ("The dogs are fed at noon.", "The dogs are fed at noon and may swim, except in the nesting season.", ABSENT),
    ],
)
def test_a_restriction_left_out_counts_where_it_is_put_on_the_claims_words(
    measure: Measure, claim: str, context: str, expected: Bound
) -> None:
    assert keeps(measure("scope", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Lightning set fire to the barn.", "Neighbours believed that lightning set fire to the barn, but a lamp was found.", LOW),
        ("The Ekwall bell weighs nine tonnes.", "It is wrongly said that the Ekwall bell weighs nine tonnes.", LOW),
        (
            "Neighbours believed that lightning set fire to the barn.",
            "Neighbours believed that lightning set fire to the barn, but a lamp was found.",
            ABSENT,
        ),
        ("A lamp was found in the barn.", "Neighbours believed in lightning, but a lamp was found in the barn.", ABSENT),
        ("Lightning set fire to the barn.", "Neighbours believed that lightning set fire to the barn.", ABSENT),
    ],
)
def test_what_the_context_tells_only_to_refute_it_differs(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("scope", claim, context), expected)
