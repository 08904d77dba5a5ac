"""Whether one passage tells the whole claim."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

HARLOW = "The Harlow ferry carries cars. It crosses the sound in ninety minutes."
ORLE = "The Orle ferry carries lorries. It crosses the sound in forty minutes."


@pytest.mark.parametrize(
    ("claim", "contexts", "expected"),
    [
        ("The Harlow ferry crosses in ninety minutes.", (HARLOW, ORLE), FULL),
        ("The Harlow ferry crosses in ninety minutes.", (ORLE, HARLOW), FULL),
        ("The Harlow ferry crosses in forty minutes.", (HARLOW, ORLE), (0.0, 0.95)),
        ("The Harlow ferry crosses in forty minutes.", (ORLE, HARLOW), (0.0, 0.95)),
    ],
)
def test_a_fact_of_another_passage_lowers_it(measure: Measure, claim: str, contexts: tuple[str, ...], expected: Bound) -> None:
    assert keeps(measure("passage", claim, *contexts), expected)


def test_a_short_answer_stands_beside_what_is_asked(measure: Measure) -> None:
    asked = "How long does the Harlow ferry take?"
    right, wrong = (measure("passage", f"It takes {n} minutes.", HARLOW, ORLE, question=asked) for n in ("ninety", "forty"))
    assert wrong is not None and (right is None or right > wrong)


@pytest.mark.parametrize(
    ("claim", "contexts", "expected"),
    [
        ("The Harlow ferry carries cars.", (HARLOW,), ABSENT),
        ("The Harlow ferry carries cars.", ("The Harlow ferry carries cars.", "It crosses the sound."), ABSENT),
    ],
)
def test_one_passage_or_single_sentences_tell_nothing(measure: Measure, claim: str, contexts: tuple[str, ...], expected: Bound) -> None:
    assert keeps(measure("passage", claim, *contexts), expected)
