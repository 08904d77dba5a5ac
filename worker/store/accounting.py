"""The ledger's arithmetic: what a batch adds to the accounts of its partitions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from schemas import ScoreStatus
from worker.store.protocol import DeadLettered, Labelled, LedgerRow, Outcome, Scored, Skipped


def by_partition(outcomes: Iterable[Outcome]) -> dict[tuple[str, int], list[Outcome]]:
    """Each partition's outcomes in offset order, partitions in theirs."""
    partitions: dict[tuple[str, int], list[Outcome]] = defaultdict(list)
    for outcome in sorted(outcomes, key=lambda outcome: outcome.position):
        partitions[outcome.position[:2]].append(outcome)
    return partitions


def open_account(outcomes: Sequence[Outcome]) -> LedgerRow:
    """The empty account of a partition that is seen for the first time, with these outcomes."""
    topic, partition, offset = outcomes[0].position
    counts = dict.fromkeys(("scored", "not_measurable", "labelled", "dead_lettered", "skipped", "gaps", "redelivered"), 0)
    return LedgerRow(topic=topic, partition=partition, first_offset=offset, next_offset=offset, **counts)


def account(row: LedgerRow, outcomes: Iterable[Outcome]) -> LedgerRow:
    """`row` after `outcomes` of its partition, in offset order. Offsets below `next_offset` count as redelivered only."""
    counts: Counter[str] = Counter()
    following = row.next_offset
    for outcome in outcomes:
        offset = outcome.position.offset
        if offset < following:
            counts["redelivered"] += 1
        else:
            counts["gaps"] += offset - following
            counts[_count(outcome)] += 1
            following = offset + 1
    return replace(row, next_offset=following, **{name: getattr(row, name) + more for name, more in counts.items()})


def _count(outcome: Outcome) -> str:
    match outcome:
        case Scored(decision=decision):
            return "scored" if decision.score_status is ScoreStatus.SCORED else "not_measurable"
        case Labelled():
            return "labelled"
        case DeadLettered():
            return "dead_lettered"
        case Skipped():
            return "skipped"
