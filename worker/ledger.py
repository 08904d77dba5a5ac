"""The ledger against the broker: every consumed event has exactly one outcome, and nothing was committed without one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from worker.store import LedgerRow


class Partition(NamedTuple):
    """A topic's partition."""

    topic: str
    partition: int


class BrokerOffsets(NamedTuple):
    """What the broker knows of a partition."""

    begin: int
    """The oldest offset still held."""
    end: int
    """The offset that the next message will get."""
    committed: int | None
    """The group's committed offset; None when it never committed."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One partition's account and what is wrong with it."""

    partition: Partition
    row: LedgerRow | None
    """The account; None when nothing was ever accounted for."""
    offsets: BrokerOffsets | None
    """None when the broker has no such partition."""
    problems: tuple[str, ...]

    @property
    def balanced(self) -> bool:
        """True when nothing is wrong."""
        return not self.problems

    @property
    def lag(self) -> int | None:
        """Messages that the broker holds and that are not accounted for yet; None without the broker's offsets."""
        if self.offsets is None:
            return None
        done = self.row.next_offset if self.row else self.offsets.begin
        return max(0, self.offsets.end - max(done, self.offsets.begin))


def lag(findings: Iterable[Finding]) -> int:
    """Messages of all partitions that wait: on the broker and not accounted for yet. A partition that the broker lacks holds none."""
    return sum(finding.lag or 0 for finding in findings)


def audit(rows: Sequence[LedgerRow], offsets: Mapping[Partition, BrokerOffsets]) -> list[Finding]:
    """Compare each partition's account with the broker: consumed = the sum of the outcomes, committed ≤ next offset ≤ end.

    To compare a running worker, read the committed offsets first, then the rows, then the ends: each only grows.
    """
    accounts = {Partition(row.topic, row.partition): row for row in rows}
    return [_finding(at, accounts.get(at), offsets.get(at)) for at in sorted(accounts.keys() | offsets.keys())]


def _finding(at: Partition, row: LedgerRow | None, offsets: BrokerOffsets | None) -> Finding:
    problems = (*_own(row), *_against_broker(row, offsets))
    return Finding(partition=at, row=row, offsets=offsets, problems=problems)


def _own(row: LedgerRow | None) -> list[str]:
    if row is None or row.balance == 0:
        return []
    if row.balance > 0:
        return [f"{row.balance:,} accounted offsets have no outcome"]
    return [f"{-row.balance:,} outcomes more than offsets"]


def _against_broker(row: LedgerRow | None, offsets: BrokerOffsets | None) -> list[str]:
    if offsets is None:
        return ["the broker has no such partition"]
    if row is None:
        return [f"offset {offsets.committed:,} is committed, but nothing is accounted for"] if offsets.committed else []
    problems = []
    if offsets.committed is not None and offsets.committed > row.next_offset:
        problems.append(f"offset {offsets.committed:,} is committed, but only those below {row.next_offset:,} are accounted for")
    if row.next_offset > offsets.end:
        problems.append(f"offsets below {row.next_offset:,} are accounted for, but the topic ends at {offsets.end:,}: was it made anew?")
    if offsets.begin > row.next_offset:
        problems.append(f"{offsets.begin - row.next_offset:,} messages expired before they were read")
    return problems
