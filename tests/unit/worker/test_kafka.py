"""What is told of the broker's figures."""

import pytest
from aiokafka import TopicPartition

from worker.kafka import consumer_lag

AT = TopicPartition("topic", 0)


@pytest.mark.parametrize(
    ("begin", "end", "committed", "lag"),
    [
        (0, 10, None, 10),
        (0, 10, 4, 6),
        (0, 10, 10, 0),
        (7, 10, None, 3),
        (7, 10, 2, 3),  # the messages from 2 to 6 have expired
        (0, 3, 10, 0),  # the topic was made anew
    ],
)
def test_lag_is_what_the_topic_still_holds_beyond_the_commit(begin: int, end: int, committed: int | None, lag: int) -> None:
    assert consumer_lag({AT: begin}, {AT: end}, {AT: committed}) == lag
