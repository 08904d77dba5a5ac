"""Long texts take a bounded time and say what of them was read: the profile's limits cut, the message limit bounds what there is to cut."""

import time

import pytest

from detectors import Answer, Detector
from schemas import ScoreStatus

pytestmark = pytest.mark.models

MOST_SECONDS = 20
"""Of one processor, on a slow machine; a second and less is usual."""
SENTENCE = "The lamp of the harbour lasts nine hours on one charge and costs 12 euros. "
ROW = "| " + " | ".join(str(number) for number in range(20)) + " |\n"


@pytest.mark.parametrize(
    ("response", "context", "cut"),
    [
        (SENTENCE * 7000, SENTENCE, True),
        ("x" * 3_900_000, SENTENCE, True),
        ("漢" * 1_300_000, SENTENCE, True),
        (SENTENCE, "x" * 3_900_000, False),
        (ROW + "|---" * 20 + "|\n" + ROW * 600, SENTENCE, True),
        ("1_" * 1500, "1_" * 1500, False),
    ],
    ids=[
        "100,000 words",
        "one word of 4 MB",
        "4 MB without a space",
        "one word of 4 MB as context",
        "a table of 12,000 cells",
        "one value again and again",
    ],
)
def test_a_long_text_is_judged_in_bounded_time(default: Detector, response: str, context: str, *, cut: bool) -> None:
    started = time.process_time()
    [assessment] = default.assess([Answer(question="How long?", response=response, contexts=(context,))])
    assert time.process_time() - started < MOST_SECONDS
    assert assessment.status in {ScoreStatus.SCORED, ScoreStatus.ABSTAINED}
    assert assessment.response_cut is cut
