"""Who did what to whom."""

import pytest

from tests.unit.detectors.claims.signals.bounds import ABSENT, FULL, LOW, Bound, keeps
from tests.unit.detectors.claims.signals.conftest import Measure

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Ines taught Oskar.", "Ines taught Oskar.", FULL),
        ("Oskar was taught by Ines.", "Ines taught Oskar.", FULL),
        ("Ines taught Oskar.", "Oskar was taught by Ines in Vellmar.", FULL),
        ("The red team defeated the blue team.", "The blue team was defeated by the red team.", FULL),
        ("The oak is taller than the birch.", "The oak is taller than the birch.", FULL),
        ("Brandt borrowed money from Falk.", "Falk lent money to Brandt.", FULL),
        ("Oskar learned from Ines.", "Ines taught Oskar.", FULL),
        ("Jonas is younger than Maria.", "Maria is older than Jonas.", FULL),
    ],
)
def test_the_same_roles_in_another_construction_agree(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("roles", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("Oskar taught Ines.", "Ines taught Oskar.", LOW),
        ("Ines was taught by Oskar.", "Ines taught Oskar.", LOW),
        ("The blue team defeated the red team.", "The red team defeated the blue team.", (0.0, 0.5)),
        ("The cat chased the dog.", "The dog chased the cat across the yard.", LOW),
        ("In 2018 Solarix acquired Brightleaf for 85 million.", "Brightleaf acquired Solarix for 85 million in 2018.", LOW),
        ("Brandt hired Falk.", "Falk hired Brandt in 1998.", LOW),
        ("The birch is taller than the oak.", "The oak is taller than the birch.", LOW),
        ("Falk borrowed money from Brandt.", "Falk lent money to Brandt.", LOW),
    ],
)
def test_exchanged_roles_disagree(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("roles", claim, context), expected)


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The lamp is bright.", "The lamp is bright.", ABSENT),
        ("Ines taught Oskar.", "Bread is baked at dawn.", ABSENT),
        ("Ines slept.", "Ines taught Oskar.", ABSENT),
        (
            "Der Turm wurde von einer Ingenieurin aus dem Norden gebaut.",
            "Der Turm wurde von einer Ingenieurin aus dem Norden gebaut.",
            ABSENT,
        ),
    ],
)
def test_without_two_known_parties_the_signal_is_absent(measure: Measure, claim: str, context: str, expected: Bound) -> None:
    assert keeps(measure("roles", claim, context), expected)
