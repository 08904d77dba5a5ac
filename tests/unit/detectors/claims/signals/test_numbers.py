"""Numbers, quantities, percentages and dates by value, not by their writing."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, NONE, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The ferry carries forty cars.", "The ferry carries 40 cars.", FULL),
        ("The ferry carries twenty-five cars.", "The ferry carries 25 cars.", FULL),
        ("The crate weighs 1200 kg.", "The crate weighs 1.2 tonnes.", FULL),
        ("The mill closed in the 1990s.", "The mill closed in the 1990s.", FULL),
        ("The bridge cost half a million euros.", "The bridge cost 0.5 million euros.", FULL),
        ("Two thirds of a mile is paved.", "Of the way two thirds of a mile is paved.", FULL),
        ("The library holds 1,200 maps.", "The library holds 1200 maps.", FULL),
        ("The library holds 1 200 maps.", "The library holds 1200 maps.", FULL),
        ("The parcel weighs 2 kg.", "The parcel weighs 2,000 g.", FULL),
        ("The walk takes 90 minutes.", "The walk takes 1.5 hours.", FULL),
        ("The walk takes half an hour.", "The walk takes 30 minutes.", FULL),
        ("Half of the members came.", "50% of the members came.", FULL),
        ("Three quarters of the members came.", "75 percent of the members came.", FULL),
        ("Two fifths of the members came.", "40 percent of the members came.", FULL),
        ("The bridge cost 38 million euros.", "The bridge cost €38m.", FULL),
        ("The bridge cost half a million euros.", "The bridge cost 500,000 euros.", FULL),
        ("The bridge opened on 2014-06-09.", "The bridge opened on 9 June 2014.", FULL),
        ("The bridge opened on June 9, 2014.", "The bridge opened on the 9th of June 2014.", FULL),
        ("The bridge opened in June 2014.", "The bridge opened on 9 June 2014.", FULL),
        ("The train leaves at 07:30.", "The train leaves at 7:30.", FULL),
        ("Claims are due by the 12th.", "Claims are due on 12 December.", FULL),
        ("She came third.", "She came 3rd.", FULL),
        ("The chapel dates from the 12th century.", "The chapel dates from the twelfth century.", FULL),
    ],
)
def test_a_value_counts_as_told_however_it_is_written(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("numbers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The ferry carries 41 cars.", "The ferry carries 40 cars.", NONE),
        ("The ferry carries fourteen cars.", "The ferry carries forty cars.", NONE),
        ("The parcel weighs 2 g.", "The parcel weighs 2,000 g.", NONE),
        ("The parcel weighs 5 kg.", "The parcel weighs 5 g.", NONE),
        ("The bridge cost 38 billion euros.", "The bridge cost 38 million euros.", NONE),
        ("The bridge cost 38 million dollars.", "The bridge cost 38 million euros.", NONE),
        ("Half of the members came.", "30% of the members came.", NONE),
        ("The bridge opened on 9 July 2014.", "The bridge opened on 9 June 2014.", NONE),
        ("The bridge opened on 9 June 2015.", "The bridge opened on the 9th of June 2014.", NONE),
        ("Three quarters of the members came.", "Half of the members came.", NONE),
        ("The crate weighs 1200 kg.", "The crate weighs 1200 g.", NONE),
        ("The train leaves at 7:45.", "The train leaves at 7:30.", NONE),
        ("It was minus 4 degrees, or -4 °C.", "It was 4 °C.", LOW),
        # told of something else
        ("The oak is 18 m tall.", "The oak is 30 m tall. The birch is 18 m tall.", LOW),
        ("The Sund ferry carries 40 cars.", "The Balmoor ferry carries 40 cars. The Sund ferry carries 65 cars.", (0.1, 0.8)),
    ],
)
def test_another_value_counts_as_untold(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("numbers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The lamp is bright.", "The lamp has 40 watts.", ABSENT),
        ("One should not rush, and May is lovely.", "Nobody should rush.", ABSENT),
        ("First, stir the paint.", "Stir the paint first.", ABSENT),
    ],
)
def test_without_a_number_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("numbers", claim, context), expected)
