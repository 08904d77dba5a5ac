"""What is sent and when: a schedule that is as untidy as real traffic, and the same at every run."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from schemas import LabelEvent, encode
from worker.demo.corpus import Example
from worker.kafka import Message
from worker.settings import Topics

DUPLICATES: Final = 10
CORRECTIONS: Final = 6
EARLY_LABELS: Final = 0.1
"""Share of labels that arrive before their response."""
LABEL_DELAY: Final = 0.4
"""Longest time from a response to its label, as a share of the whole."""

MALFORMED: Final = (
    b'{"response_id": "cut-off-in-the-mid',
    b'{"response_id": "no-answer", "question": "Is anybody there?", "contexts": []}',
    b'{"schema_version": "9.0", "response_id": "from-the-future", "contexts": [], "response": "Hello."}',
)


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A message and when it is due, in seconds from the start."""

    due: float
    message: Message


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """A schedule and what it holds."""

    schedule: tuple[Timed, ...]
    """By time."""
    examples: Sequence[Example]
    duplicates: int
    malformed: int

    def count(self, topic: str) -> int:
        """Messages for `topic`."""
        return sum(timed.message.topic == topic for timed in self.schedule)


def plan_traffic(examples: Sequence[Example], topics: Topics, *, seconds: float, start: datetime, seed: int = 7) -> Traffic:
    """Every response once in random order, some twice, malformed messages between, and every label, some early, some corrected."""
    rng = random.Random(seed)
    shuffled = rng.sample(list(examples), len(examples))
    span = seconds * (1 - LABEL_DELAY)
    due = {example.event.response_id: span * number / len(shuffled) for number, example in enumerate(shuffled)}
    timed = [Timed(due=due[example.event.response_id], message=_response(example, topics)) for example in shuffled]
    twice = rng.sample(shuffled, min(DUPLICATES, len(shuffled)))
    timed += [Timed(due=due[example.event.response_id] + rng.uniform(0.1, 1), message=_response(example, topics)) for example in twice]
    timed += [
        Timed(due=rng.uniform(0, span), message=Message(topic=topics.responses, key=b"malformed", value=value)) for value in MALFORMED
    ]
    mistaken = {example.event.response_id for example in rng.sample(shuffled, min(CORRECTIONS, len(shuffled)))}
    for example in shuffled:
        at = _label_due(due[example.event.response_id], seconds, rng)
        if example.event.response_id in mistaken:
            timed.append(_label(example, 1 - example.kind.label, at * rng.random(), topics, start))
        timed.append(_label(example, example.kind.label, at, topics, start))
    schedule = tuple(sorted(timed, key=lambda one: one.due))
    return Traffic(schedule=schedule, examples=examples, duplicates=len(twice), malformed=len(MALFORMED))


def _label_due(response_due: float, seconds: float, rng: random.Random) -> float:
    if rng.random() < EARLY_LABELS:
        return response_due * rng.random()
    return response_due + rng.uniform(0.05, LABEL_DELAY) * seconds


def _response(example: Example, topics: Topics) -> Message:
    return Message(topic=topics.responses, key=example.event.response_id.encode(), value=encode(example.event))


def _label(example: Example, label: int, due: float, topics: Topics, start: datetime) -> Timed:
    event = LabelEvent.model_validate(
        {
            "response_id": example.event.response_id,
            "label": label,
            "annotator": "demo",
            "labelled_at": start + timedelta(seconds=due),
        }
    )
    return Timed(due=due, message=Message(topic=topics.labels, key=event.response_id.encode(), value=encode(event)))
