"""Citations checked against the passage they name."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, NONE, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

CONTEXTS = ("The oak is 30 m tall.", "Bread is baked at dawn.")


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The oak is 30 m tall [1].", FULL),
        ("The oak is 30 m tall. [1]", FULL),
        ("The oak [1] is 30 m tall.", FULL),
        ("The oak is 30 m tall [doc_1].", FULL),
        ("The oak is 30 m tall (source 1).", FULL),
        ("The oak is 30 m tall 【2】.", LOW),
        ("The oak is 30 m tall [1][7].", NONE),
        # one of those named speaks of it
        ("The oak is 30 m tall [1, 2].", FULL),
        ("The oak is 30 m tall [1][2].", FULL),
        ("The oak is 30 m tall [2].", LOW),
        # there is no such passage
        ("The oak is 30 m tall [7].", NONE),
        ("The oak is 30 m tall.", ABSENT),
        # brackets without a number cite nothing
        ("The oak [sic] is 30 m tall.", ABSENT),
    ],
)
def test_the_passage_named_must_speak_of_the_claim(measure: Measure, claim: str, expected: Bound) -> None:
    assert keeps(measure("citations", claim, *CONTEXTS), expected)


def test_a_single_context_has_no_numbers(measure: Measure) -> None:
    assert measure("citations", "The oak is 30 m tall [4].", CONTEXTS[0]) is None
