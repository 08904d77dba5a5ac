"""The decision stays the same however the contexts are cut, ordered and padded, the bytes whatever else is scored beside."""

import random
from collections.abc import Callable

import pytest

from detectors import Answer, Detector
from schemas import Verdict
from tests.unit.detectors.factories import answer
from worker.policy import Policy

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

Contexts = tuple[tuple[str, ...], ...]
"""Contexts as their sentences."""

MILL: Contexts = (
    ("The Harrow mill was built in 1874 by Tomas Ekwall.", "It grinds rye and barley.", "The wheel measures 6 m across."),
    ("The mill is closed in winter.", "Visitors pay 4 euros; children under ten enter free."),
)
CLINIC: Contexts = (
    ("The Vellmar clinic treats burns and fractures.", "Surgeons operate on Tuesdays and Fridays only."),
    ("Patients must not eat for six hours before an operation.", "Nurse Clara Winter runs the ward.", "The ward has 18 beds."),
)
RACE: Contexts = (
    ("Ines Falk beat Oskar Brandt in the final.",),
    ("The final lasted 95 minutes.", "Most spectators left before the ceremony."),
)

ANSWERS: list[tuple[Contexts, str | None, str]] = [
    (MILL, "Who built the mill?", "Tomas Ekwall."),
    (MILL, "Who built the mill?", "The Harrow mill was built by Tomas Ekwall in 1874."),
    (MILL, "When was the mill built?", "It was built in 1784."),
    (MILL, None, "The mill grinds rye and barley. Its wheel measures six metres across."),
    (MILL, None, "The mill grinds maize and exports flour to Norway."),
    (MILL, None, "The mill is open in winter."),
    (MILL, None, "The mill is not open in winter."),
    (MILL, "What does a visit cost?", "- Visitors pay 4 euros\n- children under ten enter free"),
    (MILL, "What does a visit cost?", "Visitors pay 14 dollars."),
    (MILL, None, "The Harrow mill was built by Clara Winter."),
    (MILL, "How far is the station?", "I could not find that in the documents."),
    (CLINIC, "What does the clinic treat?", "The Vellmar clinic treats burns and fractures."),
    (CLINIC, "When do surgeons operate?", "On Tuesdays and Fridays."),
    (CLINIC, None, "Surgeons operate every day of the week, including Sundays."),
    (CLINIC, None, "Patients must not eat for six hours before an operation."),
    (CLINIC, None, "Patients must eat six hours before an operation."),
    (CLINIC, None, "The ward has eighteen beds. Nurse Clara Winter runs it."),
    (CLINIC, None, "The ward has 80 beds and a helicopter pad."),
    (CLINIC, "Who runs the ward?", "Clara Winter runs the ward."),
    (CLINIC, None, "Penguins in the harbour rehearse Baroque dances at midnight."),
    (RACE, "Who won the final?", "Ines Falk beat Oskar Brandt in the final."),
    (RACE, "Who won the final?", "Oskar Brandt beat Ines Falk in the final."),
    (RACE, None, "The final lasted 95 minutes."),
    (RACE, None, "All spectators stayed until the fireworks over the lake."),
    (RACE, None, "Oskar Brandt was beaten by Ines Falk."),
]

UNRELATED = (
    "Sourdough needs flour, water and patience.", "Octopuses taste with their arms.", "The violin has four strings.",
    "Basalt forms from cooling lava.", "A sonnet is made of fourteen lines.", "Bees dance to show the way to nectar.",
    "Glass is melted sand.", "The comma separates parts of a sentence.", "Saturn's rings are mostly ice.",
)  # fmt: skip


def _as_given(contexts: Contexts) -> tuple[str, ...]:
    return tuple(" ".join(sentences) for sentences in contexts)


def _among_unrelated(contexts: Contexts) -> tuple[str, ...]:
    return (*UNRELATED[:5], *_as_given(contexts), *UNRELATED[5:])


def _reversed(contexts: Contexts) -> tuple[str, ...]:
    return _as_given(contexts)[::-1]


def _split(contexts: Contexts) -> tuple[str, ...]:
    return tuple(sentence for sentences in contexts for sentence in sentences)


CHANGES = (_among_unrelated, _reversed, _split)


def _answers(change: Callable[[Contexts], tuple[str, ...]]) -> list[Answer]:
    return [answer(question=question, response=response, contexts=change(contexts)) for contexts, question, response in ANSWERS]


def _decisions(detector: Detector, change: Callable[[Contexts], tuple[str, ...]]) -> list[Verdict]:
    policy = Policy(detector.profile.rules)
    return [policy.decide(assessment).decision for assessment in detector.assess(_answers(change))]


def test_what_else_is_retrieved_and_how_it_is_cut_changes_no_decision(default: Detector) -> None:
    given = _decisions(default, _as_given)
    assert {Verdict.ACCEPT, Verdict.REJECT} <= set(given)
    changed = [
        (change.__name__, response)
        for change in CHANGES
        for (_, _, response), before, after in zip(ANSWERS, given, _decisions(default, change), strict=True)
        if before is not after
    ]
    assert len(changed) <= 1, changed


def test_the_same_answer_gives_the_same_bytes_five_times_and_in_any_batch(default: Detector) -> None:
    answers = _answers(_as_given)[::3]
    alone = [default.assess([one])[0].model_dump_json() for one in answers]
    dice = random.Random(3)
    for _ in range(4):
        places = dice.sample(range(len(answers)), len(answers))
        size = dice.randint(2, 9)
        batches = [places[start : start + size] for start in range(0, len(places), size)]
        found = [(place, one) for batch in batches for place, one in zip(batch, default.assess([answers[p] for p in batch]), strict=True)]
        assert all(one.model_dump_json() == alone[place] for place, one in found)
