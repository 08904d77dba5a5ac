"""The key that keeps a segment's messages on one partition."""

import orjson


def segment_key(dataset: str, model: str) -> bytes:
    """The message key of a segment, the JSON array [dataset, model]. Pairs and snapshots carry it, so one monitor owns a segment."""
    return orjson.dumps([dataset, model])
