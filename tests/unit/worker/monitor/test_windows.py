"""A window is what the store says it is, whatever order the pairs came in."""

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from schemas import ScoreStatus, Verdict
from tests.unit.worker.monitor.factories import EPOCH, SEGMENT, corrected, pair
from worker.monitor.windows import Window, Windows
from worker.store.protocol import Segment


def _window(*pairs, size=3):
    window = Window(SEGMENT, size)
    window.load(pairs)
    return window


def _seqs(window):
    return [each.seq for each in window.pairs]


def test_it_holds_the_pairs_with_the_highest_seq():
    window = _window(*(pair(seq) for seq in (5, 1, 4, 2, 3)))
    assert _seqs(window) == [3, 4, 5]


def test_a_pair_below_the_window_is_ignored():
    window = _window(pair(5), pair(6), pair(7))
    assert not window.apply(pair(4))
    assert _seqs(window) == [5, 6, 7]


def test_a_pair_below_a_window_that_is_not_full_is_taken():
    window = _window(pair(5), pair(6))
    assert window.apply(pair(4))
    assert _seqs(window) == [4, 5, 6]


def test_a_pair_held_already_changes_nothing():
    window = _window(pair(1))
    assert not window.apply(pair(1))
    assert len(window) == 1


def test_a_later_label_replaces_the_pair_and_an_earlier_one_does_not():
    first = pair(1, label=0)
    window = _window(first)
    assert window.apply(corrected(first))
    assert [each.label for each in window.pairs] == [1]
    assert not window.apply(first)
    assert [each.label for each in window.pairs] == [1]


def test_of_two_labels_given_at_once_the_greater_id_wins_in_either_order():
    low, high = pair(1, label=0, label_id=UUID(int=1)), pair(1, label=1, label_id=UUID(int=2))
    assert _window(low, high).pairs == _window(high, low).pairs == (high,)


def test_it_differs_from_another_set_and_from_another_version():
    first = pair(1)
    window = _window(first)
    assert not window.difference([first])
    assert window.difference([])
    assert window.difference([first, pair(2)])
    assert window.difference([corrected(first)])


def test_a_snapshot_counts_what_the_window_holds():
    window = _window(
        pair(1, label=0, scores={"final": 0.2, "cosine": 0.9}, decision=Verdict.REJECT, fingerprint="f-2"),
        pair(2, label=1, scores={"final": 0.8, "cosine": None}),
        pair(3, label=1, scores={"final": None}, score_status=ScoreStatus.ABSTAINED, decision=Verdict.REVIEW),
    )
    snapshot = window.snapshot(EPOCH)
    assert (snapshot.dataset, snapshot.model, snapshot.window, snapshot.taken_at) == (*SEGMENT, 3, EPOCH)
    assert (snapshot.pairs, snapshot.unscored, snapshot.first_seq, snapshot.last_seq) == (3, 1, 1, 3)
    assert snapshot.decisions == {Verdict.ACCEPT: 1, Verdict.REVIEW: 1, Verdict.REJECT: 1}
    assert snapshot.fingerprints == ("f-1", "f-2")
    assert list(snapshot.scores) == ["final", "cosine"]
    assert snapshot.scores["final"].auroc == 1.0
    assert (snapshot.scores["cosine"].auroc, snapshot.scores["cosine"].reason) == (None, "no_grounded_labels")
    assert (snapshot.operating.precision, snapshot.operating.recall, snapshot.operating.false_positive_rate) == (1, 1, 0)


def test_a_pair_whose_label_is_unsure_keeps_its_place_and_is_in_no_figure():
    doubtful = pair(2, label=None, scores={"final": 0.9, "odd": 0.1}, fingerprint="f-2", decision=Verdict.REJECT)
    window = _window(pair(1), doubtful, pair(4))
    snapshot = window.snapshot(EPOCH)
    assert (snapshot.pairs, snapshot.unsure, snapshot.unscored) == (3, 1, 0)
    assert (set(snapshot.scores), snapshot.fingerprints, snapshot.decisions[Verdict.REJECT]) == ({"final", "cosine"}, ("f-1",), 0)
    assert window.apply(corrected(doubtful))
    assert (window.snapshot(EPOCH).unsure, "odd" in window.snapshot(EPOCH).scores) == (0, True)


