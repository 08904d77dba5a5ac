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
    from worker.auditing import audit_all
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        return await audit_all(settings.kafka, store)


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
    if findings and not any(finding.offsets and finding.offsets.committed is not None for finding in findings):
        note("no group of kafka.group has committed anything; is that the workers' group?")
    if findings and all(finding.balanced for finding in findings):
        print("the ledger balances")
