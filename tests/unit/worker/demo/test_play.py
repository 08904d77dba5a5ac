"""The demo knows when all is through, how fast it goes, and when nothing moves."""

import pytest

from schemas import AurocSnapshot, Pair, Verdict
from tests.unit.worker.monitor.factories import EPOCH, SEGMENT, corrected, pair
from worker.demo.corpus import load_corpus
from worker.demo.play import LINE_SECONDS, RATE_SECONDS, STALL_SECONDS, Meter
from worker.demo.reading import Reading, is_through
from worker.demo.traffic import Traffic, plan_traffic
from worker.demo.view import describe
from worker.errors import Stalled
from worker.monitor.windows import Windows
from worker.settings import Topics
from worker.store import LedgerRow

TOPICS = Topics()
TWO_PAIRS = [pair(1), pair(2)]


def traffic() -> Traffic:
    """Two answers, each sent twice, three malformed messages, two labels and their two corrections."""
    return plan_traffic(load_corpus()[:2], TOPICS, seconds=1, start=EPOCH)


def snapshot_of(pairs: list[Pair]) -> AurocSnapshot:
    windows = Windows(10)
    windows.load(SEGMENT, pairs)
    return windows[SEGMENT].snapshot(EPOCH)


def account(**overrides: int) -> LedgerRow:
    counts = {"first_offset": 0, "next_offset": 11, "scored": 2, "not_measurable": 0, "labelled": 4, "dead_lettered": 3, "skipped": 2}
    return LedgerRow(topic=TOPICS.responses, partition=0, **{**counts, "gaps": 0, "redelivered": 0, **overrides})


def reading(pairs: list[Pair], row: LedgerRow) -> Reading:
    return Reading(decisions={SEGMENT: {Verdict.ACCEPT: 2}}, snapshots={SEGMENT: snapshot_of(pairs)}, ledger=[row])


@pytest.mark.parametrize(
    ("in_window", "in_store", "row", "through"),
    [
        pytest.param(TWO_PAIRS, TWO_PAIRS, account(), True, id="all of it"),
        pytest.param(TWO_PAIRS, TWO_PAIRS, account(next_offset=10), False, id="a message without its outcome"),
        pytest.param(TWO_PAIRS[:1], TWO_PAIRS[:1], account(), False, id="an answer without its pair"),
        pytest.param(TWO_PAIRS[:1], TWO_PAIRS, account(), False, id="a window that lacks a pair"),
        pytest.param(TWO_PAIRS, [pair(1), corrected(pair(2))], account(), False, id="a window that lacks a correction"),
    ],
)
def test_all_is_through_when_messages_pairs_and_windows_are(
    in_window: list[Pair], in_store: list[Pair], row: LedgerRow, through: bool
) -> None:
    assert is_through(reading(in_window, row), {SEGMENT: in_store}, traffic(), TOPICS) is through


def test_the_line_says_that_the_ledger_does_not_balance() -> None:
    assert "ledger balances" in describe(reading(TWO_PAIRS, account()), sent=11, rate=3)
    assert "ledger DOES NOT BALANCE" in describe(reading(TWO_PAIRS, account(scored=1)), sent=11, rate=3)


def test_the_rate_is_taken_over_the_last_seconds() -> None:
    meter = Meter(0)

    assert meter.note(progress=0, accounted=0, now=0) == 0
    assert meter.note(progress=1, accounted=20, now=2) == 10
    assert meter.note(progress=2, accounted=20, now=2 + RATE_SECONDS) == 0


def test_nothing_that_moves_for_long_is_a_stall() -> None:
    meter = Meter(0)
    meter.note(progress=1, accounted=1, now=0)
    meter.note(progress=1, accounted=1, now=STALL_SECONDS)

    with pytest.raises(Stalled):
        meter.note(progress=1, accounted=1, now=STALL_SECONDS + 1)


def test_a_line_is_due_now_and_then() -> None:
    meter = Meter(0)

    assert [meter.is_line_due(now) for now in (LINE_SECONDS / 2, LINE_SECONDS, LINE_SECONDS * 1.5, LINE_SECONDS * 2)] == [
        False,
        True,
        False,
        True,
    ]
