"""What every store does."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from schemas import ScoreStatus, Traits, Verdict
from tests.integration.worker.store.factories import at, dead_lettered, decision_id, labelled, minutes, scored, skipped, snapshot
from tests.unit.schemas import factories as messages
from worker.errors import NotFound
from worker.measurement.cells import Judged, bin_of
from worker.settings import Labels
from worker.store import Clock, LedgerRow, LetterFilter, Outcome, PairFilter, Promotion, Segment, Served, Store

TRAVEL = Segment("travel", "m-1")


async def account(store: Store) -> LedgerRow:
    (row,) = await store.ledger()
    assert row.balance == 0
    return row


def counts(row: LedgerRow) -> dict[str, int]:
    """The account without its zeros."""
    names = ("scored", "not_measurable", "labelled", "dead_lettered", "skipped", "gaps", "redelivered")
    return {name: getattr(row, name) for name in names if getattr(row, name)}


class TestRecord:
    async def test_every_outcome_has_its_count(self, store: Store) -> None:
        abstained = scored(1, "r-2", score_status=ScoreStatus.ABSTAINED, scores={"final": None})
        await store.record([scored(0), abstained, dead_lettered(2), skipped(3)])
        row = await account(store)
        assert counts(row) == {"scored": 1, "not_measurable": 1, "dead_lettered": 1, "skipped": 1}
        assert (row.topic, row.partition, row.first_offset, row.next_offset) == ("llm.responses", 0, 0, 4)

    async def test_labels_are_counted_on_their_own_topic(self, store: Store) -> None:
        await store.record([scored(7), labelled(3)])
        assert [(row.topic, row.first_offset, counts(row)) for row in await store.ledger()] == [
            ("llm.labels", 3, {"labelled": 1}),
            ("llm.responses", 7, {"scored": 1}),
        ]

    async def test_partitions_have_separate_accounts_in_order(self, store: Store) -> None:
        await store.record([skipped(0, partition=10), skipped(5, partition=2)])
        await store.record([skipped(6, partition=2)])
        assert [(row.partition, row.first_offset, row.next_offset) for row in await store.ledger()] == [(2, 5, 7), (10, 0, 1)]

    async def test_a_redelivered_batch_counts_as_redelivered_and_nothing_else(self, store: Store) -> None:
        batch: list[Outcome] = [scored(0), dead_lettered(1), skipped(2)]
        await store.record(batch)
        await store.record(batch)
        assert counts(await account(store)) == {"scored": 1, "dead_lettered": 1, "skipped": 1, "redelivered": 3}

    async def test_a_batch_that_overlaps_counts_its_new_part(self, store: Store) -> None:
        await store.record([skipped(0), skipped(1)])
        await store.record([skipped(1), skipped(2)])
        assert counts(await account(store)) == {"skipped": 3, "redelivered": 1}

    async def test_zombies_count_each_offset_once(self, store: Store) -> None:
        batch = [scored(offset, f"r-{offset}") for offset in range(8)]
        await asyncio.gather(*(store.record(batch[start:]) for start in (0, 4, 0, 2)))
        row = await account(store)
        assert row.scored + row.gaps + row.first_offset == 8
        assert row.scored + row.redelivered == 26

    async def test_zombies_that_meet_in_turns_leave_no_gap(self, store: Store) -> None:
        for offset in range(4):
            await asyncio.gather(store.record([skipped(offset)]), store.record([skipped(offset)]))
        assert counts(await account(store)) == {"skipped": 4, "redelivered": 4}

    async def test_offsets_that_never_come_are_gaps(self, store: Store) -> None:
        await store.record([skipped(10), skipped(13)])
        await store.record([skipped(20)])
        row = await account(store)
        assert (row.first_offset, row.next_offset) == (10, 21)
        assert counts(row) == {"skipped": 3, "gaps": 8}

    async def test_an_empty_batch_changes_nothing(self, store: Store) -> None:
        assert await store.record([]) == {}
        assert await store.ledger() == []

    async def test_the_stored_payload_comes_back_byte_by_byte(self, store: Store) -> None:
        raw = '{ "b":1.50,\n"a" : "naïve \\u0000 \\ud83d\\ude00", "b":2 }'.encode()
        outcome = scored(0)
        object.__setattr__(outcome, "payload", raw)
        known = {outcome.decision.decision_id: raw}
        assert await store.record([outcome]) == known
        assert await store.known([outcome.decision.decision_id, UUID(int=9)]) == known

    async def test_the_first_payload_of_a_decision_stays(self, store: Store) -> None:
        first, later = scored(0), scored(1, confidence_pct=1)
        await store.record([first])
        assert await store.record([later, scored(2, "r-2")]) == {
            first.decision.decision_id: first.payload,
            decision_id("r-2"): scored(2, "r-2").payload,
        }

    async def test_of_duplicates_in_a_batch_the_first_stays(self, store: Store) -> None:
        first, later = scored(0), scored(1, confidence_pct=1)
        assert await store.record([first, later]) == {first.decision.decision_id: first.payload}
        assert counts(await account(store)) == {"scored": 2}

    async def test_a_lost_row_is_written_when_its_message_comes_again(self, store: Store) -> None:
        await store.record([skipped(0)])
        await store.record([scored(0)])
        assert await store.known([decision_id("r-1")])
        assert counts(await account(store)) == {"skipped": 1, "redelivered": 1}

    async def test_nothing_is_known_of_nothing(self, store: Store) -> None:
        assert await store.known([]) == {}


class TestPair:
    @pytest.mark.parametrize("sides", [[scored, labelled], [labelled, scored]], ids=["decision first", "label first"])
    async def test_sides_pair_in_either_order(self, store: Store, sides: list[Any]) -> None:
        for side in sides:
            await store.record([side()])
            pairs = await store.pair(["r-1"])
        (pair,) = pairs
        decision, label = scored().decision, labelled()
        for name in ("decision_id", "response_id", "dataset", "model", "decision", "score_status", "scores", "fingerprint"):
            assert getattr(pair, name) == getattr(decision, name)
        assert (pair.label, pair.label_id, pair.labelled_at) == (1, label.label_id, label.labelled_at)

    @pytest.mark.parametrize("order", [1, -1])
    async def test_the_weightiest_source_counts_whenever_it_says_it(self, store: Store, order: int) -> None:
        await store.record([scored()])
        by_judge = labelled(0, label=0, minute=5, source="judge", annotator="m-2")
        for number, each in enumerate([by_judge, labelled(label=1, minute=1, annotator="jo")][::order]):
            await store.record([replace(each, position=at(number, topic="llm.labels"))])
            await store.pair(["r-1"])
        (pair,) = await store.pair(["r-1"])
        assert (pair.label, pair.source, pair.precedence) == (1, "human", Labels().weight("human"))

    async def test_an_unsure_label_is_kept_and_its_pair_is_in_no_figure(self, store: Store) -> None:
        await store.record([scored(), labelled(0, label=1, minute=1), labelled(1, label="unsure", minute=2)])
        (pair,) = await store.pair(["r-1"])
        assert pair.label is None
        assert await store.window(TRAVEL, 10) == [pair]
        assert await store.pairs(PairFilter()) == []
        await store.record([labelled(2, label=0, minute=3, source="adjudication")])
        (decided,) = await store.pair(["r-1"])
        assert (decided.label, decided.seq) == (0, pair.seq)
        assert await store.pairs(PairFilter()) == [decided]

    async def test_a_side_alone_gives_no_pair(self, store: Store) -> None:
        await store.record([scored(0, "r-1"), labelled(0, "r-2")])
        assert await store.pair(["r-1", "r-2", "r-3"]) == []
        assert await store.pair([]) == []

    async def test_sides_in_one_batch_pair(self, store: Store) -> None:
        await store.record([scored(), labelled()])
        assert len(await store.pair(["r-1"])) == 1

    async def test_sides_that_come_at_once_are_paired_by_whichever_looks_last(self, store: Store) -> None:
        async def side(outcome: Outcome, response_id: str) -> int:
            await store.record([outcome])
            return len(await store.pair([response_id]))

        for n in range(40):
            sides = (scored(n, f"r-{n}"), labelled(n, f"r-{n}"), labelled(n, f"r-{n}"))
            assert max(await asyncio.gather(*(side(outcome, f"r-{n}") for outcome in sides))) == 1
        pairs = await store.window(TRAVEL, 100)
        assert len({pair.decision_id for pair in pairs}) == len(pairs) == 40

    async def test_pairing_again_returns_the_known_pair(self, store: Store) -> None:
        await store.record([scored(), labelled()])
        assert await store.pair(["r-1"]) == await store.pair(["r-1"])

    async def test_every_decision_of_a_response_pairs(self, store: Store) -> None:
        await store.record([scored(0), scored(1, fingerprint="f-2"), labelled()])
        assert {pair.fingerprint for pair in await store.pair(["r-1"])} == {"f-1", "f-2"}

    async def test_a_corrected_label_replaces_the_pair_and_keeps_its_place(self, store: Store) -> None:
        await store.record([scored(0, "r-1"), labelled(0, "r-1", 1, minute=1)])
        (first,) = await store.pair(["r-1"])
        await store.record([scored(1, "r-2"), labelled(1, "r-2", 1), labelled(2, "r-1", 0, minute=2)])
        corrected, _ = await store.pair(["r-1", "r-2"])
        assert (corrected.seq, corrected.label, corrected.labelled_at) == (first.seq, 0, minutes(2))
        assert corrected.version > first.version

    async def test_an_older_label_that_comes_late_changes_nothing(self, store: Store) -> None:
        await store.record([scored(), labelled(0, label=1, minute=2)])
        before = await store.pair(["r-1"])
        await store.record([labelled(1, label=0, minute=1)])
        assert await store.pair(["r-1"]) == before

    @pytest.mark.parametrize("order", [(1, 2), (2, 1)])
    async def test_of_labels_at_the_same_time_the_greater_id_counts(self, store: Store, order: tuple[int, int]) -> None:
        await store.record([scored()])
        for offset, number in enumerate(order):
            await store.record([labelled(offset, label=number - 1, label_id=UUID(int=number))])
            pairs = await store.pair(["r-1"])
        assert [(pair.label, pair.label_id) for pair in pairs] == [(1, UUID(int=2))]

    async def test_corrections_that_come_at_once_end_with_the_latest(self, store: Store) -> None:
        await store.record([scored()])

        async def correct(minute: int) -> None:
            await store.record([labelled(minute, label=minute % 2, minute=minute)])
            await store.pair(["r-1"])

        await asyncio.gather(*(correct(minute) for minute in (3, 7, 1, 8, 5)))
        assert [pair.labelled_at for pair in await store.pair(["r-1"])] == [minutes(8)]


class TestWindow:
    @pytest.fixture(autouse=True)
    async def pairs(self, store: Store) -> None:
        for n in range(5):
            await store.record([scored(n, f"r-{n}", model="m-2" if n == 2 else "m-1"), labelled(n, f"r-{n}")])
            await store.pair([f"r-{n}"])

    @pytest.mark.parametrize(("size", "expected"), [(100, ["r-0", "r-1", "r-3", "r-4"]), (2, ["r-3", "r-4"])])
    async def test_it_holds_the_last_pairs_in_ascending_order(self, store: Store, size: int, expected: list[str]) -> None:
        window = await store.window(TRAVEL, size)
        assert [pair.response_id for pair in window] == expected
        assert [pair.seq for pair in window] == sorted({pair.seq for pair in window})

    async def test_segments_are_those_with_a_pair(self, store: Store) -> None:
        await store.record([scored(9, "r-9", dataset="legal")])
        assert await store.segments() == [TRAVEL, Segment("travel", "m-2")]

    async def test_an_unknown_segment_is_empty(self, store: Store) -> None:
        assert await store.window(Segment("travel", "m-3"), 10) == []


class TestPairs:
    @pytest.fixture(autouse=True)
    async def pairs(self, store: Store) -> None:
        """r-n was decided at n minutes and labelled at 10 · n; r-3 says when it was served, an hour before."""
        for n in range(4):
            changes = {"model": "m-2" if n == 1 else "m-1", "fingerprint": f"f-{n % 2}", "created_at": minutes(-60) if n == 3 else None}
            await store.record([scored(n, f"r-{n}", decided_at=minutes(n), **changes), labelled(n, f"r-{n}", minute=10 * n)])
            await store.pair([f"r-{n}"])

    async def test_those_of_a_dimension_are_told_apart_and_the_audit_mark_comes_along(self, store: Store) -> None:
        marked = messages.decision().meta.model_copy(update={"audit": True})
        await store.record([scored(9, "r-9", dimensions={"language": "da"}, meta=marked), labelled(9, "r-9")])
        await store.pair(["r-9"])
        (danish,) = await store.pairs(PairFilter(dimension=("language", "da")))
        assert (danish.response_id, danish.audit) == ("r-9", True)
        assert await store.pairs(PairFilter(dimension=("language", "en"))) == []
        assert not any(pair.audit for pair in await store.pairs(PairFilter(until=minutes(60))) if pair.response_id != "r-9")

    @pytest.mark.parametrize(
        ("which", "expected"),
        [
            ({}, [0, 1, 2, 3]),
            ({"dataset": "travel", "model": "m-1"}, [0, 2, 3]),
            ({"dataset": "legal"}, []),
            ({"fingerprint": "f-1"}, [1, 3]),
            ({"since": minutes(10), "until": minutes(30)}, [1, 2]),
            ({"since": minutes(0), "until": minutes(2), "clock": Clock.SERVED}, [0, 1]),
            ({"until": minutes(0), "clock": Clock.SERVED}, [3]),
        ],
        ids=["all", "a segment", "nothing", "a detector", "labelled in a period", "served in a period", "served as the event said"],
    )
    async def test_those_that_are_meant_come_by_seq(self, store: Store, which: dict[str, Any], expected: list[int]) -> None:
        assert [pair.response_id for pair in await store.pairs(PairFilter(**which))] == [f"r-{n}" for n in expected]


async def test_the_answers_behind_decisions_come_with_when_they_were_served_and_hashes_for_their_texts(store: Store) -> None:
    hashes = {"question_sha256": "a" * 64, "response_sha256": "b" * 64, "contexts_sha256": ("c" * 64, "d" * 64)}
    await store.record([scored(0, "r-0", decided_at=minutes(1), created_at=minutes(-60), **hashes)])
    await store.record([scored(1, "r-1", decided_at=minutes(2), degraded=True, contexts_sha256=())])
    found = await store.served([decision_id("r-0"), decision_id("r-1"), decision_id("gone")])
    assert found == {
        decision_id("r-0"): Served(at=minutes(-60), degraded=False, **hashes),
        decision_id("r-1"): Served(at=minutes(2), degraded=True, question_sha256=None, response_sha256="0" * 64, contexts_sha256=()),
    }
    assert await store.served([]) == {}


async def test_decisions_come_with_their_scores_labelled_or_not_and_of_many_a_sample(store: Store) -> None:
    like = Traits(question_characters=None, response_characters=9, contexts=1, context_characters=40, directions={"response": (0.5, -1.25)})
    scores = [{"final": n / 10, "cosine": None} for n in range(10)]
    await store.record([scored(n, f"r-{n}", scores=scores[n], decided_at=minutes(n), traits=like if n > 2 else None) for n in range(10)])
    every = await store.decided(PairFilter(since=minutes(2), until=minutes(5)), 100)
    assert sorted(one[:3] for one in every) == [(f"r-{n}", Verdict.ACCEPT, scores[n]) for n in (2, 3, 4)]
    traits = {one[0]: one[3] for one in every}
    assert traits["r-2"] == {}
    assert (traits["r-3"]["response_characters"], list(traits["r-4"]["directions"]["response"])) == (9, [0.5, -1.25])
    sample = await store.decided(PairFilter(), 4)
    assert len(sample) == 4
    assert sample == await store.decided(PairFilter(), 4)


@pytest.mark.parametrize("final", [-0.1, 0.0, 0.05, 0.3, 0.349999, 0.35, 0.95, 1.0, 1.5])
async def test_scored_decisions_are_counted_by_verdict_and_bin(store: Store, final: float) -> None:
    unscored = scored(1, "r-1", score_status=ScoreStatus.ABSTAINED, scores={"final": None})
    degraded = scored(3, "r-3", scores={"final": None}, degraded=True)
    later = scored(2, "r-2", scores={"final": final}, decided_at=minutes(9))
    await store.record([scored(0, "r-0", scores={"final": final}, decided_at=minutes(1)), unscored, later, degraded])
    assert await store.scored_cells(PairFilter(until=minutes(9))) == {("ACCEPT", bin_of(final)): 1}
    assert await store.scored_cells(PairFilter(since=minutes(0))) == {("ACCEPT", bin_of(final)): 2}
    assert await store.scored_cells(PairFilter(dataset="legal")) == {}


class TestSnapshots:
    async def test_the_last_saved_of_each_segment_counts_whatever_the_clock_said(self, store: Store) -> None:
        ahead, other = snapshot(taken_at=minutes(60)), snapshot(dataset="Émile", taken_at=minutes(0))
        newest = snapshot(taken_at=minutes(1))
        await store.save_snapshots([ahead, other])
        await store.save_snapshots([newest])
        assert await store.latest_snapshots() == [newest, other]

    async def test_of_those_saved_at_once_the_last_counts(self, store: Store) -> None:
        await store.save_snapshots([snapshot(pairs=2), snapshot(pairs=3)])
        assert [latest.pairs for latest in await store.latest_snapshots()] == [3]

    async def test_there_may_be_none(self, store: Store) -> None:
        await store.save_snapshots([])
        assert await store.latest_snapshots() == []
        assert await store.segments() == []


async def test_decisions_are_counted_by_segment_and_verdict(store: Store) -> None:
    verdicts = [Verdict.ACCEPT, Verdict.REJECT, Verdict.ACCEPT]
    await store.record([scored(n, f"r-{n}", decision=verdict) for n, verdict in enumerate(verdicts)])
    await store.record([scored(3, "r-3", model="m-2", decision=Verdict.REVIEW)])
    assert await store.decision_counts() == {
        TRAVEL: {Verdict.ACCEPT: 2, Verdict.REJECT: 1},
        Segment("travel", "m-2"): {Verdict.REVIEW: 1},
    }


class TestDeadLetters:
    async def test_the_newest_come_first(self, store: Store) -> None:
        await store.record([dead_lettered(n, kind="poison" if n == 1 else "invalid") for n in range(4)])
        assert [stored.letter.offset for stored in await store.dead_letters(limit=3)] == [3, 2, 1]
        assert [stored.letter.offset for stored in await store.dead_letters(LetterFilter(kind="poison"))] == [1]
        assert await store.dead_letters(LetterFilter(kind="unreadable")) == []

    async def test_those_of_the_same_time_come_in_a_fixed_order(self, store: Store) -> None:
        await store.record([dead_lettered(n, partition=n % 2, failed_at=minutes(0)) for n in range(4)])
        assert [stored.letter.offset for stored in await store.dead_letters()] == [2, 0, 3, 1]

    @pytest.mark.parametrize("overrides", [{}, {"original_base64": None, "key_base64": None, "headers": ()}], ids=["whole", "tombstone"])
    async def test_one_comes_back_whole(self, store: Store, overrides: dict[str, Any]) -> None:
        outcome = dead_lettered(5, **overrides)
        await store.record([outcome])
        stored = await store.dead_letter(at(5))
        assert stored.letter == outcome.letter
        assert stored.replayed_at is None

    async def test_replay_is_noted_and_outlives_a_redelivery(self, store: Store) -> None:
        await store.record([dead_lettered(5)])
        await store.mark_replayed(at(5), at(9))
        await store.record([dead_lettered(5)])
        replayed_at = (await store.dead_letter(at(5))).replayed_at
        assert replayed_at is not None
        assert replayed_at.utcoffset() is not None

    async def test_an_unknown_one_is_named(self, store: Store) -> None:
        with pytest.raises(NotFound, match=r"llm\.responses/0/5"):
            await store.dead_letter(at(5))
        with pytest.raises(NotFound, match=r"llm\.responses/0/5"):
            await store.mark_replayed(at(5), at(9))

    async def test_a_nul_in_what_it_says_does_not_stop_the_batch(self, store: Store) -> None:
        await store.record([dead_lettered(0, field="attributes.a\x00b", reason="a\x00b", headers=(("h\x00", "AA=="),))])
        letter = (await store.dead_letter(at(0))).letter
        assert (letter.field, letter.reason, letter.headers) == ("attributes.a\ufffdb", "a\ufffdb", (("h\x00", "AA=="),))


async def test_a_store_that_works_passes_its_check(store: Store) -> None:
    await store.check()


@pytest.mark.parametrize("clock", Clock)
async def test_figures_need_no_more_than_verdict_score_label_and_whether_chance_chose(store: Store, clock: Clock) -> None:
    marked = messages.decision().meta.model_copy(update={"audit": True})
    await store.record([scored(0, "r-0", decided_at=minutes(1), scores={"final": 0.25}, meta=marked), labelled(0, "r-0", 0, minute=2)])
    await store.record([scored(1, "r-1", decided_at=minutes(1), scores={"final": None}), labelled(1, "r-1", 1, minute=2)])
    await store.record([scored(2, "r-2", decided_at=minutes(9)), labelled(2, "r-2", minute=9), labelled(3, "r-0", 1, minute=1)])
    await store.pair(["r-0", "r-1", "r-2"])
    found = await store.judged(PairFilter(dataset="travel", model="m-1", until=minutes(5), clock=clock))
    assert sorted(found, key=lambda one: one.label) == [Judged(Verdict.ACCEPT, 0.25, 0, True), Judged(Verdict.ACCEPT, None, 1, False)]


async def test_a_dimension_has_the_values_of_what_was_served(store: Store) -> None:
    languages = ({"language": "en"}, {"language": "da", "tenant": "x"}, {}, {"language": "da"}, {"language": "de"})
    await store.record([scored(n, f"r-{n}", dimensions=each, decided_at=minutes(n)) for n, each in enumerate(languages)])
    assert list(await store.dimension_values("language", PairFilter())) == ["da", "de", "en"]
    assert list(await store.dimension_values("language", PairFilter(until=minutes(3)))) == ["da", "en"]
    assert list(await store.dimension_values("place", PairFilter())) == []


class TestRatings:
    async def test_every_label_is_kept_with_its_author_and_the_one_that_counts_comes_first(self, store: Store) -> None:
        said = [(1, "human", "jo", 1), (0, "human", "jo", 3), ("unsure", "judge", "m-2", 9), (1, "human", "al", 2)]
        labels = [
            labelled(offset, label=label, source=source, annotator=annotator, minute=minute)
            for offset, (label, source, annotator, minute) in enumerate(said)
        ]
        await store.record([*labels, labelled(9, "r-2")])
        found = await store.labels_of("r-1")
        assert [(one.label, one.rater, one.labelled_at) for one in found] == [
            (0, "human:jo", minutes(3)),
            (1, "human:al", minutes(2)),
            (1, "human:jo", minutes(1)),
            (None, "judge:m-2", minutes(9)),
        ]
        assert await store.labels_of("r-0") == []

    async def test_of_each_rater_the_latest_label_of_each_answer_counts(self, store: Store) -> None:
        await store.record(
            [
                scored(0, "r-1"),
                scored(1, "r-2", model="m-2"),
                labelled(0, "r-1", 1, annotator="jo", minute=1),
                labelled(1, "r-1", 0, annotator="jo", minute=2),
                labelled(2, "r-1", "unsure", annotator="al", minute=1),
                labelled(3, "r-1", 1, source="judge", minute=8),
                labelled(4, "r-2", 1, annotator="jo", minute=4),
                labelled(5, "r-3", 1, annotator="jo", minute=9),
            ]
        )
        await store.pair(["r-1", "r-2"])

        def told(ratings: Any) -> list[tuple[str, str, int | None]]:
            return [(one.response_id, one.rater, one.label) for one in ratings]

        first = [("r-1", "human:al", None), ("r-1", "human:jo", 0), ("r-1", "judge", 1)]
        assert told(await store.ratings()) == [*first, ("r-2", "human:jo", 1), ("r-3", "human:jo", 1)]
        assert told(await store.ratings(minutes(5))) == [*first, ("r-3", "human:jo", 1)]
        assert told(await store.ratings(None, TRAVEL)) == first
        assert told(await store.ratings(minutes(5), Segment("travel", "m-2"))) == []


class TestShadow:
    async def test_a_rivals_decision_is_written_with_its_own_and_counts_as_no_further_answer(self, store: Store) -> None:
        rival = scored(fingerprint="f-2", enforced=False)
        stored = await store.record([replace(scored(), rival=(rival.decision, rival.payload))])
        assert stored == {scored().decision.decision_id: scored().payload, rival.decision.decision_id: rival.payload}
        assert counts(await account(store)) == {"scored": 1}

    async def test_what_is_in_shadow_is_in_no_figure_unless_its_detector_is_named(self, store: Store) -> None:
        await store.record([scored(0), scored(1, fingerprint="f-2", enforced=False), labelled(0)])
        binding, shadow = sorted(await store.pair(["r-1"]), key=lambda pair: not pair.enforced)
        assert (binding.fingerprint, shadow.fingerprint) == ("f-1", "f-2")
        assert await store.window(TRAVEL, 9) == await store.pairs(PairFilter()) == [binding]
        assert await store.pairs(PairFilter(fingerprint="f-2")) == [shadow]
        assert len(await store.decided(PairFilter(), 9)) == sum((await store.scored_cells(PairFilter())).values()) == 1
        assert len(await store.decided(PairFilter(fingerprint="f-2"), 9)) == 1
        assert sum((await store.decision_counts())[TRAVEL].values()) == 1

    async def test_a_segment_that_is_in_shadow_alone_has_no_window(self, store: Store) -> None:
        await store.record([scored(0, enforced=False), labelled(0)])
        await store.pair(["r-1"])
        assert await store.segments() == []

    async def test_promotions_are_kept_with_their_evidence_the_newest_first(self, store: Store) -> None:
        assert list(await store.promotions()) == []
        kept = [
            Promotion(fingerprint=f"f-{n}", replaced="f-0", promoted_at=minutes(n), promoted_by=None, evidence={"outcome": "ok"})
            for n in (1, 2)
        ]
        for one in kept:
            await store.promote(one)
        assert list(await store.promotions()) == kept[::-1]
