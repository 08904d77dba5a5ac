"""Real answers as a stream whose passages repeat: FELM's, several answers to each of its contexts of about 300 words."""

import random
from pathlib import Path
from typing import Final

from benchmarks import datasets
from detectors import Answer

SEED: Final = 20


def stream(directory: Path, answers_per_context: int, count: int) -> list[Answer]:
    """`count` answers of which a share of 1 - 1 / `answers_per_context` has contexts that came before, in shuffled order.

    Raises NotFound without the set, ValueError when it has too few answers.
    """
    groups = [group for group in _by_contexts(directory) if len(group) >= answers_per_context]
    taken = [answer for group in groups for answer in group[:answers_per_context]][:count]
    if len(taken) < count:
        raise ValueError(f"there are {len(taken)} answers with {answers_per_context} to a context, {count} were asked for")
    random.Random(SEED).shuffle(taken)
    return taken


def _by_contexts(directory: Path) -> list[list[Answer]]:
    """Distinct answers to the same contexts, in the set's order."""
    groups: dict[tuple[str, ...], dict[str, Answer]] = {}
    for event, _ in datasets.load("felm", directory):
        answer = Answer.of(event)
        groups.setdefault(answer.contexts, {}).setdefault(answer.response, answer)
    return [list(group.values()) for group in groups.values()]
