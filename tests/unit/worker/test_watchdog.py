"""A process that stands still is ended, and only then."""

import threading

import pytest

from worker.watchdog import EXIT_CODE, Watchdog


def test_a_part_that_stands_still_ends_the_process() -> None:
    ended = threading.Event()
    codes: list[int] = []

    def end(code: int) -> None:
        codes.append(code)
        ended.set()

    with Watchdog(0.2, {"responses": lambda: 5.0}, end):
        assert ended.wait(5)
    assert codes == [EXIT_CODE]


def test_an_event_loop_that_no_longer_turns_ends_the_process() -> None:
    ended = threading.Event()
    with Watchdog(0.2, {}, lambda _: ended.set()):
        assert ended.wait(5)


@pytest.mark.parametrize(("seconds", "named"), [(0.0, None), (59.0, None), (61.0, "labels has stood still for 61 s")])
def test_the_verdict_names_what_stands_still(seconds: float, named: str | None) -> None:
    assert Watchdog(60, {"labels": lambda: seconds}).verdict() == named
