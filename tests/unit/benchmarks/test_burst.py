"""The timetable of a burst and when all is as before."""

from dataclasses import dataclass

import pytest

from benchmarks.burst import Phase, normal_after, schedule, slices
from benchmarks.throughput.pipeline import Passage
from schemas import Verdict


@dataclass
class Decided:
    """What is looked at of a decision."""

    decision: Verdict = Verdict.ACCEPT
    degraded: bool = False


def passage(seconds: list[float], verdict: Verdict = Verdict.ACCEPT) -> Passage:
    return Passage(1.0, seconds, [Decided(verdict) for _ in seconds])  # type: ignore[misc]


def test_each_phase_sends_its_share_of_the_capacity_evenly() -> None:
    assert schedule(2, [Phase(0.5, 3), Phase(2, 1)]) == [0, 1, 2, 3, 3.25, 3.5, 3.75]


@pytest.mark.parametrize(
    ("late", "normal"),
    [(range(0), 0), (range(40, 60), 0), (range(60, 75), 15), (range(60, 120), None)],
    ids=["never late", "late in the burst", "late for a while after it", "late for ever"],
)
def test_normal_is_when_nothing_is_late_any_more(late: range, normal: float | None) -> None:
    due = [float(second) for second in range(120)]
    assert normal_after(due, passage([9.0 if second in late else 1.0 for second in range(120)]), 40, 60) == normal


def test_a_slice_counts_what_was_due_in_it_and_waits_for_accept_and_reject_alone() -> None:
    (row,) = slices([0.0, 1.0, 2.0], passage([1.0, 2.0, 3.0], Verdict.REVIEW), [700])
    assert row == {"from_second": 0, "sent": 3, "p95_seconds": None, "degraded": 0.0, "resident_megabytes": 700}
