"""Clocks around the parts of a detector."""

import time

import pytest

from benchmarks.throughput.stages import Clock, Timed


def busy(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


class Parts:
    """One part calls the other."""

    def inner(self) -> None:
        busy(0.03)

    def untimed(self) -> str:
        return "as it is"


def test_a_stage_inside_another_counts_for_itself_alone() -> None:
    clock = Clock()
    parts = Timed(Parts(), clock, inner="inner")

    def outer() -> None:
        busy(0.01)
        parts.inner()
        parts.inner()

    clock.timed("outer", outer)()
    assert clock.spent["inner"] >= 0.06
    assert 0.01 <= clock.spent["outer"] < clock.spent["inner"]


def test_what_fails_counts_too() -> None:
    clock = Clock()

    def failing() -> None:
        busy(0.01)
        raise ValueError

    with pytest.raises(ValueError):
        clock.timed("failing", failing)()
    assert clock.spent["failing"] >= 0.01


def test_everything_else_is_the_inner_one() -> None:
    assert Timed(Parts(), Clock(), inner="inner").untimed() == "as it is"
