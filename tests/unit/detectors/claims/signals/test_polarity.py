"""Negations and opposites against the clause of the contexts that speaks of the same thing."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

GRILL = "Auf dem Balkon darf nicht gegrillt werden, aber im Hof darf gegrillt werden."

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Dogs are not allowed on deck.", "Dogs are forbidden on deck.", FULL),
        ("Dogs aren't allowed on deck.", "Dogs are not allowed on deck.", FULL),
        ("The museum is not open on Mondays.", "The museum is closed on Mondays.", FULL),
        ("The cellar was never unlocked.", "The cellar was not unlocked.", FULL),
        ("The door was locked at noon.", "The door was locked at noon, and nobody saw the keeper.", FULL),
        ("Prices rose in spring.", "Prices increased in spring.", FULL),
        ("No permit is needed.", "A permit is not needed.", FULL),
        ("The mill no longer grinds corn.", "The mill does not grind corn any more.", FULL),
        ("No, dogs are allowed on deck.", "Dogs are allowed on deck.", FULL),
        ("No more than 40 cars fit on the ferry.", "Forty cars fit on the ferry.", FULL),
        ("The probe failed to find any water in the crater.", "The probe found no water in the crater.", FULL),
        ("Trains seldom stop in Orle.", "Stops of trains in Orle are rare.", FULL),
        ("Not yet: the bridge opens in June.", "The bridge opens in June.", FULL),
        ("Guests can book the boat only if they pay ahead.", "Guests cannot book the boat unless they pay ahead.", FULL),
        ("I'm not sure, but there are 393 species.", "There are 393 species of it.", FULL),
        ("i ' m not sure , but there are 393 species .", "There are 393 species of it.", FULL),
        ("no but it has a copper roof", "The mill has a copper roof.", FULL),
        ("Reiner is a former captain.", "Former captain Reiner has never lost a match.", FULL),
        ("The name comes from two plants.", "The name comes from the leaves and nuts of two plants.", FULL),
        ("Harlow City defeated Marston Rovers.", "Harlow City beat Marston Rovers.", FULL),
        ("Ben bought the house from Anna.", "Anna sold the house to Ben.", FULL),
        ("Temperatures are higher in summer and lower in winter.", "The temperature rises in summer and falls in winter.", FULL),
        ("Patients need a lower dose, not a higher one.", "Patients need a lower dose.", FULL),
        ("The water is not warm; it is cold.", "The water is cold.", FULL),
        ("The kiosk stays open until 8 pm.", "The kiosk closes at 8 pm.", FULL),
        ("The card is valid until 3 May.", "The card expires on 3 May.", FULL),
        ("The juice is sugar-free.", "The juice contains no sugar.", FULL),
        ("The shop is closed on Mondays.", "The shop is open every day except Monday.", FULL),
        ("The feature no longer exists.", "The feature was removed in version 4.0.", FULL),
        ("He no longer smokes.", "He quit smoking in 2019.", FULL),
        ("Juniors pay 9 euros.", "Adults pay 14 euros and juniors 9 euros; children under four may not attend.", FULL),
        ("The kiosk opens at noon.", "The kiosk does not open until noon.", FULL),
    ],
)
def test_the_same_thing_said_in_other_words_is_no_contradiction(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("polarity", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Dogs are allowed on deck.", "Dogs are not allowed on deck.", LOW),
        ("Dogs are not allowed on deck.", "Dogs are allowed on deck.", LOW),
        ("Dogs are allowed on deck.", "Dogs are forbidden on deck.", LOW),
        ("The museum is open on Mondays.", "The museum is closed on Mondays.", LOW),
        ("The door was unlocked at noon.", "The door was locked at noon.", LOW),
        ("Prices fell in spring.", "Prices rose in spring.", LOW),
        ("The treatment is painless.", "The treatment is painful.", LOW),
        ("The mill still grinds corn.", "The mill no longer grinds corn.", LOW),
        ("Fishing is possible with a permit.", "Fishing is not possible with a permit.", LOW),
        ("Anyone can enter without a ticket.", "Nobody can enter without a ticket.", LOW),
        ("The survey found an increase in noise near the quay.", "The survey found no rise in noise near the quay.", LOW),
        ("The probe found water in the crater.", "The probe failed to find water in the crater.", LOW),
        ("Exports of timber soared in May.", "Exports of timber slumped in May.", LOW),
        ("Firewood is plentiful on the island.", "Firewood is scarce on the island.", LOW),
        ("The council adopted the plan for the tram.", "The council rejected the plan for the tram.", LOW),
    ],
)
def test_a_negation_or_an_opposite_is_a_contradiction(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("polarity", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Der Turm ist am Montag nicht für Besucher geöffnet worden.", "Der Turm ist am Montag nicht für Besucher geöffnet worden.", FULL),
        ("Der Turm ist am Montag für Besucher geöffnet worden.", "Der Turm ist am Montag nicht für Besucher geöffnet worden.", LOW),
        ("塔は開いていない。", "塔は開いていません。", FULL),
        ("Im Hof darf gegrillt werden, auf dem Balkon ist es verboten.", GRILL, FULL),
        ("Auf dem Balkon darf gegrillt werden, im Hof ist es verboten.", GRILL, LOW),
        ("El museo del puerto está abierto los lunes.", "El museo del puerto está cerrado los lunes.", LOW),
        ("Die Zahl der Gäste ist im Mai gestiegen.", "Die Zahl der Gäste ist im Mai gesunken.", LOW),
    ],
)
def test_other_languages_are_compared_by_parts_for_their_negators_and_opposites(
    measure: Measure, claim: str, context: str, expected: Bound
) -> None:
    assert keeps(measure("polarity", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The soup is not salted.", "Dogs are allowed on deck.", ABSENT),
        ("Penguins juggle.", "The museum is closed on Mondays.", ABSENT),
    ],
)
def test_where_no_clause_speaks_of_it_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("polarity", claim, context), expected)
