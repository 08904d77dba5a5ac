"""What a reviewer should look at: confident decisions that labels contradict, and the signals that misled."""

from typing import Any

import pytest

from schemas import Pair, Verdict
from tests.unit.worker.monitor.factories import pair
from worker.measurement.mispredictions import mispredictions


def decided(seq: int, decision: Verdict, label: int, final: float | None, **signals: float) -> Pair:
    return pair(seq, decision=decision, label=label, scores={"final": final, **signals})


def accepted(seq: int, label: int = 0, final: float = 0.9, **signals: float) -> Pair:
    return decided(seq, Verdict.ACCEPT, label, final, **signals)


def rejected(seq: int, label: int = 1, final: float = 0.1, **signals: float) -> Pair:
    return decided(seq, Verdict.REJECT, label, final, **signals)


def test_the_most_confident_of_either_kind_come_first() -> None:
    found = mispredictions([accepted(1, final=0.8), accepted(2, final=0.95), rejected(3, final=0.3), rejected(4, final=0.05)])

    assert [(one.pair.seq, one.kind) for one in found] == [
        (2, "false_accept"),
        (1, "false_accept"),
        (4, "false_reject"),
        (3, "false_reject"),
    ]


@pytest.mark.parametrize(
    "right",
    [accepted(1, label=1), rejected(1, label=0), decided(1, Verdict.REVIEW, 0, 0.6), decided(1, Verdict.REJECT, 1, None)],
    ids=["rightly accepted", "rightly rejected", "left to a reviewer", "without a score"],
)
def test_nothing_else_is_one(right: Pair) -> None:
    assert mispredictions([right]) == []


@pytest.mark.parametrize(
    ("accepts", "rejects", "expected"), [(9, 9, (2, 2)), (9, 1, (3, 1)), (1, 9, (1, 3)), (9, 0, (4, 0)), (1, 1, (1, 1)), (0, 0, (0, 0))]
)
def test_half_of_either_kind_as_far_as_there_are(accepts: int, rejects: int, expected: tuple[int, int]) -> None:
    pairs = [accepted(n) for n in range(accepts)] + [rejected(100 + n) for n in range(rejects)]

    kinds: list[Any] = [one.kind for one in mispredictions(pairs, most=4)]

    assert (kinds.count("false_accept"), kinds.count("false_reject")) == expected


def test_signals_on_the_wrong_side_of_the_middle_misled_it_the_farthest_first() -> None:
    usual = [accepted(n, label=1, cosine=0.8, numbers=1.0, polarity=1.0) for n in range(10)]
    usual += [rejected(20 + n, label=0, cosine=0.4, numbers=0.0, polarity=0.0) for n in range(10)]
    wrong = accepted(50, cosine=0.9, numbers=0.6, polarity=0.1)

    (found,) = mispredictions([*usual, wrong])

    assert [one.signal for one in found.misled] == ["cosine", "numbers"]
    assert found.misled[0].value == 0.9
    assert found.misled[0].grounded == pytest.approx(0.8)


def test_of_a_rejected_one_the_low_signals_misled_and_of_falling_scores_the_high_ones() -> None:
    usual = [accepted(n, label=1, cosine=0.8, disagreement=0.1) for n in range(10)]
    usual += [rejected(20 + n, label=0, cosine=0.4, disagreement=0.5) for n in range(10)]

    (found,) = mispredictions([*usual, rejected(50, cosine=0.3, disagreement=0.6)])

    assert {one.signal for one in found.misled} == {"cosine", "disagreement"}


def test_a_signal_that_says_nothing_misled_nobody() -> None:
    (found,) = mispredictions([accepted(1, label=1, cosine=0.5), accepted(2, label=0, cosine=0.5)])

    assert found.misled == ()
