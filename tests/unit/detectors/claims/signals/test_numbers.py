"""Numbers, quantities, percentages and dates by value, not by their writing."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, HIGH, LOW, NONE, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The ferry carries forty cars.", "The ferry carries 40 cars.", FULL),
        ("The price is 1.250,50 euros.", "The price is 1250.50 euros.", FULL),
        ("The town has about 20,000 people.", "The town has 19,873 people.", FULL),
        ("The town has about 30,000 people.", "The town has 19,873 people.", NONE),
        ("Shipments grew from 5 million to 8 million.", "Shipments grew from 5 to 8 million.", HIGH),
        ("The X2 weighs 340 grams.", "The Aurora X2 lamp is new. It weighs 340 grams.", FULL),
        # what two values come to may have been worked out
        ("The Pro plan costs $10 more than the Basic plan.", "The Pro plan costs $19 a month, the Basic plan $9.", ABSENT),
        # marks of sources and steps measure nothing
        ("The ferry carries 40 cars (1).", "The ferry carries 40 cars.", FULL),
        ("The ferry carries 40 cars.[^1]", "The ferry carries 40 cars.", FULL),
        ("The ferry carries 40 cars 【1】.", "The ferry carries 40 cars.", FULL),
        ("The ferry carries 40 cars (source 1).", "The ferry carries 40 cars.", FULL),
        ("The ferry carries 40 cars ([more](https://example.org/12/cars)).", "The ferry carries 40 cars.", FULL),
        ("According to document 1, the ferry carries 40 cars.", "The ferry carries 40 cars.", FULL),
        ("Step 3: Board the ferry with its 40 cars.", "The ferry carries 40 cars.", FULL),
        ("The ferry carries twenty-five cars.", "The ferry carries 25 cars.", FULL),
        ("The crate weighs 1200 kg.", "The crate weighs 1.2 tonnes.", FULL),
        ("The mill closed in the 1990s.", "The mill closed in the 1990s.", FULL),
        ("The bridge cost half a million euros.", "The bridge cost 0.5 million euros.", FULL),
        ("Two thirds of a mile is paved.", "Of the way two thirds of a mile is paved.", FULL),
        ("The library holds 1,200 maps.", "The library holds 1200 maps.", FULL),
        ("The library holds 1 200 maps.", "The library holds 1200 maps.", FULL),
        ("On page 5 123,456,789 maps are listed.", "On page 5 123456789 maps are listed.", HIGH),
        ("The mix is 12:75.", "The mix is 13:15.", ABSENT),
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
        ("The choir has 412 members.", "The choir has four hundred and twelve members.", FULL),
        ("The archive keeps 7,300 letters.", "The archive keeps seven thousand three hundred letters.", FULL),
        ("The plant makes 215,000 bricks.", "The plant makes two hundred and fifteen thousand bricks.", FULL),
        ("The club has a hundred members.", "The club has 100 members.", FULL),
        ("She ordered two dozen plates.", "She ordered 24 plates.", FULL),
        ("The crossing takes two and a half hours.", "The crossing takes 150 minutes.", FULL),
        ("The theatre opened in 1936.", "The theatre opened in nineteen thirty-six.", FULL),
        ("The cellar is at minus 4 °C.", "The cellar is at -4 °C.", FULL),
        ("The oven reaches 300 degrees Celsius.", "The oven reaches 300 °C.", FULL),
        ("The hall covers 200 square metres.", "The hall covers 200 m².", FULL),
        # dates
        ("The bridge opened on 09/06/2014.", "The bridge opened on 9 June 2014.", FULL),
        ("The bridge opened on 6/9/2014.", "The bridge opened on 9 June 2014.", FULL),
        ("The bridge opened on 2014/06/09.", "The bridge opened on 09.06.2014.", FULL),
        ("He was born on the twenty-first of May 1810.", "He was born on 21 May 1810.", FULL),
        ("The fair opens on Tuesday.", "The fair opens on Tuesdays.", FULL),
        ("The fair is open on Thursday.", "The fair is open from Tuesday to Saturday.", FULL),
        ("The fair is open on weekdays.", "The fair is open Mon-Fri.", FULL),
        # times of the day
        ("The train leaves at 8:40 p.m.", "The train leaves at 20:40.", FULL),
        ("The train leaves at 8.40 pm.", "The train leaves at 20:40.", FULL),
        ("The train leaves at noon.", "The train leaves at 12:00.", FULL),
        ("The train leaves at half past six.", "The train leaves at 18:30.", FULL),
        ("The train leaves at quarter to seven in the evening.", "The train leaves at 18:45.", FULL),
        # shares
        ("Two in three members came.", "Two thirds of the members came.", FULL),
        ("Two thirds of the members came.", "67 % of the members came.", FULL),
        ("One in four members came.", "Every fourth member came.", FULL),
        ("One out of five members came.", "20 percent of the members came.", FULL),
    ],
)
def test_a_value_counts_as_told_however_it_is_written(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("numbers", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The ferry carries 41 cars.", "The ferry carries 40 cars.", NONE),
        # one wrong value is not made good by right ones
        ("The X200 lamp lasts 10 hours.", "The X200 lamp lasts 9 hours.", (0.0, 0.3)),
        ("Plan 3 costs 60 euros a month.", "Plan 3 costs 40 euros a month.", (0.0, 0.3)),
        ("Ferry 7 left at 9:30 on 4 May with 12 cars.", "Ferry 7 left at 9:30 on 4 May with 15 cars.", (0.0, 0.45)),
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
        ("The choir sang two songs.", "The choir sang for 20 years.", NONE),
        ("The choir has 421 members.", "The choir has four hundred and twelve members.", NONE),
        ("The bridge opened on 09/07/2014.", "The bridge opened on 9 June 2014.", NONE),
        ("The bridge opened on the ninth of June 2015.", "The bridge opened on 9 June 2014.", NONE),
        ("The oven reaches 300 degrees Fahrenheit.", "The oven reaches 300 °C.", NONE),
        ("The fair opens on Wednesday.", "The fair opens on Tuesdays.", NONE),
        ("The fair is open on Sunday.", "The fair is open from Tuesday to Saturday.", NONE),
        ("The train leaves at 8:40 a.m.", "The train leaves at 20:40.", NONE),
        ("The train leaves at quarter past six.", "The train leaves at 18:30.", NONE),
        ("One in three members came.", "Two thirds of the members came.", NONE),
        ("Every third member came.", "One in four members came.", NONE),
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
        ("The Sunday Echo praised it.", "The Echo praised it on Tuesday.", ABSENT),
        ("The fair opens on Tuesday.", "The fair opens tomorrow.", ABSENT),
    ],
)
def test_without_a_number_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("numbers", claim, context), expected)
