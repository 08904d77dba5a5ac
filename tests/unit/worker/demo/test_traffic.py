"""The demo's schedule is untidy as real traffic is, complete, and the same at every run."""

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from schemas import InvalidEvent, LabelEvent, decode_label, decode_response
from worker.demo.corpus import load_corpus
from worker.demo.traffic import CORRECTIONS, DUPLICATES, MALFORMED, Traffic, plan_traffic
from worker.settings import Topics

START = datetime(2026, 1, 2, tzinfo=UTC)
TOPICS = Topics()


@pytest.fixture(scope="module")
def traffic() -> Traffic:
    return plan_traffic(load_corpus(), TOPICS, seconds=10, start=START)


def labels(traffic: Traffic) -> list[LabelEvent]:
    return [decode_label(timed.message.value) for timed in traffic.schedule if timed.message.topic == TOPICS.labels]


def first_due(traffic: Traffic, topic: str) -> dict[bytes | None, float]:
    due: dict[bytes | None, float] = {}
    for timed in traffic.schedule:
        if timed.message.topic == topic:
            due.setdefault(timed.message.key, timed.due)
    return due


def test_it_is_sorted_by_time_within_the_seconds_given(traffic: Traffic) -> None:
    due = [timed.due for timed in traffic.schedule]

    assert all(earlier <= later for earlier, later in pairwise(due))
    assert 0 <= due[0] <= due[-1] <= 10


def test_the_same_seed_gives_the_same_schedule(traffic: Traffic) -> None:
    assert plan_traffic(load_corpus(), TOPICS, seconds=10, start=START) == traffic
    assert plan_traffic(load_corpus(), TOPICS, seconds=10, start=START, seed=8) != traffic


def test_every_answer_is_sent_and_some_are_sent_twice(traffic: Traffic) -> None:
    sent = Counter(timed.message.key for timed in traffic.schedule if timed.message.topic == TOPICS.responses)
    del sent[b"malformed"]

    assert set(sent) == {example.event.response_id.encode() for example in traffic.examples}
    assert sorted(sent.values()) == [1] * (len(traffic.examples) - DUPLICATES) + [2] * DUPLICATES
    assert traffic.duplicates == DUPLICATES


@pytest.mark.parametrize("value", MALFORMED)
def test_malformed_messages_are_malformed(value: bytes) -> None:
    with pytest.raises(InvalidEvent):
        decode_response(value)


def test_the_latest_label_of_every_answer_is_its_true_one(traffic: Traffic) -> None:
    latest = {label.response_id: label.label for label in sorted(labels(traffic), key=lambda label: label.labelled_at or START)}

    assert latest == {example.event.response_id: example.kind.label for example in traffic.examples}
    assert len(labels(traffic)) == len(traffic.examples) + CORRECTIONS


def test_some_labels_arrive_before_their_answer_and_most_after(traffic: Traffic) -> None:
    answered, labelled = first_due(traffic, TOPICS.responses), first_due(traffic, TOPICS.labels)
    early = sum(labelled[key] < answered[key] for key in labelled)

    assert 0 < early < len(labelled) / 4


def test_labels_come_in_another_order_than_their_answers(traffic: Traffic) -> None:
    answers = list(first_due(traffic, TOPICS.responses))
    ranks = [answers.index(key) for key in first_due(traffic, TOPICS.labels)]

    assert ranks != sorted(ranks)
