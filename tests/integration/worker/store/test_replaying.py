"""What becomes of a dead letter that is sent again, and which ones are."""

from typing import Any

import pytest

from tests.integration.worker.store.factories import at, dead_lettered, labelled, message, minutes, scored, skipped
from worker.store import Ending, LetterCount, LetterFilter, Outcome, Replay, Store
from worker.store.origin import ATTEMPT_HEADER, REPLAY_HEADER

VALUES = {"llm.responses/0/0": "bGxtLnJlc3BvbnNlcy8wLzA=", "1": "MQ==", "2": "Mg=="}


def failed_again(offset: int, attempt: str = "1") -> Any:
    headers = ((REPLAY_HEADER, VALUES["llm.responses/0/0"]), (ATTEMPT_HEADER, VALUES[attempt]))
    return dead_lettered(offset, headers=headers)


async def places(store: Store, which: LetterFilter = LetterFilter(), **options: Any) -> list[int]:  # noqa: B008 - frozen
    return [stored.letter.offset for stored in await store.dead_letters(which, **options)]


@pytest.mark.parametrize(
    ("later", "ending"),
    [
        ([], Ending.WAITING),
        ([skipped(7)], Ending.WAITING),
        ([scored(8, "r-1")], Ending.SCORED),
        ([skipped(8)], Ending.SETTLED),
        ([failed_again(8)], Ending.DEAD_LETTERED),
    ],
    ids=["not consumed", "not reached", "scored", "left out", "failed again"],
)
async def test_how_a_replay_ended_is_told(store: Store, later: list[Outcome], ending: Ending) -> None:
    await store.record([dead_lettered(0)])
    await store.mark_replayed(at(0), at(8), "r-1")
    await store.record(later)
    stored = await store.dead_letter(at(0))
    assert stored.replayed_at is not None
    assert stored.replays == (Replay(sent=at(8), replayed_at=stored.replayed_at, ending=ending),)
    assert (await store.dead_letters())[-1].replays == stored.replays


async def test_every_replay_is_told_in_order(store: Store) -> None:
    await store.record([dead_lettered(0), dead_lettered(1)])
    for offset in (9, 9, 4):  # a topic that was made anew gives an offset again
        await store.mark_replayed(at(0), at(offset))
    assert [replay.sent.offset for replay in (await store.dead_letter(at(0))).replays] == [9, 4]
    assert (await store.dead_letter(at(1))).replays == ()


async def test_a_label_that_was_replayed_is_settled(store: Store) -> None:
    await store.record([scored(0, "r-1"), dead_lettered(0, topic="llm.labels")])
    await store.mark_replayed(at(0, topic="llm.labels"), at(1, topic="llm.labels"))
    await store.record([labelled(1, "r-1")])
    (replay,) = (await store.dead_letter(at(0, topic="llm.labels"))).replays
    assert replay.ending is Ending.SETTLED


async def test_what_failed_again_says_whose_replay_it_was(store: Store) -> None:
    await store.record([dead_lettered(0), failed_again(1), failed_again(2, "2")])
    assert [(one.replay_of, one.attempt) for one in reversed(await store.dead_letters())] == [
        (None, 0),
        ("llm.responses/0/0", 1),
        ("llm.responses/0/0", 2),
    ]


@pytest.mark.parametrize("attempt", ["LTE=", "eA==", "", "OTk5OTk5OTk5OTk5OTk5OTk5"], ids=["-1", "x", "nothing", "too many"])
async def test_a_header_that_counts_wrongly_counts_as_once(store: Store, attempt: str) -> None:
    await store.record([dead_lettered(0, headers=((REPLAY_HEADER, "YQBi"), (ATTEMPT_HEADER, attempt)))])
    stored = await store.dead_letter(at(0))
    assert (stored.replay_of, stored.attempt) == ("a\ufffdb", 1)


async def test_replayable_is_what_is_there_was_not_sent_and_did_not_fail_again(store: Store) -> None:
    await store.record([dead_lettered(0), dead_lettered(1), dead_lettered(2, original_base64=None), failed_again(3)])
    await store.mark_replayed(at(0), at(3))
    assert await places(store, replayable=True) == [1]
    assert await places(store, replayable=True, again=True) == [3, 1]
    assert await places(store) == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("which", "offsets"),
    [
        (LetterFilter(kind="poison"), [1]),
        (LetterFilter(topic="llm.labels"), [2]),
        (LetterFilter(field=""), [3]),
        (LetterFilter(reason="1,001"), [4]),
        (LetterFilter(reason="%"), []),
        (LetterFilter(kind="invalid", reason="missing"), [2, 0]),
    ],
)
async def test_a_filter_chooses(store: Store, which: LetterFilter, offsets: list[int]) -> None:
    overrides: list[dict[str, Any]] = [{}, {"kind": "poison"}, {"topic": "llm.labels"}, {"field": "", "reason": "tombstone"}]
    await store.record([dead_lettered(n, **fields) for n, fields in enumerate([*overrides, {"reason": "holds 1,001"}])])
    assert await places(store, which) == offsets
    assert sum(one.letters for one in await store.dead_letter_counts(which)) == len(offsets)


async def test_those_that_failed_alike_are_counted(store: Store) -> None:
    await store.record([dead_lettered(0), dead_lettered(1), dead_lettered(2, kind="poison", field="", reason="it kills")])
    counts = await store.dead_letter_counts()
    assert list(counts) == [
        LetterCount("llm.responses", "invalid", "response", "is missing", 2, minutes(1)),
        LetterCount("llm.responses", "poison", "", "it kills", 1, minutes(2)),
    ]
    assert list(await store.dead_letter_counts(limit=1)) == counts[:1]


async def test_a_list_holds_no_messages(store: Store) -> None:
    await store.record([dead_lettered(0, **message(b"private"))])
    (listed,) = await store.dead_letters()
    assert (listed.letter.original, listed.letter.headers, listed.kept, listed.bytes) == (None, (), True, 7)
