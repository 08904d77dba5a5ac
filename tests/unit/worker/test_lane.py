"""A batch is bounded in bytes as well as in messages."""

import pytest

from tests.unit.worker.factories import Received
from worker.lane import portions


@pytest.mark.parametrize(
    ("sizes", "portioned"),
    [([], []), ([0], [[0]]), ([4, 4, 4], [[4, 4], [4]]), ([9, 1, 20, 0, 10], [[9, 1], [20], [0, 10]]), ([None, 3], [[0, 3]])],
)
def test_portions_keep_order_and_size(sizes: list[int | None], portioned: list[list[int]]) -> None:
    records = [Received(None if size is None else b"x" * size) for size in sizes]
    assert [[len(record.value or b"") for record in portion] for portion in portions(records, 10)] == portioned
