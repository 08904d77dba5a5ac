"""Whatever the order, the overlap and the repetition in which batches arrive: the same rows and a balanced ledger."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.integration.worker.store.factories import dead_lettered, labelled, scored, skipped
from worker.store import Labelled, Outcome, Scored, Store
from worker.store.memory import MemoryStore
from worker.store.postgres import PostgresStore

LENGTH = 12


def message(offset: int, partition: int) -> Outcome:
    """What always becomes of the message at this place; some responses come twice, some labels are corrections."""
    match offset % 4:
        case 0:
            return scored(offset, f"r-{offset % 8}", partition=partition)
        case 1:
            return labelled(offset, f"r-{(offset - 1) % 8}", offset % 3 % 2, minute=(offset * 7) % 5, partition=partition)
        case 2:
            return dead_lettered(offset, partition=partition)
        case _:
            return skipped(offset, partition=partition)


LOG = {partition: [message(offset, partition) for offset in range(LENGTH)] for partition in (0, 1)}


async def consume(store: Store, batch: Sequence[Outcome]) -> None:
    """Record and pair, as the worker does."""
    await store.record(batch)
    decided = {outcome.decision.response_id for outcome in batch if isinstance(outcome, Scored)}
    await store.pair(decided | {outcome.label.response_id for outcome in batch if isinstance(outcome, Labelled)})


async def rows(store: Store) -> tuple[Any, ...]:
    """Everything that must not depend on how the messages came."""
    pairs = [pair for segment in await store.segments() for pair in await store.window(segment, 100)]
    labels = {pair.decision_id: (pair.response_id, pair.label, pair.label_id) for pair in pairs}
    return labels, await store.decision_counts(), await store.dead_letters()


async def check_accounts(store: Store) -> None:
    for row in await store.ledger():
        assert row.balance == 0


async def straight() -> MemoryStore:
    """A store that read every message once, in order."""
    store = MemoryStore()
    for log in LOG.values():
        await consume(store, log)
    return store


Batches = list[tuple[int, int, int]]
"""Partition, first offset and length of each batch."""

batches: st.SearchStrategy[Batches] = st.lists(
    st.tuples(st.sampled_from([0, 1]), st.integers(0, LENGTH - 1), st.integers(1, LENGTH)), max_size=12
)


@given(batches)
async def test_any_redelivery_leaves_the_same_rows_and_a_balanced_ledger(chosen: Batches) -> None:
    store = MemoryStore()
    for partition, start, length in [*chosen, (0, 0, LENGTH), (1, 0, LENGTH)]:
        await consume(store, LOG[partition][start : start + length])
        await check_accounts(store)
    assert await rows(store) == await rows(await straight())


@pytest.mark.services
@pytest.mark.parametrize("seed", range(5))
async def test_any_interleaving_of_zombies_leaves_the_same_rows_and_a_balanced_ledger(postgres: PostgresStore, seed: int) -> None:
    draw = random.Random(seed)

    async def reader(partition: int) -> None:
        """Reads a partition from its start in batches of any size, like each worker that believes to own it."""
        start = 0
        while start < LENGTH:
            length = draw.randint(1, 5)
            await consume(postgres, LOG[partition][start : start + length])
            start += length

    await asyncio.gather(*(reader(partition) for partition in (0, 1, 0, 1, 0)))
    await check_accounts(postgres)
    assert await rows(postgres) == await rows(await straight())
    topics = {(row.topic, row.partition): row.redelivered for row in await postgres.ledger()}
    assert topics == {("llm.labels", 0): 6, ("llm.labels", 1): 3, ("llm.responses", 0): 18, ("llm.responses", 1): 9}
