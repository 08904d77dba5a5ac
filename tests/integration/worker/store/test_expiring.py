"""What has had its time goes, in batches, and nothing that is still needed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.integration.worker.store.conftest import stored_texts
from tests.integration.worker.store.factories import at, dead_lettered, decision_id, labelled, scored, snapshot
from worker.store import Ending, Perishable, Segment, Store

NEVER = timedelta(days=36_500)
AT_ONCE = timedelta(0)
TRAVEL = Segment("travel", "m-1")


async def expire(store: Store, what: Perishable, older_than: timedelta = AT_ONCE, *, batch: int = 100, window: int = 2) -> list[int]:
    return [count async for count in store.expire(what, older_than=older_than, batch=batch, window=window) if count]


async def decisions(store: Store, count: int) -> list[int]:
    """Which of the responses still have their decision."""
    names = {decision_id(f"r-{n}"): n for n in range(count)}
    return sorted(names[known] for known in await store.known(names))


def _age(n: int) -> dict[str, Any]:
    return {"decided_at": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n)}


@pytest.fixture
async def filled(store: Store) -> None:
    for n in range(5):
        await store.record([scored(n, f"r-{n}", **_age(n)), labelled(n, f"r-{n}")])
    await store.record([dead_lettered(n) for n in range(5, 10)])
    await store.save_snapshots([snapshot(), snapshot(dataset="legal")])


@pytest.mark.usefixtures("filled")
class TestAnyKind:
    @pytest.mark.parametrize("what", Perishable)
    async def test_what_is_young_stays(self, store: Store, what: Perishable) -> None:
        assert await expire(store, what, NEVER) == []

    @pytest.mark.parametrize("what", [what for what in Perishable if what is not Perishable.SNAPSHOTS])
    async def test_what_is_old_goes_in_batches(self, store: Store, what: Perishable) -> None:
        assert await expire(store, what, batch=2) == [2, 2, 1]
        assert await expire(store, what, batch=2) == []

    @pytest.mark.parametrize("what", Perishable)
    async def test_the_ledger_stays_as_it_is(self, store: Store, what: Perishable) -> None:
        before = await store.ledger()
        await expire(store, what)
        assert await store.ledger() == before
        assert all(row.balance == 0 for row in before)

    async def test_a_part_can_be_told_by_its_age(self, store: Store) -> None:
        half = datetime.now(UTC) - datetime(2026, 1, 1, 0, 2, 30, tzinfo=UTC)
        assert await expire(store, Perishable.DECISIONS, half) == [3]
        assert await decisions(store, 5) == [3, 4]


@pytest.mark.usefixtures("filled")
class TestEachKind:
    async def test_texts_go_alone(self, store: Store) -> None:
        await expire(store, Perishable.TEXTS)
        assert await stored_texts(store) == []
        assert await decisions(store, 5) == [0, 1, 2, 3, 4]

    async def test_originals_leave_what_was_wrong_and_do_not_come_back(self, store: Store) -> None:
        await expire(store, Perishable.ORIGINALS)
        await store.record([dead_lettered(5)])
        stored = await store.dead_letter(at(5))
        assert (stored.kept, stored.letter.original, stored.letter.reason) == (False, None, "is missing")

    async def test_dead_letters_go_with_their_originals_and_replays(self, store: Store) -> None:
        await store.mark_replayed(at(5), at(20))
        await expire(store, Perishable.DEAD_LETTERS)
        assert await store.dead_letters() == []
        await store.record([dead_lettered(5)])
        assert (await store.dead_letter(at(5))).replays == ()

    async def test_labels_leave_the_pairs_that_they_made(self, store: Store) -> None:
        pairs = await store.pair(["r-1"])
        await expire(store, Perishable.LABELS)
        assert await store.window(TRAVEL, 10) == pairs
        await store.record([labelled(9, "r-1", 0, minute=-1)])
        await store.pair(["r-1"])
        assert await store.window(TRAVEL, 10) == pairs

    async def test_of_snapshots_each_segments_newest_stays(self, store: Store) -> None:
        newest = [snapshot(dataset=name, taken_at=datetime(2026, 2, 1, tzinfo=UTC)) for name in ("legal", "travel")]
        await store.save_snapshots(newest)
        assert await expire(store, Perishable.SNAPSHOTS, batch=1) == [1, 1]
        assert await store.latest_snapshots() == newest


class TestDecisionsWithPairs:
    @pytest.fixture(autouse=True)
    async def pairs(self, store: Store) -> None:
        """Labelled out of order, so that age and place in the window differ; one decision has no label."""
        for n in range(6):
            await store.record([scored(n, f"r-{n}", **_age(n))])
        for offset, n in enumerate((0, 4, 3, 2, 1)):
            await store.record([labelled(offset, f"r-{n}")])
            await store.pair([f"r-{n}"])

    @pytest.mark.parametrize("batch", [1, 2, 100])
    async def test_what_a_window_holds_stays_whatever_its_age(self, store: Store, batch: int) -> None:
        before = await store.window(TRAVEL, 2)
        assert sum(await expire(store, Perishable.DECISIONS, batch=batch, window=2)) == 4
        assert await store.window(TRAVEL, 2) == await store.window(TRAVEL, 100) == before
        assert await decisions(store, 6) == [1, 2]

    async def test_a_segment_with_fewer_pairs_than_its_window_keeps_them_all(self, store: Store) -> None:
        assert await expire(store, Perishable.DECISIONS, window=5) == [1]
        assert await decisions(store, 6) == [0, 1, 2, 3, 4]

    async def test_a_label_for_one_that_has_gone_makes_no_pair(self, store: Store) -> None:
        await expire(store, Perishable.DECISIONS)
        await store.record([labelled(9, "r-0", 0, minute=5)])
        assert await store.pair(["r-0"]) == []


async def test_how_a_replay_ended_outlives_its_decision_as_settled(store: Store) -> None:
    await store.record([dead_lettered(0), scored(1, "r-1")])
    await store.mark_replayed(at(0), at(1), "r-1")
    await expire(store, Perishable.DECISIONS)
    (replay,) = (await store.dead_letter(at(0))).replays
    assert replay.ending is Ending.SETTLED
