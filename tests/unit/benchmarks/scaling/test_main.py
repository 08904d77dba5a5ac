"""Sections print as tables."""

from benchmarks.scaling.__main__ import table


def test_rows_become_cells_under_the_names_of_their_figures():
    headings, rows = table("windows", [{"pairs": 1000, "update_ms": 0.30004}])
    assert headings == ["windows: pairs", "update ms"]
    assert rows == [[1000, 0.3]]
