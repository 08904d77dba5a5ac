"""Tables are spelled out, and never to more than a bounded multiple of their size."""

import pytest

from detectors.claims.settings import Tables
from detectors.claims.tables import expand
from detectors.cleaning import Mapped

SETTINGS = Tables(longest_row=400, most_growth=8)


def _expanded(text: str) -> str:
    return expand(Mapped.cleaned(text), SETTINGS).text


def test_a_row_names_its_columns() -> None:
    assert "Orvane, lamp: 24 miles\n" in _expanded("| place | lamp |\n|---|---|\n| Orvane | 24 miles |")


@pytest.mark.parametrize("row", ["|a|b|c|\n", "|" + "a" * 300 + "|b|c|\n"])
@pytest.mark.parametrize("columns", [3, 300])
def test_headers_times_rows_stay_within_bounds(row: str, columns: int) -> None:
    cells = row.strip().strip("|").split("|")
    wide = "|" + "|".join([*cells, *("c" for _ in range(columns - 3))]) + "|\n"
    text = "|" + "|".join("h" * (9_000 // columns) for _ in range(columns)) + "|\n" + wide * 400
    assert len(_expanded(text)) <= (SETTINGS.most_growth + 1) * len(text)
