"""How much is unsupported in all."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FERRY, FULL, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 cars.", FERRY, FULL),
        ("40 cars are carried by the Balmoor ferry.", FERRY, FULL),
    ],
)
def test_nothing_missing(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("gaps", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The Balmoor ferry carries 40 penguins.", FERRY, (0.6, 0.95)),
        ("The Balmoor ferry carries penguins, pancakes, porridge, sonatas and gondolas.", FERRY, LOW),
    ],
)
def test_every_missing_word_takes_some(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("gaps", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("It is what it is.", FERRY, ABSENT),
    ],
)
def test_without_a_content_word_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("gaps", claim, context), expected)


def test_it_falls_with_each_addition_while_the_share_of_support_hardly_does(measure: Measure) -> None:
    told = "The Balmoor ferry carries 40 cars and leaves at seven"
    values = [
        measure(
            "gaps",
            told + more,
            FERRY,
        )
        or 0.0
        for more in (".", " with penguins.", " with penguins and gondolas.")
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] - values[2] > 0.2
