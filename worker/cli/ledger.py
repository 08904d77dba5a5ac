"""`groundwatch ledger`: every consumed event has exactly one outcome."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import typer

from worker.cli.options import GLOBAL_NOTE, Json, settings_of
from worker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from worker.ledger import Finding
    from worker.settings import Settings

_COUNTS = ("first_offset", "next_offset", "scored", "not_measurable", "labelled", "dead_lettered", "skipped", "gaps", "redelivered")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ledger", epilog=f"Example: groundwatch ledger --json.  {GLOBAL_NOTE}")(_ledger)


def _ledger(context: typer.Context, as_json: Json = False) -> None:
    """Prove that every event has one outcome.

    Partition by partition: consumed = the sum of the outcomes, and committed ≤ accounted ≤ what the broker holds.

    `lag` is how many messages wait: on the topic, not accounted for yet. Exit 1 when it does not balance, whatever waits.
    """
    from worker.ledger import lag

    findings = asyncio.run(_audit(settings_of(context)))
    if as_json:
        balanced = all(finding.balanced for finding in findings)
        print_json({"balanced": balanced, "lag": lag(findings), "partitions": [_shape(finding) for finding in findings]})
    else:
        _print(findings)
    if not all(finding.balanced for finding in findings):
        raise typer.Exit(1)


async def _audit(settings: Settings) -> list[Finding]:
    """Committed offsets first, then the accounts, then the ends: each only grows, so a running worker raises no false alarm."""
    from worker.cli.services import open_store
    from worker.ledger import BrokerOffsets, Partition, audit
    from worker.topics import committed_offsets, offset_bounds, topic_partitions

    counts = await topic_partitions(settings.kafka)
    read = (settings.kafka.topics.responses, settings.kafka.topics.labels)
    partitions = [Partition(topic, number) for topic in read for number in range(counts.get(topic, 0))]
    committed: dict[Partition, int] = {}
    for topic in read:
        own = [at for at in partitions if at.topic == topic]
        committed |= await committed_offsets(settings.kafka, settings.kafka.group_of(topic), own)
    async with open_store(settings) as store:
        rows = await store.ledger()
    bounds = await offset_bounds(settings.kafka, partitions)
    return audit(rows, {at: BrokerOffsets(*bounds[at], committed.get(at)) for at in partitions})


def _shape(finding: Finding) -> dict[str, Any]:
    row, offsets = finding.row, finding.offsets
    return {
        "topic": finding.partition.topic,
        "partition": finding.partition.partition,
        **{name: getattr(row, name) if row else None for name in (*_COUNTS, "balance")},
        "broker": offsets._asdict() if offsets else None,
        "lag": finding.lag,
        "problems": finding.problems,
    }


def _print(findings: list[Finding]) -> None:
    from worker.ledger import lag

    shapes = [_shape(finding) for finding in findings]
    columns = ("topic", "partition", *_COUNTS, "balance", "lag")
    rows = [[shape[column] for column in columns] + [(shape["broker"] or {}).get("committed")] for shape in shapes]
    print_table([column.replace("_", " ") for column in (*columns, "committed")], rows, empty="nothing has been consumed yet")
    for finding in findings:
        for problem in finding.problems:
            note(f"{finding.partition.topic}/{finding.partition.partition}: {problem}")
    if findings:
        print(f"lag in all: {lag(findings):,} messages on the topics, not consumed yet")
    if findings and all(finding.balanced for finding in findings):
        print("the ledger balances")
