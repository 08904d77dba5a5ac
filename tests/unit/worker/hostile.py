"""Messages as nobody should send them."""

from collections.abc import Mapping
from typing import Any

import orjson
from hypothesis import strategies as st

from tests.unit.worker.factories import Received

ANY_INTEGER = st.integers(-(2**63), 2**63 - 1)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(["\x00", "\u0085", "\ufeff", "x" * 257])
MOMENTS = st.sampled_from(["0001-01-01", "9999-12-31T23:59:59Z", "9000-12-31T23:59:59-23:59", "1970-01-01T00:00:00+14:00", 1e18, -1e18])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | ANY_INTEGER | st.floats() | ANY_TEXT | MOMENTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=8,
)


def objects(valid: Mapping[str, Any], aliases: tuple[str, ...] = ()) -> st.SearchStrategy[bytes]:
    """JSON objects: `valid` with some fields replaced, added or taken away."""
    names = st.sampled_from([*valid, *aliases, "schema_version", "attributes", "specversion", "data", "data_base64"])
    replaced = st.dictionaries(names, ANY_JSON | ANY_TEXT, max_size=3)
    removed = st.sets(st.sampled_from(list(valid)), max_size=1)
    return st.builds(lambda new, gone: orjson.dumps({k: v for k, v in (valid | new).items() if k not in gone}), replaced, removed)


def messages(values: st.SearchStrategy[bytes], topic: str) -> st.SearchStrategy[list[Received]]:
    """Batches of one partition, offsets in order."""
    headers = st.sampled_from(["content-type", "ce_specversion", "ce_id", "ce_time", "\x00", "h"])
    contents = st.sampled_from([b"application/cloudevents+json", b"1.0", b"\xff\x00", b""]) | st.binary(max_size=8)
    one = st.builds(
        Received,
        st.none() | st.binary(max_size=30) | values,
        topic=st.just(topic),
        key=st.none() | st.binary(max_size=4),
        headers=st.lists(st.tuples(headers, contents | st.none()), max_size=3),
        timestamp=ANY_INTEGER,
    )
    return st.lists(one, min_size=1, max_size=5)
