"""Reading a message, drawing the judged share, and identifying labels."""

from datetime import UTC, datetime

import pytest

from schemas import DeadLetter, Limits, ResponseEvent, decode_label, decode_response
from tests.unit.worker.factories import NOW, Received, label_message, response_message
from worker.intake import audited, label_id, label_moment, read, sampled
from worker.settings import Sampling


def test_a_readable_message_is_its_event() -> None:
    event = read(response_message(0), decode_response, Limits(), NOW)
    assert isinstance(event, ResponseEvent)


def test_a_dead_letter_keeps_the_message_whole() -> None:
    message = Received(b"\xff", partition=3, offset=17, key=b"k\x00", headers=[("trace", b"\x01\x02")])
    letter = read(message, decode_response, Limits(), NOW)
    assert isinstance(letter, DeadLetter)
    assert (letter.topic, letter.partition, letter.offset) == ("llm.responses", 3, 17)
    assert (letter.original, letter.key, letter.headers) == (b"\xff", b"k\x00", (("trace", "AQI="),))
    assert (letter.kind, letter.failed_at) == ("unreadable", NOW)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0), (1.0, 2000)])
def test_the_whole_and_nothing_are_exact(share: float, expected: int) -> None:
    assert sum(sampled("any", f"r{i}", Sampling(default=share)) for i in range(2000)) == expected


def test_a_datasets_share_is_met_and_stable() -> None:
    sampling = Sampling(default=1.0, datasets={"busy": 0.1})
    drawn = [sampled("busy", f"r{i}", sampling) for i in range(20_000)]
    assert 1850 < sum(drawn) < 2150
    assert drawn == [sampled("busy", f"r{i}", sampling) for i in range(20_000)]


def test_a_larger_share_contains_the_smaller() -> None:
    small, large = Sampling(default=0.1), Sampling(default=0.3)
    assert all(sampled("d", f"r{i}", large) for i in range(5000) if sampled("d", f"r{i}", small))


def test_a_label_without_a_time_takes_its_messages() -> None:
    message = label_message("r")
    label = decode_label(message.value)
    assert label_moment(label, message) == datetime.fromtimestamp(1_777_000_000, UTC)


@pytest.mark.parametrize("change", [{"label": 0}, {"source": "judge"}, {"annotator": "a"}, {"response_id": "s"}])
def test_a_labels_id_is_what_it_says(change: dict[str, object]) -> None:
    label = decode_label(label_message("r").value)
    assert label_id(label, NOW) == label_id(label.model_copy(), NOW)
    assert label_id(label, NOW) != label_id(label.model_copy(update=change), NOW)


def test_the_audit_slice_is_a_share_by_hash_whatever_is_sampled() -> None:
    sampling = Sampling(default=0.5, audit=0.1)
    judged = [f"r{i}" for i in range(20_000) if sampled("any", f"r{i}", sampling)]

    chosen = [response for response in judged if audited(response, sampling)]

    assert len(chosen) / len(judged) == pytest.approx(0.1, abs=0.01)
    assert chosen == [response for response in judged if audited(response, sampling)]
    assert all(audited(response, Sampling(audit=1)) for response in judged)
    assert not any(audited(response, Sampling(audit=0)) for response in judged)
