"""When the check of the ratios fails, and what it says."""

import pytest

from benchmarks.throughput.__main__ import FLOORS, fallen

SAME = {"largest": 0.0, "statuses": 1.0}


def test_nothing_has_fallen_at_the_floors() -> None:
    assert fallen({"ratios": FLOORS, "agreement": SAME}) == []


@pytest.mark.parametrize("name", FLOORS)
def test_a_ratio_below_its_floor_is_named(name: str) -> None:
    (said,) = fallen({"ratios": FLOORS | {name: FLOORS[name] / 2}, "agreement": SAME})
    assert name in said
    assert f"{FLOORS[name] / 2:.3f}" in said


@pytest.mark.parametrize("change", [{"largest": 0.006}, {"statuses": 0.99}])
def test_scores_that_change_with_the_batch_are_said(change: dict[str, float]) -> None:
    (said,) = fallen({"ratios": FLOORS, "agreement": SAME | change})
    assert "change scores" in said
