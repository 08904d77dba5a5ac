"""Models as rows of the tables, and back. Rows are tuples in the order of the parameters in queries.sql.

Each table's rows are sorted by key: transactions that insert the same rows then wait for each other and never deadlock.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Any

import orjson

from schemas import AurocSnapshot, DeadLetter, Pair, encode
from worker.store.protocol import (
    DeadLettered,
    Ending,
    Erasable,
    Erasure,
    Labelled,
    LedgerRow,
    Position,
    Promotion,
    Replay,
    Scored,
    Served,
    StoredDeadLetter,
)
from worker.store.storable import storable_letter, storable_origin, storable_texts, without_nul

Row = tuple[Any, ...]


def decision_rows(outcomes: Iterable[Scored]) -> list[Row]:
    """Rows of `decisions`."""
    rows = [
        (
            decision.decision_id,
            decision.response_id,
            decision.dataset,
            decision.model,
            decision.decision,
            decision.score_status,
            decision.scores.get("final"),
            _json(decision.scores),
            decision.fingerprint,
            decision.failure_type,
            decision.created_at,
            decision.decided_at,
            payload.decode(),
            decision.meta.audit,
            _json(decision.dimensions),
            decision.degraded,
            decision.meta.latency_ms,
            decision.meta.llm_latency_ms,
            decision.enforced,
            None if decision.traits is None else _json(decision.traits.model_dump()),
        )
        for outcome in outcomes
        for decision, payload in outcome.decisions
    ]
    return sorted(rows, key=lambda row: row[0])


def text_rows(outcomes: Iterable[Scored]) -> list[Row]:
    """Rows of `response_texts`."""
    rows = [
        (outcome.decision.response_id, texts.question, texts.response, _json(texts.contexts), texts.subject_sha256)
        for outcome in outcomes
        for texts in (storable_texts(outcome.texts),)
    ]
    return sorted(rows, key=lambda row: row[0])


def label_rows(outcomes: Iterable[Labelled]) -> list[Row]:
    """Rows of `labels`."""
    rows = [
        (outcome.label_id, label.response_id, label.sure, label.source, label.annotator, outcome.labelled_at, outcome.precedence)
        for outcome in outcomes
        for label in (outcome.label,)
    ]
    return sorted(rows, key=lambda row: row[0])


def letter_rows(outcomes: Iterable[DeadLettered]) -> list[Row]:
    """Rows of `dead_letters` and `dead_letter_originals` in one."""
    rows = [
        (
            *outcome.position,
            letter.kind,
            letter.field,
            letter.reason,
            letter.failed_at,
            origin.replay_of,
            origin.attempt,
            letter.key,
            letter.original,
            _json(letter.headers),
            origin.response_id,
            origin.subject_sha256,
            None if outcome.response_id is None else without_nul(outcome.response_id),
        )
        for outcome in outcomes
        for letter, origin in ((storable_letter(outcome.letter), storable_origin(outcome.origin)),)
    ]
    return sorted(rows, key=lambda row: row[:3])


def snapshot_row(snapshot: AurocSnapshot) -> Row:
    """A row of `auroc_snapshots`; without figures for a snapshot that has none of the final score."""
    final = snapshot.scores.get("final")
    figures = (final.auroc, final.low, final.high, final.grounded, final.hallucinated, final.reason) if final else (None,) * 6
    return (snapshot.dataset, snapshot.model, snapshot.taken_at, encode(snapshot).decode(), *figures)


def ledger_row(row: Mapping[str, Any]) -> LedgerRow:
    """An account as it is stored."""
    return LedgerRow(**row)


def ledger_update(row: LedgerRow) -> Row:
    """An account as it is to be stored."""
    return astuple(row)


def pair(row: Mapping[str, Any]) -> Pair:
    """A pair as it is stored."""
    return Pair.model_validate({**row, "scores": orjson.loads(row["scores"])})


def served(row: Mapping[str, Any]) -> Served:
    """The answer behind a decision as it is stored."""
    degraded, question, response, contexts = orjson.loads(row["said"])
    return Served(at=row["at"], degraded=degraded, question_sha256=question, response_sha256=response, contexts_sha256=tuple(contexts))


def stored_letter(row: Mapping[str, Any], replays: Iterable[Mapping[str, Any]]) -> StoredDeadLetter:
    """A dead letter with its original and its replays as they are stored."""
    letter = DeadLetter(
        **{name: row[name] for name in ("topic", "partition", "offset", "kind", "field", "reason", "failed_at")},
        key_base64=_base64(row["key"]),
        original_base64=_base64(row["value"]),
        headers=orjson.loads(row["headers"] or "[]"),
    )
    return StoredDeadLetter(
        letter=letter,
        kept=row["kept"],
        bytes=row["bytes"],
        replay_of=row["replay_of"],
        attempt=row["attempt"],
        replays=tuple(
            Replay(
                sent=Position(row["topic"], one["sent_partition"], one["sent_offset"]),
                replayed_at=one["replayed_at"],
                ending=Ending(one["ending"]),
            )
            for one in replays
        ),
    )


def promotion(row: Mapping[str, Any]) -> Promotion:
    """A promotion as it is stored."""
    return Promotion(**{**row, "evidence": orjson.loads(row["evidence"])})


def promotion_row(promotion: Promotion) -> Row:
    """A row of `promotions`."""
    return promotion.fingerprint, promotion.replaced, promotion.promoted_at, promotion.promoted_by, _json(promotion.evidence)


def erasure(row: Mapping[str, Any]) -> Erasure:
    """An erasure as it is stored."""
    return Erasure(**{**row, "kind": Erasable(row["kind"])})


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _base64(raw: bytes | None) -> str | None:
    return None if raw is None else base64.b64encode(raw).decode()
