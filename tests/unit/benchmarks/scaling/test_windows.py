"""The figures of a window cover each size asked for."""

from benchmarks.scaling import windows
from benchmarks.scaling.pairs import SCORES, pairs


def test_each_size_has_a_row_of_times():
    rows = list(windows.measure((3, 20)))
    assert [row["pairs"] for row in rows] == [3, 20]
    assert all(0 < row["update_ms"] < row["both_ms"] for row in rows)


def test_pairs_follow_each_other_and_lack_some_scores():
    made = list(pairs(50, first=7))
    assert [each.seq for each in made] == list(range(7, 57))
    assert all(len(each.scores) == SCORES and each.scores["final"] is not None for each in made)
    assert any(score is None for each in made for score in each.scores.values())
