"""Who asks to be erased is, everywhere, for good, and it shows that it was done."""

from collections.abc import Sequence
from typing import Any

import pytest

from schemas import subject_sha256
from tests.integration.worker.store.conftest import stored_texts
from tests.integration.worker.store.factories import at, dead_lettered, decision_id, message, said, scored
from worker.store import DeadLettered, Erasable, Store

JO = subject_sha256("jo")


async def kept(store: Store) -> list[int]:
    """Offsets of the dead letters whose message is still there."""
    return sorted(stored.letter.offset for stored in await store.dead_letters() if stored.kept)


@pytest.fixture
async def answers(store: Store) -> None:
    await store.record([scored(0, "r-1", texts=said(subject_sha256=JO)), scored(1, "r-2", texts=said(subject_sha256=JO)), scored(2, "r-3")])


@pytest.mark.usefixtures("answers")
class TestTexts:
    async def test_of_a_response_go_and_nothing_else(self, store: Store) -> None:
        erasure = await store.erase(Erasable.RESPONSE, "r-1", requested_by="dpo", reason="asked by mail")
        assert await stored_texts(store) == ["r-2", "r-3"]
        assert (erasure.texts, erasure.originals) == (1, 0)
        assert len(await store.known([decision_id(name) for name in ("r-1", "r-2", "r-3")])) == 3
        (row,) = await store.ledger()
        assert (row.scored, row.balance) == (3, 0)

    async def test_of_a_subject_go_with_all_its_responses(self, store: Store) -> None:
        assert (await store.erase(Erasable.SUBJECT, "jo")).texts == 2
        assert await stored_texts(store) == ["r-3"]

    @pytest.mark.parametrize(("kind", "name"), [(Erasable.RESPONSE, "r-1"), (Erasable.SUBJECT, "jo")])
    async def test_do_not_come_back_with_their_message(self, store: Store, kind: Erasable, name: str) -> None:
        await store.erase(kind, name)
        again = scored(3, "r-1", texts=said(subject_sha256=JO), fingerprint="f-2")
        assert await store.record([scored(0, "r-1", texts=said(subject_sha256=JO)), again])
        assert "r-1" not in await stored_texts(store)
        assert await store.known([decision_id("r-1", "f-2")])

    async def test_of_a_subject_that_comes_later_are_not_stored(self, store: Store) -> None:
        await store.erase(Erasable.SUBJECT, "jo")
        await store.record([scored(3, "r-4", texts=said(subject_sha256=JO)), scored(4, "r-5")])
        assert await stored_texts(store) == ["r-3", "r-5"]

    async def test_a_name_of_the_other_kind_is_not_meant(self, store: Store) -> None:
        await store.erase(Erasable.SUBJECT, "r-1")
        await store.erase(Erasable.RESPONSE, "jo")
        await store.record([scored(3, "r-4", texts=said(subject_sha256=JO))])
        assert await stored_texts(store) == ["r-1", "r-2", "r-3", "r-4"]


@pytest.mark.usefixtures("answers")
async def test_what_was_erased_is_noted_without_what_it_said(store: Store) -> None:
    first = await store.erase(Erasable.SUBJECT, "jo", requested_by="dpo", reason="ticket 7")
    second = await store.erase(Erasable.RESPONSE, "absent")
    assert list(await store.erasures()) == [first, second]
    assert (first.kind, first.name, first.requested_by, first.reason, first.texts) == (Erasable.SUBJECT, JO, "dpo", "ticket 7", 2)
    assert (second.kind, second.name, second.texts, second.originals) == (Erasable.RESPONSE, "absent", 0, 0)
    assert first.erased_at.utcoffset() is not None


LETTERS: dict[str, dict[str, Any]] = {
    "in a readable message": message({"response_id": "r-ü", "user_id": "jo", "contexts": 5}),
    "in a message with a field name of other tools": message({"id": "r-ü", "user_id": "jo"}),
    "in a broken message": message('{"response_id": "r-ü", "subject": "jo", "contexts": ['.encode()),
    "in a broken message, escaped": message(b'{"response_id": "r-\\u00fc", "subject": "jo",'),
}


class TestOriginals:
    @pytest.mark.parametrize(("kind", "name"), [(Erasable.RESPONSE, "r-ü"), (Erasable.SUBJECT, "jo")])
    @pytest.mark.parametrize("fields", LETTERS.values(), ids=LETTERS)
    async def test_go_whoever_is_named(self, store: Store, fields: dict[str, Any], kind: Erasable, name: str) -> None:
        others = [dead_lettered(1, **message({"response_id": "r-1", "subject": "joe"})), dead_lettered(2, **message(b'{"subject": "joe",'))]
        await store.record([dead_lettered(0, **fields), *others])
        assert (await store.erase(kind, name)).originals == 1
        assert await kept(store) == [1, 2]

    async def test_go_by_the_key_where_the_message_does_not_tell(self, store: Store) -> None:
        await store.record([dead_lettered(0, key_base64="ci0x", **message(b"{broken")), dead_lettered(1, original_base64=None)])
        assert (await store.erase(Erasable.RESPONSE, "r-1")).originals == 1

    async def test_leave_what_was_wrong(self, store: Store) -> None:
        await store.record([dead_lettered(0, **LETTERS["in a readable message"])])
        await store.erase(Erasable.RESPONSE, "r-ü")
        stored = await store.dead_letter(at(0))
        assert (stored.letter.reason, stored.kept) == ("is missing", False)
        assert (stored.letter.original, stored.letter.key, stored.letter.headers) == (None, None, ())

    async def test_do_not_come_back_by_their_key(self, store: Store) -> None:
        await store.erase(Erasable.RESPONSE, "r-1")
        await store.record(
            [dead_lettered(0, key_base64="ci0x", **message(b"{broken")), dead_lettered(1, key_base64="/w==", **message(b"{"))]
        )
        assert await kept(store) == [1]

    @pytest.mark.parametrize("offset", [0, 7], ids=["redelivered", "replayed"])
    async def test_do_not_come_back(self, store: Store, offset: int) -> None:
        batch: Sequence[DeadLettered] = [dead_lettered(0, **LETTERS["in a readable message"])]
        await store.record(batch)
        await store.erase(Erasable.SUBJECT, "jo")
        await store.record([dead_lettered(offset, **LETTERS["in a readable message"])])
        assert await kept(store) == []
