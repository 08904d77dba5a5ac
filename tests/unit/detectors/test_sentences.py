"""Sentences and their places."""

import time

import pytest

from detectors.models import Models
from detectors.sentences import sentences


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "stop." She did.', ['He said "stop."', "She did."]),
        ("Dr. Brandt paid 3.50, e.g. in cash. Then J. Aubert left.", ["Dr. Brandt paid 3.50, e.g. in cash.", "Then J. Aubert left."]),
        ("Really?! Yes... no.", ["Really?!", "Yes... no."]),
        ("No. 5 is old. The answer is no. It was sold.", ["No. 5 is old.", "The answer is no.", "It was sold."]),
        ("No. It was sold. It is.", ["No. It was sold.", "It is."]),
        ("灯りがつきます。明るいですか？「はい。」", ["灯りがつきます。", "明るいですか？", "「はい。」"]),
        ("明るいですか?「はい。」そう!私も", ["明るいですか?", "「はい。」", "そう!", "私も"]),
        ("क्या यह सच है? हाँ। यह है।", ["क्या यह सच है?", "हाँ।", "यह है।"]),
        ("Needed:\n- a lamp\n * oil \n2) a wick\n10. Rope. Tar\n\n", ["Needed:", "a lamp", "oil", "a wick", "Rope.", "Tar"]),
        ("First: 1. Open it. 2. Close it.", ["First: 1.", "Open it.", "2. Close it."]),
        ("1.\u00a0Open it\x0cPage two\r\n7.", ["Open it", "Page two", "7."]),
        ("7.\n", ["7."]),
        ("  padded  ", ["padded"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_keep_their_place(text: str, expected: list[str]) -> None:
    assert _split(text) == expected


def test_a_long_sentence_is_cut_at_a_space() -> None:
    pieces = _split("beacon " * 200)
    assert " ".join(pieces) == ("beacon " * 200).strip()
    assert list(map(len, _split("x" * 1000))) == [600, 400]


@pytest.mark.models
@pytest.mark.parametrize(
    "text", ["beacon " * 400, "燈台は" * 400, "منارة " * 300, "маяк " * 300, "1 2 3 " * 300, "12,345,678 " * 200, "né à Sète " * 200]
)
def test_no_piece_is_longer_than_the_encoder_reads(models: Models, text: str) -> None:
    assert all(len(models.encoder.windows(piece)) == 1 for piece in _split(text))


@pytest.mark.parametrize("pattern", [".", "!?", '."', " ", "\n", "\n ", "\n- ", "- ", "。", "a. ", "1) ", ". a", "no. 5 "])
def test_time_is_linear(pattern: str) -> None:
    start = time.process_time()
    sentences(pattern * 200_000)
    assert time.process_time() - start < 10
