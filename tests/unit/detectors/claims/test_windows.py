"""Windows grow around the sentences that speak most of a claim, inside their passage, as far as fits."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from detectors.claims.windows import windows

PASSAGES = (0, 0, 0, 0, 1, 1)
"""The passage of sentence a, b, c, …"""


def claim(ranked: Sequence[int]) -> Any:
    sentences = [SimpleNamespace(text=chr(ord("a") + place)) for place in range(len(PASSAGES))]
    return SimpleNamespace(ranked=list(ranked), evidence=SimpleNamespace(sentences=sentences, passages=PASSAGES))


@pytest.mark.parametrize(
    ("ranked", "most", "sentences", "expected"),
    [
        ([1, 4], 2, 3, ["a b c", "e f"]),
        ([1, 4], 1, 3, ["a b c"]),
        ([1, 2, 0, 5], 2, 2, ["b c", "a b"]),
        ([3, 5], 2, 9, ["a b c d", "e f"]),
        ([3], 2, 1, ["d"]),
        ([3], 2, 0, ["d"]),
    ],
)
def test_windows(ranked: list[int], most: int, sentences: int, expected: list[str]) -> None:
    assert list(windows(claim(ranked), most, lambda text: len(text.split()) <= sentences)) == expected
