"""No regular expression of the product takes more than time in proportion to its text, whatever the text.

A pattern that backtracks over what it has read takes n² steps or more on some run of its own characters: those runs are built from the
pattern itself and timed at one length and at four times that length.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import pytest

from tests.unit.product_patterns import Found, compiling, product_patterns

LENGTH: Final = 1000
UNNOTICED_SECONDS: Final = 0.0005
"""Time for LENGTH characters that needs no second look."""
LOOKED_AT: Final = 12
"""Runs of a pattern, the slowest, that are looked at again."""
MOST_GROWTH: Final = 8
"""Of the time on four times the text: 4 is in proportion, 16 is quadratic."""
CLASSES: Final = {code.CATEGORY_DIGIT: "7", code.CATEGORY_SPACE: " ", code.CATEGORY_NOT_WORD: "!"}
CHARACTERS: Final = "aA7 \t\n-,.:;'\"()[]|#_é漢\u0301\u200b$%*/°–&<"
SEQUENCES: Final = (
    *(" 1", "1,", "1.", "1,234", "1.234", "1a", "a1", "1_", "a.", "a.b", "-1", "[1]", "[1", "(1, ", "1:23 ", "1-1-", "2020-01-01"),
    *("a b ", "A b", "\n- ", "1. ", ". ", "? ", "...", "a's ", "a'", " ' ", "| a ", "|-", "a,b\n", "from 1 to 2 ", "&#1", "&a"),
)
AROUND: Final = (("", "!"), ("1", "z"))
FOUND: Final = product_patterns()


def test_all_patterns_are_found() -> None:
    places = {found.place for found in FOUND}
    unseen = {module for module in compiling() if not any(place.startswith(module) for place in places)}
    assert unseen == {"detectors.word_lists"}
    assert any(place.startswith("detectors.lexicon.english().scope") for place in places)


@pytest.mark.parametrize("found", FOUND, ids=lambda found: found.place)
def test_a_pattern_takes_time_in_proportion_to_the_text(found: Found) -> None:
    assert not first_slow_run(found.pattern, anchored=found.anchored)


@pytest.mark.parametrize("pattern", [r"\s+x", r"(?!\w*\d[a-z]\d)\d", r"a.*b", r"(?:a|ab)+c", r"\w+@"])
def test_a_pattern_that_takes_more_is_noticed(pattern: str) -> None:
    assert first_slow_run(re.compile(pattern), anchored=False)


def first_slow_run(pattern: re.Pattern[str], *, anchored: bool) -> tuple[str, str, str] | None:
    """(before, repeated, after) of a text on which the pattern's time grows faster than the text."""
    uses: list[Callable[[str], object]] = [pattern.match, pattern.fullmatch] if anchored else [lambda text: _all(pattern, text)]
    runs = [(use, before, unit, after) for unit in repeated(pattern) for before, after in AROUND for use in uses]
    seconds = [_seconds(*run, LENGTH, 1) for run in runs]
    slowest = sorted(range(len(runs)), key=lambda at: -seconds[at])[:LOOKED_AT]
    for run in (runs[at] for at in slowest if seconds[at] > UNNOTICED_SECONDS):
        again = _seconds(*run, LENGTH, 3)
        if again > UNNOTICED_SECONDS and _seconds(*run, 4 * LENGTH, 2) > MOST_GROWTH * again:
            return run[1:]
    return None


def repeated(pattern: re.Pattern[str]) -> Iterable[str]:
    """What texts are made of: each character of the pattern's classes, pairs of them, its words, and what other patterns look for."""
    words: set[str] = set()
    alphabet = sorted(set(_characters(parser.parse(pattern.pattern, pattern.flags), words)))
    alphabet = alphabet[:12] + alphabet[-12:]
    pairs = (a + b for a in alphabet[:10] for b in " a7,.")
    longest = sorted(words, key=lambda word: (len(word), word))
    cues = longest[-8:] + longest[:8]
    return dict.fromkeys(chain(alphabet, CHARACTERS, pairs, SEQUENCES, cues, (f"{word} " for word in cues)))


def _characters(items: Any, words: set[str]) -> Iterator[str]:
    word = ""
    for kind, value in items:
        word += chr(value) if kind is code.LITERAL else ""
        if kind is not code.LITERAL and word:
            words.add(word)
            word = ""
        if kind is code.LITERAL:
            yield chr(value)
        elif kind is code.RANGE:
            yield from map(chr, value)
        elif kind is code.CATEGORY:
            yield CLASSES.get(value, "a")
        elif kind is code.IN:
            yield from _characters(value, set())
        else:
            yield from chain.from_iterable(_characters(inner, words) for inner in _inner(kind, value))
    words.update({word} if word else ())


def _inner(kind: Any, value: Any) -> list[Any]:
    if kind is code.BRANCH:
        return list(value[1])
    if kind is code.ATOMIC_GROUP:
        return [value]
    return [part for part in value if isinstance(part, parser.SubPattern)] if isinstance(value, tuple) else []


def _all(pattern: re.Pattern[str], text: str) -> None:
    for _ in pattern.finditer(text):
        pass


def _seconds(use: Callable[[str], object], before: str, unit: str, after: str, length: int, times: int) -> float:
    text = before + (unit * (length // len(unit) + 1))[:length] + after
    return min(_once(use, text) for _ in range(times))


def _once(use: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    use(text)
    return time.thread_time() - began
