"""A response id stands for one answer in a file, as it does on the topic."""

from schemas import ResponseEvent
from worker.cli.lines import Reject
from worker.cli.repeats import Answered, Duplicate
from worker.policy import REUSED_ID


def event(response_id: str, response: str, context: str = "At nine.") -> ResponseEvent:
    return ResponseEvent(response_id=response_id, contexts=(context,), response=response)


def test_a_new_id_passes_the_same_answer_is_a_duplicate_and_another_one_a_reject() -> None:
    answered = Answered()
    first, other = event("a", "Nine."), event("b", "Nine.")

    assert answered.check(1, first) is first
    assert answered.check(2, other) is other
    assert answered.check(3, event("a", "Nine.", context="At ten.")) == Duplicate(3)
    assert answered.check(4, event("a", "Ten.")) == Reject(4, "response_id", REUSED_ID)
    assert answered.check(5, event("a", "Nine.")) == Duplicate(5)
