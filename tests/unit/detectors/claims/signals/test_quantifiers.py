"""All, most, some, none, only, at least, at most."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, HIGH, NONE, PARTLY, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("All members voted for the plan.", "Every member voted for the plan.", FULL),
        ("Most members voted for the plan.", "The majority of the members voted for the plan.", FULL),
        ("Several members voted for the plan.", "Some members voted for the plan.", FULL),
        ("Nobody voted for the plan.", "None of the members voted for the plan.", FULL),
        ("Most, but not all, members voted for the plan.", "Most members voted for the plan.", FULL),
        ("The boiler rarely fails.", "The boiler seldom fails.", FULL),
        ("The boiler often fails.", "The boiler fails frequently.", FULL),
        ("One key is enough.", "One key suffices to open the safe.", FULL),
        ("It is the most read book of all time.", "It is said to be the most read book of all time.", FULL),
        ("Only members may vote.", "Voting is limited to members.", FULL),
        ("At least 40 members must vote.", "A minimum of 40 members must vote.", FULL),
        ("At most 40 members may vote.", "Up to 40 members may vote.", FULL),
        ("No more than 40 members may vote.", "At most 40 members may vote.", FULL),
    ],
)
def test_the_same_quantity_in_other_words_agrees(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("quantifiers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("All members voted for the plan.", "Some members voted for the plan.", NONE),
        ("All members voted for the plan.", "Most members voted for the plan.", NONE),
        ("None of the members voted for the plan.", "Some members voted for the plan.", NONE),
        ("Most members voted for the plan.", "A few members voted for the plan.", NONE),
        ("All members voted for the plan.", "Not all members voted for the plan.", NONE),
        ("Many members voted for the plan.", "Few members voted for the plan.", NONE),
        ("Most members voted for the plan.", "Hardly any members voted for the plan.", NONE),
        ("The boiler often fails.", "The boiler seldom fails.", NONE),
        ("The boiler rarely fails.", "The boiler frequently fails.", NONE),
        ("The boiler never fails.", "The boiler often fails.", NONE),
        ("Both keys are needed.", "One key is enough.", NONE),
        ("All visitors may enter the vault.", "Only visitors with a badge may enter the vault.", NONE),
        ("At least 40 members must vote.", "At most 40 members may vote.", NONE),
        ("Bags must weigh more than 20 kg.", "Bags must weigh less than 20 kg.", NONE),
    ],
)
def test_another_quantity_contradicts(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("quantifiers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("All members voted for the plan.", "The members voted for the plan.", PARTLY),
        ("Only members may vote.", "Members may vote.", PARTLY),
        ("Both keys are needed.", "Both keys are in the drawer, but one key is enough.", PARTLY),
        # nothing is claimed beyond what is told
        ("Some members voted for the plan.", "All members voted for the plan.", HIGH),
    ],
)
def test_what_the_contexts_leave_open_is_doubtful(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("quantifiers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The members voted for the plan.", "All members voted for the plan.", ABSENT),
        ("The wall is tall.", "The wall is tall.", ABSENT),
    ],
)
def test_without_a_quantifier_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("quantifiers", claim, context), expected)
