"""The ledger's arithmetic."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.store import LedgerRow, Position, Skipped
from worker.store.accounting import account, by_partition, open_account


def skipped(offset: int, partition: int = 0, topic: str = "t") -> Skipped:
    return Skipped(position=Position(topic, partition, offset), reason="sampled_out")


def opened(offset: int) -> LedgerRow:
    return open_account([skipped(offset)])


def test_an_account_opens_empty_at_the_first_offset() -> None:
    row = opened(5)
    assert (row.first_offset, row.next_offset, row.skipped, row.balance) == (5, 5, 0, 0)


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ([5, 6], {"next_offset": 7, "skipped": 2}),
        ([7, 9], {"next_offset": 10, "skipped": 2, "gaps": 3}),
        ([3, 4, 5], {"next_offset": 6, "skipped": 1, "redelivered": 2}),
        ([5, 5], {"next_offset": 6, "skipped": 1, "redelivered": 1}),
        ([], {}),
    ],
)
def test_outcomes_are_counted_from_the_next_offset_on(offsets: list[int], expected: dict[str, Any]) -> None:
    assert account(opened(5), map(skipped, offsets)) == replace(opened(5), **expected)


def test_outcomes_are_taken_by_partition_in_offset_order() -> None:
    mixed = [skipped(2, 10), skipped(1, 10), skipped(0, 9), skipped(0, 0, "a")]
    assert list(by_partition(mixed)) == [("a", 0), ("t", 9), ("t", 10)]
    assert by_partition(mixed)["t", 10] == [skipped(1, 10), skipped(2, 10)]


@given(st.lists(st.lists(st.integers(0, 50), min_size=1)))
def test_it_balances_whatever_comes(batches: list[list[int]]) -> None:
    row = opened(0)
    for batch in batches:
        row = account(row, map(skipped, batch))
        assert row.balance == 0
    assert row.skipped + row.redelivered == sum(map(len, batches))
