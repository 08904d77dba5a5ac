"""Facts of like things, exchanged."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, NONE, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

OFFICES = "The Oslo office opened in 2010 with 40 employees. The Bergen office opened in 2015 with 25 employees."
PLANS = "The basic plan costs 9 euros a month and includes 5 GB. The premium plan costs 19 euros a month and includes 100 GB."
WARDS = "Ina Holm leads the cardiology ward. Per Lund leads the oncology ward."
WINES = "Red wine goes with beef. White wine goes with fish."
MUSEUMS = "In Berlin the museum is closed on Mondays. In Hamburg the museum is closed on Tuesdays."


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("The Bergen office opened in 2010.", OFFICES),
        ("The Oslo office has 25 employees.", OFFICES),
        ("The premium plan costs 9 euros a month.", PLANS),
        ("With the basic plan you get 100 GB.", PLANS),
        ("Per Lund leads the cardiology ward.", WARDS),
        ("White wine goes with beef.", WINES),
        ("The Hamburg museum is closed on Mondays.", MUSEUMS),
        ("Model B runs for 8 hours.", "Model A weighs 3 kg and runs for 8 hours. Model B weighs 2 kg and runs for 11 hours."),
        ("The museum opened in 1987 and moved in 1921.", "The museum opened in 1921 and moved to the harbour in 1987."),
        ("Karl studied physics.", "Anna studied physics in Graz. Her brother Karl studied law in Linz."),
    ],
)
def test_the_one_thing_with_the_fact_of_the_other_is_mixed(measure: Measure, claim: str, context: str) -> None:
    assert keeps(measure("frames", claim, context), NONE)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("The premium plan costs 19 euros a month.", PLANS),
        ("Acme acquired Bartech in 2015.", "Acme acquired Foobar in 2010. The company acquired Bartech in 2015."),
    ],
)
def test_facts_taken_from_one_clause_are_not(measure: Measure, claim: str, context: str) -> None:
    assert keeps(measure("frames", claim, context), FULL)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("The Oslo office opened in 2010 and the Bergen office in 2015.", OFFICES),
        ("The Bergen office opened in 2015, when Oslo already had 40 employees.", OFFICES),
        ("Both offices opened between 2010 and 2015.", OFFICES),
        ("The hotel was renovated in 2005.", "The hotel was renovated in 1999. It was renovated again in 2005 by new owners."),
        ("Revenue rose to 6 million in 2011.", "Revenue was 5 million in 2010. Revenue was 6 million in 2011."),
        ("Jo Stein's lamp was built in 1955.", "The lamp was designed by Jo Stein. The lamp was built by a firm in Turin in 1955."),
        ("Norway imports cars.", "Norway exports oil. The Norwegians import cars."),
        ("Ines taught Oskar.", "Bread is baked at dawn."),
        ("Die Filiale in Bergen wurde im Jahr 2010 eröffnet.", "Die Filiale in Oslo wurde 2010 eröffnet, die in Bergen im Jahr 2015."),
    ],
)
def test_it_is_absent_where_one_thing_is_told_or_both_are_meant(measure: Measure, claim: str, context: str) -> None:
    assert keeps(measure("frames", claim, context), ABSENT)
