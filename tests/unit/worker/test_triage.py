"""What becomes of a batch: every message ends in exactly one outcome, and everything is written before it is published."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
import pytest

from detectors import Answer, load_profile
from schemas import Decision, Pair, subject_sha256
from tests.unit.worker.factories import (
    NOW,
    TOPICS,
    FixedScorer,
    Received,
    RecordingPublisher,
    collaborators,
    label_message,
    response_message,
    scored,
)
from tests.waiting import until
from worker.errors import BrokerUnavailable, ScorerUnavailable, StoreRefused, StoreUnavailable, WrongProfile
from worker.load import Load
from worker.patience import Patience, Stopping
from worker.patterns import patterns
from worker.policy import REUSED_ID, DetectorIdentity, Policy, text_sha256
from worker.redaction import Redaction
from worker.rollout import Contender, Lineup, Rollout
from worker.settings import Labels, Sampling
from worker.settings import Load as LoadSettings
from worker.store import DeadLettered, Ending, Erasable, LedgerRow, Outcome, Position, Segment
from worker.store.memory import MemoryStore
from worker.store.origin import ATTEMPT_HEADER, REPLAY_HEADER
from worker.triage import LabelTriage, ResponseTriage

DETECTOR = DetectorIdentity(fingerprint="seed-0123456789abcdef", profile="seed", encoder="test")
RIVAL = DetectorIdentity(fingerprint="rival-0123456789abcdef", profile="rival", encoder="test")


class House:
    """Both kinds of triage over one store and one publisher."""

    def __init__(
        self,
        patience: Patience,
        sampling: Sampling = Sampling(),  # noqa: B008 - frozen
        share: float | None = None,
        **overrides: Any,
    ) -> None:
        """`share` of the conversations for a challenger; None: there is none."""
        self.use = collaborators(patience, **overrides)
        self.scorer = FixedScorer()
        self.load = Load(LoadSettings())
        policy = Policy(load_profile("seed").rules)
        champion = Contender(scorer=self.scorer, detector=DETECTOR, policy=policy)
        self.rival = FixedScorer(result=scored(final=0.1))
        challenger = None if share is None else Contender(scorer=self.rival, detector=RIVAL, policy=policy)
        self.rollout = Rollout(Lineup(champion=champion, challenger=challenger, share=share or 0.0, wait_seconds=0.2))
        self.triage = ResponseTriage(
            self.use,
            rollout=self.rollout,
            sampling=sampling,
            load=self.load,
            dimensions=("language",),
        )
        self.label_triage = LabelTriage(self.use, Labels())

    async def responses(self, records: Sequence[Received]) -> None:
        await self.triage.settle(await self.triage.judge(records))

    async def labels(self, records: Sequence[Received]) -> None:
        await self.label_triage.settle(await self.label_triage.judge(records))

    @property
    def published(self) -> RecordingPublisher:
        assert isinstance(self.use.publisher, RecordingPublisher)
        return self.use.publisher

    async def account(self, topic: str = TOPICS.responses) -> LedgerRow:
        (row,) = [row for row in await self.use.store.ledger() if row.topic == topic]
        return row


@pytest.fixture
def house(patience: Patience) -> House:
    return House(patience)


async def test_a_response_becomes_a_decision_on_the_topic_and_in_the_store(house: House) -> None:
    await house.responses([response_message(0)])

    (payload,) = house.published.values(TOPICS.decisions)
    decision = orjson.loads(payload or b"")
    assert decision["response_id"] == "r-0-0"
    assert (await house.use.store.known({UUID(decision["decision_id"])})) == {UUID(decision["decision_id"]): payload}
    assert (await house.account()).scored == 1


async def test_the_audit_slice_and_the_dimensions_that_are_named_stand_in_the_decision(patience: Patience) -> None:
    house = House(patience, Sampling(audit=1))
    await house.responses([response_message(0, attributes={"language": "da", "tenant": "t-1"})])
    (payload,) = house.published.values(TOPICS.decisions)
    decision = Decision.model_validate_json(payload or b"")
    assert (decision.meta.audit, decision.dimensions) == (True, {"language": "da"})


async def test_what_is_published_and_stored_as_a_decision_holds_no_text(house: House) -> None:
    house.scorer.result = scored(low_confidence_sentences=[{"start": 0, "end": 17}])
    await house.responses([response_message(0, response="Seventeen otters.", question="How many otters?", contexts=["Few herons."])])

    (payload,) = house.published.values(TOPICS.decisions)
    decision = orjson.loads(payload or b"")
    assert decision["explanations"]["low_confidence_sentences"] == [{"start": 0, "end": 17}]
    (stored,) = (await house.use.store.known({UUID(decision["decision_id"])})).values()
    assert all(word not in text for text in (payload or b"", stored) for word in (b"otters", b"herons", b"Seventeen"))


async def test_whose_an_answer_was_is_stored_as_a_hash_and_not_published(house: House) -> None:
    await house.responses([response_message(0, subject="otter-4711")])
    assert isinstance(house.use.store, MemoryStore)
    assert house.use.store.texts["r-0-0"].subject_sha256 == subject_sha256("otter-4711")
    assert all(b"otter" not in (message.value or b"") for message in house.published.messages)


@pytest.mark.parametrize("kind", Erasable)
async def test_texts_of_whoever_was_erased_are_judged_and_not_stored(house: House, kind: Erasable) -> None:
    await house.responses([response_message(0, subject="jo")])
    await house.use.store.erase(kind, {"response": "r-0-0", "subject": "jo"}[kind])
    await house.responses([response_message(0, subject="jo")])
    await house.responses([response_message(1, response_id="r-0-0", subject="jo"), response_message(2, subject="jo", contexts=7)])

    assert isinstance(house.use.store, MemoryStore)
    assert house.use.store.texts == {}
    row = await house.account()
    assert (row.scored, row.skipped, row.dead_lettered, row.redelivered, row.balance) == (1, 1, 1, 1, 0)
    (letter,) = await house.use.store.dead_letters()
    assert letter.kept == (kind is Erasable.RESPONSE)


async def test_a_replay_that_fails_again_is_linked_and_does_not_go_round(house: House) -> None:
    """Sent again as `dead-letters replay` does it, until nothing is left to send."""
    await house.responses([response_message(0, response="poison")])
    sent = 0
    while replayable := await house.use.store.dead_letters(replayable=True):
        (stored,) = replayable
        sent += 1
        first = Position(TOPICS.responses, 0, stored.letter.offset)
        headers = ((REPLAY_HEADER, first.place.encode()), (ATTEMPT_HEADER, b"1"))
        await house.use.store.mark_replayed(first, Position(TOPICS.responses, 0, 1))
        await house.responses([replace(response_message(1, response="poison"), headers=headers)])

    assert sent == 1
    again, before = await house.use.store.dead_letters()
    assert (again.replay_of, again.attempt, again.kept) == (f"{TOPICS.responses}/0/0", 1, True)
    assert [replay.ending for replay in before.replays] == [Ending.DEAD_LETTERED]
    assert (await house.account()).dead_lettered == 2


async def test_what_is_stored_and_published_is_masked_and_what_is_judged_is_not(patience: Patience) -> None:
    house = House(patience, redaction=Redaction(patterns(["email"], {})))
    await house.responses([response_message(0, response="Ask jo@example.org."), response_message(1, response="jo@example.org", contexts=7)])

    assert [answer.response for answer in house.scorer.asked] == ["Ask jo@example.org."]
    assert isinstance(house.use.store, MemoryStore)
    assert house.use.store.texts["r-0-0"].response == "Ask [email]*******."
    (published,), (stored,) = house.published.letters, await house.use.store.dead_letters()
    original = (await house.use.store.dead_letter(Position(TOPICS.responses, 0, 1))).letter.original
    assert stored.bytes == len(response_message(1, response="jo@example.org", contexts=7).value or b"")
    assert original == published.original
    assert b"jo@" not in (original or b"")
    (payload,) = house.published.values(TOPICS.decisions)
    assert orjson.loads(payload or b"")["response_sha256"] == text_sha256("Ask jo@example.org.")


async def test_a_redelivered_response_gives_the_same_bytes_and_counts_once(house: House) -> None:
    await house.responses([response_message(0)])
    await house.responses([response_message(0)])

    first, second = house.published.values(TOPICS.decisions)
    assert first == second
    row = await house.account()
    assert (row.scored, row.redelivered, row.skipped, row.balance) == (1, 1, 0, 0)
    assert len(house.scorer.asked) == 1


@pytest.mark.parametrize("batches", [[[0, 1]], [[0], [1]]], ids=["same batch", "later batch"])
async def test_an_answer_sent_twice_is_decided_once(house: House, batches: list[list[int]]) -> None:
    for offsets in batches:
        await house.responses([response_message(offset, response_id="twice") for offset in offsets])

    row = await house.account()
    assert (row.scored, row.skipped, row.balance) == (1, 1, 0)
    assert len(set(house.published.values(TOPICS.decisions))) == 1


@pytest.mark.parametrize("batches", [[[0, 1]], [[0], [1]]], ids=["same batch", "later batch"])
async def test_another_answer_under_a_used_id_is_a_dead_letter(house: House, batches: list[list[int]]) -> None:
    for offsets in batches:
        await house.responses([response_message(offset, response_id="reused", response=f"Answer {offset}.") for offset in offsets])

    (letter,) = house.published.letters
    assert (letter.kind, letter.field, letter.offset) == ("invalid", "response_id", 1)
    assert (await house.account()).balance == 0


@pytest.mark.parametrize(
    ("second", "skipped", "letters"), [("Answer 0.", 1, 0), ("Answer 1.", 0, 1)], ids=["same answer", "another answer"]
)
async def test_two_batches_in_hand_decide_on_an_id_once(house: House, second: str, skipped: int, letters: int) -> None:
    batches = [
        await house.triage.judge([response_message(offset, response_id="twice", response=response)])
        for offset, response in enumerate(["Answer 0.", second])
    ]
    for batch in batches:
        await house.triage.settle(batch)

    row = await house.account()
    assert (row.scored, row.skipped, row.dead_lettered, row.balance) == (1, skipped, letters, 0)
    assert len(set(house.published.values(TOPICS.decisions))) == 1


async def test_unreadable_messages_do_not_stop_the_batch(house: House) -> None:
    rubbish = [Received(None, offset=0), Received(b"{", offset=1), Received(b'{"response_id": "x", "response": "y"}', offset=2)]
    await house.responses([*rubbish, response_message(3)])

    assert [(letter.kind, letter.field) for letter in house.published.letters] == [
        ("unreadable", ""),
        ("unreadable", ""),
        ("invalid", "contexts"),
    ]
    assert [letter.original for letter in house.published.letters] == [message.value for message in rubbish]
    house.load.measured(0, 1, 0.02)
    assert house.load.batch(64) > Load(LoadSettings(), guess=0.02).batch(64), "what is not scored counts as little work"
    row = await house.account()
    assert (row.scored, row.dead_lettered, row.balance) == (1, 3, 0)


async def test_the_answer_that_kills_the_scorer_is_a_dead_letter_and_the_others_are_judged(house: House) -> None:
    await house.responses([response_message(0), response_message(1, response="poison"), response_message(2)])

    (letter,) = house.published.letters
    assert (letter.kind, letter.offset) == ("poison", 1)
    assert (await house.account()).scored == 2


async def test_a_share_of_a_dataset_is_judged_and_the_rest_skipped(patience: Patience) -> None:
    house = House(patience, Sampling(datasets={"helpdesk": 0.25}))
    await house.responses([response_message(offset) for offset in range(400)])

    row = await house.account()
    assert row.balance == 0
    assert row.scored + row.skipped == 400
    assert 60 < row.scored < 140


@pytest.mark.parametrize("order", ["decision first", "label first"])
async def test_a_label_pairs_with_its_decision_in_either_order(house: House, order: str) -> None:
    steps = [house.responses([response_message(0)]), house.labels([label_message("r-0-0", 0)])]
    for step in steps if order == "decision first" else reversed(steps):
        await step

    (pair,) = [orjson.loads(value or b"") for value in house.published.values(TOPICS.pairs)]
    assert (pair["response_id"], pair["label"], pair["scores"]["final"]) == ("r-0-0", 0, 0.8)


async def test_a_corrected_label_keeps_the_pairs_place(house: House) -> None:
    await house.responses([response_message(0)])
    await house.labels([label_message("r-0-0", 0, labelled_at="2026-05-01T10:00:00Z")])
    await house.labels([label_message("r-0-0", 1, offset=1, labelled_at="2026-05-01T11:00:00Z")])
    await house.labels([label_message("r-0-0", 0, offset=2, labelled_at="2026-05-01T10:30:00Z")])

    pairs = [orjson.loads(value or b"") for value in house.published.values(TOPICS.pairs)]
    assert [pair["label"] for pair in pairs] == [0, 1, 1]
    assert len({pair["seq"] for pair in pairs}) == 1


class FailingStore(MemoryStore):
    """Is away for the first calls of `record`."""

    def __init__(self, failures: int) -> None:
        super().__init__()
        self.failures = failures

    async def record(self, outcomes: Sequence[Outcome]) -> Mapping[UUID, bytes]:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable
        return await super().record(outcomes)


class RefusingStore(MemoryStore):
    """Refuses a batch that holds one of these offsets, unless as a dead letter."""

    def __init__(self, *offsets: int) -> None:
        super().__init__()
        self._offsets = offsets

    async def record(self, outcomes: Sequence[Outcome]) -> Mapping[UUID, bytes]:
        if any(outcome.position.offset in self._offsets and not isinstance(outcome, DeadLettered) for outcome in outcomes):
            raise StoreRefused("Postgres refuses a value (CheckViolationError).")
        return await super().record(outcomes)


@pytest.mark.parametrize("offsets", [(0,), (2,), (6,), (1, 2), (0, 3, 6)])
async def test_what_postgres_refuses_is_a_dead_letter_and_the_others_are_written(patience: Patience, offsets: tuple[int, ...]) -> None:
    house = House(patience, store=RefusingStore(*offsets))
    await house.responses([response_message(offset) for offset in range(7)])

    row = await house.account()
    assert (row.scored, row.dead_lettered, row.balance) == (7 - len(offsets), len(offsets), 0)
    assert len(house.published.values(TOPICS.decisions)) == 7 - len(offsets)
    letters = await house.use.store.dead_letters()
    assert {stored.letter.offset for stored in letters} == set(offsets)
    assert {(stored.letter.kind, stored.bytes is None) for stored in letters} == {("poison", False)}


async def test_a_label_that_postgres_refuses_is_a_dead_letter(patience: Patience) -> None:
    house = House(patience, store=RefusingStore(1))
    await house.labels([label_message(f"r-{offset}", offset=offset) for offset in range(3)])
    row = await house.account(TOPICS.labels)
    assert (row.labelled, row.dead_lettered, row.balance) == (2, 1, 0)


async def test_an_infrastructure_fault_is_waited_out(patience: Patience) -> None:
    house = House(patience, store=FailingStore(3))
    await house.responses([response_message(0)])

    assert (await house.account()).scored == 1
    assert patience.waiting_for is None


async def test_nothing_is_published_before_it_is_stored(patience: Patience, stop: asyncio.Event) -> None:
    house = House(patience, store=FailingStore(10**6))
    working = asyncio.create_task(house.responses([response_message(0)]))  # type: ignore[arg-type]
    await until(lambda: patience.waiting_for)
    stop.set()
    with pytest.raises(Stopping):
        await working
    assert house.published.messages == []


async def test_a_lost_publish_is_repaired_by_the_redelivery(patience: Patience, stop: asyncio.Event) -> None:
    class Unreachable(RecordingPublisher):
        async def publish(self, messages: Sequence[Any]) -> None:
            raise BrokerUnavailable

    store = MemoryStore()
    crashed = House(patience, store=store, publisher=Unreachable())
    working = asyncio.create_task(crashed.responses([response_message(0)]))  # type: ignore[arg-type]
    await until(lambda: patience.waiting_for)
    stop.set()
    with pytest.raises(Stopping):
        await working
    stop.clear()

    successor = House(patience, store=store)
    await successor.responses([response_message(0)])
    assert len(successor.published.values(TOPICS.decisions)) == 1
    row = await successor.account()
    assert (row.scored, row.redelivered, row.balance) == (1, 1, 0)


class TestChallenger:
    """A second detector judges the same answers; exactly one of the two decisions binds."""

    async def decided(self, house: House) -> dict[tuple[str, str], bool]:
        """Whether each published decision binds, by response and profile."""
        decisions = [Decision.model_validate_json(payload or b"") for payload in house.published.values(TOPICS.decisions)]
        return {(one.response_id, one.meta.profile): one.enforced for one in decisions}

    async def test_without_a_share_it_judges_in_shadow(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        await house.responses([response_message(0)])
        assert await self.decided(house) == {("r-0-0", "seed"): True, ("r-0-0", "rival"): False}
        assert (await house.account()).scored == 1

    async def test_its_share_of_the_conversations_binds_and_no_other(self, patience: Patience) -> None:
        house = House(patience, share=0.3)
        await house.responses([response_message(n, conversation_id=f"c-{n // 4}") for n in range(400)])
        decided = await self.decided(house)
        binding = {response for (response, profile), enforced in decided.items() if profile == "rival" and enforced}
        assert all(decided[response, "seed"] != decided[response, "rival"] for response, _ in decided)
        assert 80 < len(binding) < 160
        conversations = {int(response.rsplit("-", 1)[1]) // 4 for response in binding}
        assert len(binding) == 4 * len(conversations)

    async def test_both_pair_with_the_label(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        await house.responses([response_message(0)])
        await house.labels([label_message("r-0-0")])
        pairs = [Pair.model_validate_json(payload or b"") for payload in house.published.values(TOPICS.pairs)]
        assert {(one.fingerprint, one.enforced) for one in pairs} == {(DETECTOR.fingerprint, True), (RIVAL.fingerprint, False)}
        assert await house.use.store.window(Segment("helpdesk", "alpha"), 9) == [one for one in pairs if one.enforced]

    async def test_a_redelivered_answer_gives_both_decisions_again_byte_for_byte(self, patience: Patience) -> None:
        house = House(patience, share=0.5)
        for _ in range(2):
            await house.responses([response_message(0)])
        first, second, *again = house.published.values(TOPICS.decisions)
        assert again == [first, second]

    async def test_under_overload_it_is_left_out_and_the_champion_binds(self, patience: Patience) -> None:
        house = House(patience, share=1.0)
        house.load.shed = 1
        await house.responses([response_message(0)])
        assert await self.decided(house) == {("r-0-0", "seed"): True}

    async def test_a_promoted_challenger_binds_from_then_on(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        assert not house.rollout.promote("unknown")
        assert house.rollout.promote(RIVAL.fingerprint)
        assert not house.rollout.promote(RIVAL.fingerprint)
        await house.responses([response_message(1)])
        assert await self.decided(house) == {("r-0-1", "rival"): True, ("r-0-1", "seed"): False}

    async def test_a_batch_is_judged_to_its_end_by_whom_it_was_given_to(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        former = house.rollout.lineup
        with house.rollout.held() as held:
            house.rollout.promote(RIVAL.fingerprint)
            assert (held is former, former.idle.is_set()) == (True, False)
        assert former.idle.is_set()
        assert not house.rollout.lineup.idle.is_set()

    async def test_after_a_promotion_an_answer_that_was_decided_before_is_not_decided_again(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        house.load.shed = 1
        await house.responses([response_message(0)])
        house.load.shed = 0
        house.rollout.promote(RIVAL.fingerprint)
        await house.responses([response_message(0)])
        first, again = house.published.values(TOPICS.decisions)
        assert first == again
        assert (await house.account()).redelivered == 1

    async def test_after_a_promotion_another_answer_under_an_id_is_a_dead_letter_still(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        await house.responses([response_message(0)])
        house.rollout.promote(RIVAL.fingerprint)
        await house.responses([response_message(1, response_id="r-0-0", response="Another answer.")])
        assert [letter.reason for letter in house.published.letters] == [REUSED_ID]
        assert await self.decided(house) == {("r-0-0", "seed"): True, ("r-0-0", "rival"): False}

    @pytest.mark.parametrize("failure", [ScorerUnavailable(), WrongProfile("it has changed")])
    async def test_one_that_cannot_score_leaves_the_decision_to_the_champion(self, patience: Patience, failure: Exception) -> None:
        house = House(patience, share=1.0)

        async def fail(answers: Sequence[Answer]) -> list[Any]:
            raise failure

        house.rival.assess = fail  # type: ignore[method-assign]
        await house.responses([response_message(0)])
        assert await self.decided(house) == {("r-0-0", "seed"): True}

    async def test_one_that_is_late_holds_nobody_up_and_is_left_out_until_it_is_done(self, patience: Patience) -> None:
        house = House(patience, share=1.0)
        done = asyncio.Event()

        async def dawdle(answers: Sequence[Answer]) -> list[Any]:
            house.rival.asked += answers
            await done.wait()
            return [house.rival.result for _ in answers]

        swift, house.rival.assess = house.rival.assess, dawdle  # type: ignore[method-assign]
        for offset in (0, 1):
            await asyncio.wait_for(house.responses([response_message(offset)]), 10)
        assert len(house.rival.asked) == 1
        assert await self.decided(house) == {("r-0-0", "seed"): True, ("r-0-1", "seed"): True}
        done.set()
        house.rival.assess = swift  # type: ignore[method-assign]
        await until(lambda: not house.rollout.lineup._late)
        await house.responses([response_message(2)])
        assert (await self.decided(house))["r-0-2", "rival"]

    async def test_a_line_up_that_is_gone_takes_what_was_late_with_it(self, patience: Patience) -> None:
        house = House(patience, share=0.0)
        stopped: list[bool] = []

        async def hang(answers: Sequence[Answer]) -> list[Any]:
            try:
                await asyncio.Event().wait()
            finally:
                stopped.append(True)
            return []

        house.rival.assess = hang  # type: ignore[method-assign]
        await house.responses([response_message(0)])
        house.rollout.bring_in(Lineup(champion=house.rollout.lineup.champion))
        await asyncio.wait_for(house.rollout.drained(), 10)
        assert stopped == [True]


async def test_a_label_from_the_future_would_outweigh_all_others_and_is_a_dead_letter(house: House) -> None:
    soon, late = NOW + timedelta(hours=20), NOW + timedelta(hours=25)
    await house.labels([label_message("r-1", labelled_at=soon.isoformat()), label_message("r-2", labelled_at=late.isoformat(), offset=1)])
    assert [(letter.offset, letter.field) for letter in house.published.letters] == [(1, "labelled_at")]
    assert [one.response_id for one in await house.use.store.ratings()] == ["r-1"]
