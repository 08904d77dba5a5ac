"""Comparisons checked by the values that the contexts give."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, NONE, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The oak is taller than the birch.", "The oak is 30 m tall. The birch is 18 m tall.", FULL),
        ("The birch is shorter than the oak.", "The oak is 30 m tall. The birch is 18 m tall.", FULL),
        ("The birch is less tall than the oak.", "The oak is 30 m tall. The birch is 18 m tall.", FULL),
        ("The crate is heavier than the sack.", "The crate weighs 2 kg. The sack weighs 900 g.", FULL),
        ("The kettle is cheaper than the lamp.", "The kettle costs 30 euros. The lamp costs 45 euros.", FULL),
        ("The express is faster than the tram.", "The tram runs at 40 km/h. The express runs at 160 km/h.", FULL),
        ("The express is faster than the tram.", "The tram takes 50 minutes. The express takes 20 minutes.", FULL),
        ("The drill is louder than the fan.", "The drill reaches 95 dB. The fan reaches 40 dB.", FULL),
        ("The mill is older than the barn.", "The mill is 200 years old. The barn is 90 years old.", FULL),
        ("The rye bread costs more than the loaf.", "Loaf 500 g: 3.10 euros. Rye bread 500 g: 4.20 euros.", FULL),
        ("Maria is older than Jonas.", "Maria is 34 years old, Jonas is 29.", FULL),
        ("Model A is heavier than model B.", "Model A weighs 3 kg. Model B weighs 2 kg.", FULL),
        ("The lamp costs more than the kettle.", "The kettle costs 30 euros. The lamp costs 45 euros.", FULL),
        ("The fee rose from 12 to 15 euros.", "In 2019 the fee was 12 euros. In 2021 the fee was 15 euros.", FULL),
        ("The fee of Sund rose from 12 to 15.", "town,2019,2021\nSund,12,15\nVellmar,15,12", FULL),
    ],
)
def test_values_bear_it_out(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("comparisons", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The birch is taller than the oak.", "The oak is 30 m tall. The birch is 18 m tall.", NONE),
        ("The oak is shorter than the birch.", "The oak is 30 m tall. The birch is 18 m tall.", NONE),
        ("The oak is less tall than the birch.", "The oak is 30 m tall. The birch is 18 m tall.", NONE),
        ("The sack is heavier than the crate.", "The crate weighs 2 kg. The sack weighs 900 g.", NONE),
        ("The lamp is cheaper than the kettle.", "The kettle costs 30 euros. The lamp costs 45 euros.", NONE),
        ("The tram is faster than the express.", "The tram takes 50 minutes. The express takes 20 minutes.", NONE),
        ("Jonas is older than Maria.", "Maria is 34 years old, Jonas is 29.", NONE),
        ("Model B is heavier than model A.", "Model A weighs 3 kg. Model B weighs 2 kg.", NONE),
        ("The lamp costs less than the kettle.", "The kettle costs 30 euros. The lamp costs 45 euros.", NONE),
        ("The fee fell from 15 euros to 12 euros.", "In 2019 the fee was 12 euros. In 2021 the fee was 15 euros.", NONE),
        ("The fee of Sund fell from 15 to 12.", "town,2019,2021\nSund,12,15\nVellmar,15,12", NONE),
    ],
)
def test_values_contradict_it(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("comparisons", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The oak is tall.", "The oak is 30 m tall. The birch is 18 m tall.", ABSENT),
        ("The oak is taller than the birch.", "The oak is 30 m tall. The birch is green.", ABSENT),
        ("The oak is heavier than the birch.", "The oak is 30 m tall. The birch is 18 m tall.", ABSENT),
        ("The oak is taller than the birch.", "The oak is taller than the birch.", ABSENT),
        ("The fee rose from 12 to 15 euros.", "The fee was 12 euros. The fee was 15 euros.", ABSENT),
        # sides that are places, not subjects, are not looked up
        ("More people live in Vellmar than in Sund.", "Vellmar has 9,000 people. Sund has 4,000 people.", ABSENT),
    ],
)
def test_without_two_values_of_its_kind_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("comparisons", claim, context), expected)
