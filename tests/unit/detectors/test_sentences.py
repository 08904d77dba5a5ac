"""Sentences and their places."""

import time

import pytest

from detectors.sentences import seed_sentences, sentences

ABBREVIATIONS = frozenset({"dr", "e.g"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "stop." She did.', ['He said "stop."', "She did."]),
        ("Dr. Brandt paid 3.50, e.g. in cash. Then J. Aubert left.", ["Dr. Brandt paid 3.50, e.g. in cash.", "Then J. Aubert left."]),
        ("Really?! Yes... no.", ["Really?!", "Yes... no."]),
        ("灯りがつきます。明るいですか？「はい。」", ["灯りがつきます。", "明るいですか？", "「はい。」"]),
        ("Needed:\n- a lamp\n * oil \n2) a wick\n\n", ["Needed:", "a lamp", "oil", "a wick"]),
        ("  padded  ", ["padded"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_keep_their_place(text: str, expected: list[str]) -> None:
    assert [text[at.start : at.end] for at in sentences(text, ABBREVIATIONS)] == expected


def test_the_seed_cuts_at_whitespace_after_a_mark_only() -> None:
    text = "Dr. Brandt came.\n\nOne\ntwo. "
    assert [text[at.start : at.end] for at in seed_sentences(text)] == ["Dr.", "Brandt came.", "One\ntwo."]


@pytest.mark.parametrize("pattern", [".", "!?", '."', " ", "\n", "- ", "。", "a. ", "1) ", ". a"])
def test_time_is_linear(pattern: str) -> None:
    start = time.process_time()
    sentences(pattern * 200_000)
    assert time.process_time() - start < 10
