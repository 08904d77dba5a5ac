"""Ten thousand messages that nobody can use, and how each of them came about. The same ones every time."""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from typing import Any, Final

import orjson

PRIVATE: Final = "Heliotrope-4711"
"""Stands in every text of a message: no reason may quote it."""
RESPONSE: Final[Mapping[str, Any]] = {
    "response_id": "r-hostile",
    "dataset": "helpdesk",
    "question": f"What does {PRIVATE} do?",
    "contexts": [f"{PRIVATE} lasts nine hours."],
    "response": f"{PRIVATE} lasts nine hours.",
}
LABEL: Final[Mapping[str, Any]] = {"response_id": "r-hostile", "label": 1, "source": "human", "annotator": PRIVATE}

HUGE_NUMBERS: Final = (b"1e400", b"-1e400", b"9" * 10_000, b"0." + b"3" * 10_000, b"NaN", b"Infinity", b"-Infinity", b"1E+999999999")
ODD_NUMBERS: Final = (b"-0", b"-0.0", b"1e-400", b"01", b"+1", b".5", b"0x10", b"1_000", b"18446744073709551616")
ODD_TEXTS: Final = (
    *(b'"\\ud800"', b'"\\udfff\\ud800"', b'"\xed\xa0\x80"', b'"\xff"', b'"\xc0\xaf"', b'"\x00"', b'"\\u0000"', b'"\n"', b'"\xef\xbb\xbf"'),
    *('"\u202e\u2066evil"'.encode(), ('"a' + "\u0301" * 3000 + '"').encode(), b'"' + b"x" * 300 + b'"', b'""', b"'r'", b'"\\x41"'),
)
WRONG_TYPES: Final = (b"null", b"true", b"[]", b"{}", b"[[]]", b'[{"a": 1}]', b"0", b"1.5", b'{"x": {"y": []}}')
ANYTHING: Final = (*HUGE_NUMBERS, *ODD_NUMBERS, *ODD_TEXTS, *WRONG_TYPES)


def deep(opening: bytes, closing: bytes = b"", depth: int = 100_000) -> bytes:
    return opening * depth + closing * depth


def fixed(valid: Mapping[str, Any]) -> list[bytes]:
    """Those worth naming: too deep, too long, no JSON at all, twice the same key."""
    text = orjson.dumps(valid)
    return [
        *(deep(b"["), deep(b"[", b"]"), deep(b'{"a":'), deep(b'{"a":', b"}"), deep(b'{"contexts":[')),
        *(b"", b" ", b"\x00", b"\xef\xbb\xbf" + text, text.decode().encode("utf-16")),
        *(text[1:], text + text, text + b"\x00", b"[" + text + b"]"),
        b'{"' + b"k" * 1_000_000 + b'": 1}',
        b"{" + b'"response_id": 5, ' * 50_000 + b'"x": 1}',
        *(b"{%s}" % b", ".join(b'"k%d": %d' % (n, n) for n in range(size)) for size in (10, 20_000)),
        text[:-1] + b', "response_id": {}}',
        text[:-1] + b', "schema_version": "99.0"}',
        orjson.dumps({**valid, "response_id": PRIVATE * 40}),
        *ANYTHING,
    ]


def malformed(valid: Mapping[str, Any], seed: int = 6) -> Iterator[bytes]:
    """Without end: the named ones, then `valid` with a field replaced, its bytes changed, cut, doubled or mixed up."""
    draw = random.Random(seed)
    yield from fixed(valid)
    ways = (_replaced, _flipped, _cut, _repeated, _spliced)
    for number in count():
        yield ways[number % len(ways)](valid, draw)


def unusable(valid: Mapping[str, Any], reads: Callable[[bytes], bool], number: int) -> list[bytes]:
    """That many of `malformed`, less those that happen to be events after all."""
    return list(islice((value for value in malformed(valid) if not reads(value)), number))


def _replaced(valid: Mapping[str, Any], draw: random.Random) -> bytes:
    """One field with what it cannot hold, as bytes: not all of it is JSON."""
    name = draw.choice(list(valid))
    fields = [b'"%s": %s' % (key.encode(), draw.choice(ANYTHING) if key == name else orjson.dumps(value)) for key, value in valid.items()]
    draw.shuffle(fields)
    return b"{" + b", ".join(fields) + b"}"


def _flipped(valid: Mapping[str, Any], draw: random.Random) -> bytes:
    changed = bytearray(orjson.dumps(valid))
    for _ in range(draw.randint(1, 8)):
        changed[draw.randrange(len(changed))] = draw.choice(b'"\\{}[]:,\x00\xff\x80eE0-')
    return bytes(changed)


def _cut(valid: Mapping[str, Any], draw: random.Random) -> bytes:
    text = orjson.dumps(valid)
    start, end = sorted(draw.sample(range(len(text)), 2))
    return draw.choice([text[:end], text[start:], text[:start] + text[end:]])


def _repeated(valid: Mapping[str, Any], draw: random.Random) -> bytes:
    text = orjson.dumps(valid)
    start, end = sorted(draw.sample(range(len(text)), 2))
    return text[:start] + text[start:end] * draw.choice([2, 10, 100]) + text[end:]


def _spliced(valid: Mapping[str, Any], draw: random.Random) -> bytes:
    text, at = orjson.dumps(valid), draw.randrange(len(valid))
    return text[:at] + bytes(draw.randrange(256) for _ in range(draw.randint(1, 40))) + text[at + 1 :]
