"""Files of events, one JSON object a line, read with bounded memory."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from schemas import InvalidEvent, Limits, ResponseEvent, decode_response
from worker.cli.options import WrongUse
from worker.errors import GroundwatchError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Reject(NamedTuple):
    """A line that is no event."""

    line: int
    """Its number, from 1."""
    field: str
    """The offending field, "" for the line as a whole."""
    reason: str


def require_file(source: Path) -> None:
    """Raise WrongUse unless `source` is a file, a pipe or `-`."""
    if str(source) != "-" and (not source.exists() or source.is_dir()):
        raise WrongUse(f"{source} {'is a directory' if source.is_dir() else 'does not exist'}; name a file of JSON lines, or - for stdin")


@contextmanager
def open_input(source: Path) -> Iterator[BinaryIO]:
    """The file's bytes, or standard input's for `-`."""
    if str(source) == "-":
        yield sys.stdin.buffer
    else:
        with source.open("rb") as stream:
            yield stream


def read_lines(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes]]:
    """Each non-empty line with its number. Of a line longer than `longest` bytes one byte more than that comes, the rest is passed over."""
    number = 0
    while line := stream.readline(longest + 2):
        number += 1
        whole = line.endswith(b"\n")
        while not whole and (rest := stream.readline(1 << 20)):
            whole = rest.endswith(b"\n")
        text = line.removeprefix(_BYTE_ORDER_MARK if number == 1 else b"").strip(b"\r\n")
        if text.strip():
            yield number, text


def read_event(number: int, line: bytes, limits: Limits) -> ResponseEvent | Reject:
    """The response event in a line; one without an id is called `line-N`."""
    try:
        return _decoded(number, line, limits)
    except InvalidEvent as invalid:
        return Reject(number, invalid.field, invalid.reason)


def wrong_line(file: Path, number: int, field: str, reason: str) -> GroundwatchError:
    """What to raise for a line that a command cannot go on without."""
    return GroundwatchError(f"{file}, line {number}: {field or 'the line'} {reason}; mend or remove the line")


def _decoded(number: int, line: bytes, limits: Limits) -> ResponseEvent:
    try:
        return decode_response(line, (), limits)
    except InvalidEvent as invalid:
        if (invalid.field, invalid.reason) != ("response_id", "is missing"):
            raise
    named = [("ce_specversion", b"1.0"), ("ce_id", f"line-{number}".encode())]
    return decode_response(line, named, limits)
