"""Five texts of our own that meet five different rules with the real encoder."""

import pytest

from detectors import Detector
from tests.unit.detectors.factories import CONTEXT, answer
from worker.policy import Policy

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

CASES = {
    "accepted": {
        "question": "When was the Orvane lighthouse built, who built it, and how far does its lamp reach?",
        "response": "The Orvane lighthouse was built in 1911 by the engineer Marta Lindqvist. Its lamp reaches 24 nautical miles. "
        "The keeper's house has been a museum since 1987.",
    },
    "fabricated": {
        "response": "Medieval bakers in Tornhaven baked rye loaves every morning and sold them to sailors before dawn.",
    },
    "vague": {"response": "Perhaps it depends, and it could be useful in many situations."},
    "poor_retrieval": {
        "question": "Which lighthouse has a lamp and a museum?",
        "response": "Perhaps the lighthouse with the museum and the lamp.",
    },
    "off_topic": {
        "question": "How do I renew my passport abroad?",
        "response": "The Orvane lighthouse was built in 1911 by the engineer Marta Lindqvist. Its lamp reaches 24 nautical miles. "
        "The keeper's house has been a museum since 1987 and is open from May to September.",
    },
}


@pytest.mark.parametrize("rule", CASES)
def test_a_text_meets_its_rule(seed: Detector, rule: str) -> None:
    [assessment] = seed.assess([answer(contexts=(CONTEXT,), **CASES[rule])])
    assert Policy(seed.profile.rules).decide(assessment).rule == rule
