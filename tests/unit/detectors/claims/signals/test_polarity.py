"""Negations and opposites against the clause of the contexts that speaks of the same thing."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

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
    ],
)
def test_other_languages_are_compared_by_their_negators(measure: Measure, claim: str, context: str, expected: Bound) -> None:
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
