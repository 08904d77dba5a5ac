"""How a rate is taken, and what is sent."""

import orjson

from benchmarks.throughput.consuming import Progress, event
from detectors import Answer
from schemas import decode_response


def test_the_clock_starts_with_the_first_messages_which_do_not_count() -> None:
    clock = Progress(30)
    for messages in (0, 10, 10, 9):
        clock.took(messages)
        assert not clock.done.is_set()
    clock.took(1)
    assert clock.done.is_set()
    assert clock.counted == 20


def test_an_answer_is_sent_as_a_response_event_of_its_own() -> None:
    answer = Answer(question="How far?", response="Nine miles.", contexts=("It is nine miles long.",))
    first, second = (decode_response(event(answer, number)) for number in (1, 2))
    assert first.response_id != second.response_id
    assert Answer.of(first) == Answer.of(second) == answer
    assert "samples" not in orjson.loads(event(answer, 1))
