"""What a reader sees of a text, and where it stood."""

import time

import pytest

from detectors.cleaning import Mapped


@pytest.mark.parametrize(
    ("original", "seen"),
    [
        ("Ro\u200blls &amp; keys\x00&nbsp;\ufeff", "Rolls & keys "),
        ("“Don’t”", '"Don\'t"'),
        ("１２㎏", "12kg"),
        ("it ' s Ann 's , don ' t", "it's Ann's , don't"),
        ("the ' so ' sign", "the ' so ' sign"),
        ("the ' s&p 500 ' index, he said ' t is", "the ' s&p 500 ' index, he said ' t is"),
        ("one\x0ctwo\x0bthree", "one\x0ctwo\x0bthree"),
        ("", ""),
    ],
)
def test_entities_forms_and_quotes_are_folded_and_the_invisible_is_gone(original: str, seen: str) -> None:
    assert Mapped.cleaned(original).text == seen


def test_every_character_knows_where_it_came_from() -> None:
    original = "La\u200bmp &amp; ㎏ isn ' t"
    cleaned = Mapped.cleaned(original)
    for seen, stood in (("Lamp", "La\u200bmp"), ("&", "&amp;"), ("k", "㎏"), ("kg", "㎏"), ("n't", "n ' t")):
        start = cleaned.text.index(seen)
        at = cleaned.origin(start, start + len(seen))
        assert original[at.start : at.end] == stood


@pytest.mark.parametrize("pattern", ["&", "&#1;", "\u0301", "a\u0301", "x", "“"])
def test_time_is_linear(pattern: str) -> None:
    start = time.process_time()
    Mapped.cleaned(pattern * 200_000)
    assert time.process_time() - start < 10