def test_a_weightier_source_wins_over_a_later_label():
    judged = pair(1, label=0, source="judge", precedence=2)
    window = _window(judged)
    assert window.apply(corrected(judged, seconds=-60, source="human", precedence=4))
    assert not window.apply(corrected(judged, seconds=60))
    assert [each.source for each in window.pairs] == ["human"]


def test_operating_figures_leave_out_unscored_pairs():
    unscored = pair(2, label=0, scores={"final": None}, decision=Verdict.ACCEPT)
    assert _window(pair(1, label=1), unscored).snapshot(EPOCH).operating.precision == 1


def test_a_score_and_a_fingerprint_leave_with_their_last_pair():
    window = _window(pair(1, scores={"final": 0.1, "old": 0.3}, fingerprint="f-0"), pair(2), pair(3))
    window.apply(pair(4))
    snapshot = window.snapshot(EPOCH)
    assert (set(snapshot.scores), snapshot.fingerprints) == ({"final", "cosine"}, ("f-1",))


def test_an_empty_window_has_a_snapshot_without_figures():
    snapshot = _window().snapshot(EPOCH)
    assert (snapshot.pairs, snapshot.first_seq, snapshot.last_seq) == (0, 0, 0)
    assert snapshot.scores["final"].reason == "no_scored_pairs"


@st.composite
def histories(draw):
    """Pairs with their corrections, and the same messages in any order, some of them twice."""
    count = draw(st.integers(1, 25))
    versions = []
    for seq in range(1, count + 1):
        score = draw(st.none() | st.sampled_from([0.1, 0.3, 0.5, 0.9]))
        first = pair(seq, label=draw(st.sampled_from([0, 1, 0, 1, None])), scores={"final": score, f"s{seq % 3}": draw(st.floats(0, 1))})
        versions.append([first, *(corrected(first, seconds=n) for n in range(1, draw(st.integers(0, 2)) + 1))])
    messages = [message for each in versions for message in each]
    repeated = messages + draw(st.lists(st.sampled_from(messages), max_size=15))
    return [each[-1] for each in versions], draw(st.permutations(repeated)), draw(st.integers(1, 30))


@settings(max_examples=200, deadline=None)
@given(histories())
def test_any_order_with_duplicates_and_corrections_gives_the_stores_window(history):
    latest, messages, size = history
    truth = latest[-size:]
    window = Window(SEGMENT, size)
    for message in messages:
        window.apply(message)
    assert list(window.pairs) == truth
    assert not window.difference(truth)
    assert window.snapshot(EPOCH) == _window(*truth, size=size).snapshot(EPOCH)
    scored = [(each.label, each.scores["final"]) for each in truth if None not in (each.label, each.scores["final"])]
    labels = [label for label, _ in scored]
    expected = roc_auc_score(labels, [score for _, score in scored]) if len(set(labels)) == 2 else None
    assert window.snapshot(EPOCH).scores["final"].auroc == (pytest.approx(expected, abs=1e-12) if expected is not None else None)


@settings(max_examples=200, deadline=None)
@given(histories(), st.integers(1, 6))
def test_a_snapshot_is_the_same_whether_or_not_others_were_taken_before_it(history, every):
    _, messages, size = history
    window = Window(SEGMENT, size)
    for number, message in enumerate(messages):
        window.apply(message)
        if number % every == 0:
            assert window.snapshot(EPOCH) == _window(*window.pairs, size=size).snapshot(EPOCH)


def test_windows_belong_to_segments():
    windows, other = Windows(3), Segment("travel", "m-2")
    windows.load(SEGMENT, [pair(1)])
    windows.load(other, [])
    assert SEGMENT in windows
    assert set(windows.segments()) == {SEGMENT, other}
    windows.load(SEGMENT, [pair(2)])
    assert [each.seq for each in windows[SEGMENT].pairs] == [2]
    windows.drop(other)
    windows.drop(other)
    assert other not in windows
