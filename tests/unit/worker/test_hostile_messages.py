"""Whatever is sent ends in exactly one outcome and never stops the stream."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings

from schemas import decode_response
from tests.unit.worker import hostile
from tests.unit.worker.factories import TOPICS, Received, label_message, response_message
from tests.unit.worker.test_triage import House
from worker.patience import Patience
from worker.settings import Retry
from worker.settings import Store as StoreSettings
from worker.store import Store
from worker.store.memory import MemoryStore
from worker.store.postgres import PostgresStore

ALIASES = ("source_info", "answer", "id", "retrieval.documents.0.document.content", "retrieval.documents.00.document.content")
RESPONSES = hostile.messages(hostile.objects(orjson.loads(response_message().value or b""), ALIASES), TOPICS.responses)
LABELS = hostile.messages(
    hostile.objects({"response_id": "r-0-0", "label": 1, "source": "human", "annotator": "a", "labelled_at": None}), TOPICS.labels
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RESPONSES, LABELS)
def test_every_message_ends_in_one_outcome(responses: list[Received], labels: list[Received]) -> None:
    asyncio.run(_balance(MemoryStore(), responses, labels))


@pytest.mark.services
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(RESPONSES, LABELS)
def test_postgres_takes_every_outcome(database: str, responses: list[Received], labels: list[Received]) -> None:
    asyncio.run(_on_postgres(database, responses, labels))


async def _on_postgres(dsn: str, responses: list[Received], labels: list[Received]) -> None:
    """Offsets go on from example to example, so one database serves all."""
    store = await PostgresStore.connect(StoreSettings.model_validate({"dsn": dsn}))
    try:
        await _balance(store, responses, labels)
    finally:
        await store.close()


async def _balance(store: Store, responses: Sequence[Received], labels: Sequence[Received]) -> None:
    patience = Patience(Retry(first_seconds=0.001, longest_seconds=0.002), asyncio.Event())
    house = House(patience, store=store)
    for handle, batch in ((house.responses, responses), (house.labels, labels)):
        first = next((row.next_offset for row in await store.ledger() if row.topic == batch[0].topic), 0)
        await handle([replace(message, offset=first + number) for number, message in enumerate(batch)])
        row = await house.account(batch[0].topic)
        assert (row.next_offset, row.balance, row.redelivered) == (first + len(batch), 0, 0)


@pytest.mark.parametrize("timestamp", [2**63 - 1, 1_777_000_000_000_000])
async def test_a_label_whose_message_has_no_real_time_is_a_dead_letter(patience: Patience, timestamp: int) -> None:
    house = House(patience)
    await house.labels([replace(label_message("r-1"), timestamp=timestamp)])
    (letter,) = house.published.letters
    assert (letter.kind, letter.field) == ("invalid", "labelled_at")


async def test_a_defect_in_decoding_costs_one_message(patience: Patience, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(value: bytes | None, *rest: Any) -> Any:
        if value == b"x":
            raise RecursionError("secret")
        return decode_response(value, *rest)

    monkeypatch.setattr("worker.triage.decode_response", faulty)
    house = House(patience)
    await house.responses([Received(b"x", offset=0), response_message(1)])
    (letter,) = house.published.letters
    assert (letter.kind, letter.reason) == ("unreadable", "could not be decoded (RecursionError)")
    assert (await house.account()).scored == 1
