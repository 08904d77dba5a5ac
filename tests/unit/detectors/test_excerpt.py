"""How much of the contexts is read, and that the answer says so."""

import pytest

from detectors import Answer
from detectors.excerpt import Excerpt
from detectors.profile import Limits

LIMITS = Limits(response=100, question=100, contexts=20, samples=20)


@pytest.mark.parametrize(
    ("contexts", "read"),
    [
        (("twenty characters ok",), ("twenty characters ok",)),
        (("twenty characters okay", "x"), ("twenty characters ok",)),
        (("ten chars.", "", "eleven char"), ("ten chars.", "", "eleven cha")),
        (("灯台は岬",), ("灯台は岬",)),
        (("灯台は岬に",), ("灯台は岬",)),
        (("a灯台は岬",), ("a灯台は",)),
        (("a灯台は岬", "b"), ("a灯台は",)),
        (("",), ("",)),
    ],
)
def test_contexts_are_read_up_to_a_budget_in_which_dense_scripts_count_five(contexts: tuple[str, ...], read: tuple[str, ...]) -> None:
    excerpt = Excerpt.of(Answer(response="It stands.", contexts=contexts), LIMITS)
    assert excerpt.contexts == read
    whole = sum(map(len, contexts))
    assert excerpt.coverage == (sum(map(len, read)) / whole if whole else None)
    assert excerpt.truncated == (sum(map(len, read)) < whole)
