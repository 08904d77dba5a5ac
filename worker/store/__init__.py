"""Where decisions, labels, pairs and the ledger are kept: one protocol, Postgres and an in-memory implementation."""

from worker.store.protocol import (
    DeadLettered,
    Labelled,
    LedgerRow,
    Outcome,
    Position,
    Scored,
    Segment,
    Skipped,
    Store,
    StoredDeadLetter,
    Texts,
)

__all__ = [
    "DeadLettered",
    "Labelled",
    "LedgerRow",
    "Outcome",
    "Position",
    "Scored",
    "Segment",
    "Skipped",
    "Store",
    "StoredDeadLetter",
    "Texts",
]
