"""Erasing someone's texts from Postgres, one transaction a request."""

import json
from typing import Any, Final

import orjson

from schemas import subject_sha256
from worker.store import rows
from worker.store.protocol import Erasable, Erasure
from worker.store.sql import queries

_LOCK: Final = 7091125214
"""Key of the advisory lock that batches with texts share and an erasure has alone."""


async def let_erasures_pass(connection: Any) -> None:
    """Within a transaction that is going to store texts: wait for an erasure in hand, and make the next one wait."""
    await connection.execute(queries()["lock_erasures"], _LOCK)


async def erase(connection: Any, kind: Erasable, name: str, requested_by: str | None, reason: str | None) -> Erasure:
    """See Store. To be called in a transaction: who stores texts later finds the note, who stored them earlier has committed."""
    sql = queries()
    await connection.execute(sql["lock_texts"], _LOCK)
    if kind is Erasable.SUBJECT:
        noted = subject_sha256(name)
        responses = [row["response_id"] for row in await connection.fetch(sql["responses_of_subject"], noted)]
        keys = []
    else:
        noted, responses, keys = name, [name], [name.encode()]
    texts = await connection.fetch(sql["erase_texts"], responses)
    subject = noted if kind is Erasable.SUBJECT else None
    originals = await connection.fetch(sql["erase_originals"], responses, subject, keys, quoted(name))
    return rows.erasure(await connection.fetchrow(sql["note_erasure"], kind, noted, requested_by, reason, len(texts), len(originals)))


def quoted(name: str) -> list[bytes]:
    """`name` as a string in JSON, with and without escapes."""
    return [orjson.dumps(name), json.dumps(name).encode()]
