"""The ledger balances when every offset has an outcome and the broker agrees."""

import pytest

from worker.ledger import BrokerOffsets, Partition, audit, lag
from worker.store import LedgerRow

AT = Partition("llm.responses", 0)


def row(**overrides):
    counts = {"scored": 6, "not_measurable": 1, "labelled": 0, "dead_lettered": 1, "skipped": 1, "gaps": 1, "redelivered": 3}
    return LedgerRow(**{"topic": AT.topic, "partition": AT.partition, "first_offset": 0, "next_offset": 10} | counts | overrides)


def finding(account, offsets):
    (found,) = audit([account] if account else [], {AT: offsets} if offsets else {})
    return found


@pytest.mark.parametrize("committed", [None, 0, 7, 10])
def test_it_balances_when_committed_is_at_most_what_is_accounted_for(committed):
    found = finding(row(), BrokerOffsets(0, 12, committed))
    assert found.balanced
    assert found.lag == 2


@pytest.mark.parametrize(
    ("account", "offsets", "problem"),
    [
        (row(scored=5), BrokerOffsets(0, 10, 10), "1 accounted offsets have no outcome"),
        (row(scored=8), BrokerOffsets(0, 10, 10), "2 outcomes more than offsets"),
        (row(), BrokerOffsets(0, 20, 11), "offset 11 is committed, but only those below 10"),
        (row(), BrokerOffsets(0, 9, 9), "the topic ends at 9"),
        (row(), BrokerOffsets(15, 20, 10), "5 messages expired before they were read"),
        (row(), None, "no such partition"),
        (None, BrokerOffsets(0, 5, 5), "nothing is accounted for"),
    ],
)
def test_what_does_not_balance_is_said(account, offsets, problem):
    found = finding(account, offsets)
    assert not found.balanced
    assert problem in found.problems[0]


def test_a_partition_that_nobody_has_read_yet_is_all_lag():
    found = finding(None, BrokerOffsets(3, 8, None))
    assert found.balanced
    assert found.lag == 5


def test_lag_does_not_count_what_has_expired():
    assert finding(row(), BrokerOffsets(15, 20, 10)).lag == 5


def test_lag_in_all_leaves_out_what_the_broker_does_not_have():
    other, gone = Partition("llm.labels", 0), row(topic="gone")
    assert lag(audit([row(), gone], {AT: BrokerOffsets(0, 12, 10), other: BrokerOffsets(0, 5, None)})) == 2 + 5


def test_partitions_come_in_order():
    found = audit(
        [],
        {
            Partition("b", 0): BrokerOffsets(0, 0, None),
            Partition("a", 10): BrokerOffsets(0, 0, None),
            Partition("a", 2): BrokerOffsets(0, 0, None),
        },
    )
    assert [one.partition for one in found] == [("a", 2), ("a", 10), ("b", 0)]
