"""Stems."""

import pytest

from detectors.stems import stem


@pytest.mark.parametrize(("word", "expected"), [("Rises", "ris"), ("carried", "carri"), ("U-turn", "uturn"), ("1911", "1911")])
def test_endings_are_taken_off(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_a_stream_of_new_words_does_not_fill_the_memory() -> None:
    assert stem.cache_info().maxsize is not None
