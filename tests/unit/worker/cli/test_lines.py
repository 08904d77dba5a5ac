"""Lines are read with bounded memory and numbered as an editor numbers them."""

from io import BytesIO

import orjson
import pytest

from schemas import Limits
from worker.cli.lines import Reject, read_event, read_lines

EVENT = {"response_id": "r", "contexts": [], "response": "x"}


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n\n  \n", []),
        (b"a\nb", [(1, b"a"), (2, b"b")]),
        (b"a\r\n\r\nb\r\n", [(1, b"a"), (3, b"b")]),
        (b"\xef\xbb\xbfa\n", [(1, b"a")]),
        (b"x" * 9 + b"\nb\n", [(1, b"x" * 9), (2, b"b")]),
        (b"x" * 10 + b"\nb\n", [(1, b"x" * 10), (2, b"b")]),
        (b"x" * 3_000_000 + b"\nb\n", [(1, b"x" * 12), (2, b"b")]),
        (b"x" * 3_000_000, [(1, b"x" * 12)]),
    ],
)
def test_each_non_empty_line_comes_with_its_number(content, lines):
    assert list(read_lines(BytesIO(content), 10)) == lines


def test_a_line_without_an_id_is_called_by_its_number():
    nameless = orjson.dumps({name: value for name, value in EVENT.items() if name != "response_id"})
    assert read_event(7, nameless, Limits()).response_id == "line-7"
    assert read_event(7, orjson.dumps(EVENT), Limits()).response_id == "r"


@pytest.mark.parametrize(
    ("line", "field"),
    [(b"{", ""), (b"x" * 30, ""), (orjson.dumps(EVENT | {"response_id": 5}), "response_id"), (b'{"response": "x"}', "contexts")],
)
def test_a_line_that_is_no_event_is_a_reject(line, field):
    reject = read_event(3, line, Limits())
    assert isinstance(reject, Reject)
    assert (reject.line, reject.field) == (3, field)
    assert reject.reason
