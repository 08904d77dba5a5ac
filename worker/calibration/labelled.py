"""Labelled answers with their scores, as the fitting takes them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from detectors import Answer

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Groups = NDArray[np.intp]

FALLING: Final = frozenset({"disagreement"})
"""Scores that fall as answers get better: no signals, since weights are never negative."""


@dataclass(frozen=True)
class Labelled:
    """Scored answers (rows), their labels and which of them belong together."""

    names: tuple[str, ...]
    scores: Floats
    """Rows × names, NaN where absent."""
    labels: Flags
    """True = grounded."""
    groups: Groups

    @classmethod
    def of(cls, scores: Sequence[Mapping[str, float | None]], labels: Sequence[bool], groups: Groups) -> Self:
        """From the scores of each answer; every score that some answer has becomes a column."""
        present = {name for row in scores for name, value in row.items() if value is not None}
        names = tuple(sorted(present - FALLING))
        matrix = np.array([[np.nan if row.get(name) is None else row[name] for name in names] for row in scores], dtype=np.float64)
        return cls(names, matrix.reshape(len(scores), len(names)), np.array(labels, dtype=np.bool_), groups)

    def take(self, rows: NDArray[np.intp] | Flags) -> Self:
        """These rows of it."""
        return type(self)(self.names, self.scores[rows], self.labels[rows], self.groups[rows])

    def first_of_groups(self) -> Self:
        """One row of each group: answers that are independent of each other."""
        return self.take(np.unique(self.groups, return_index=True)[1])

    def fewest(self) -> int:
        """Groups that hold an answer of the rarer class."""
        return min(np.unique(self.groups[self.labels]).size, np.unique(self.groups[~self.labels]).size)


Texts = tuple[str | None, str, tuple[str, ...]]
"""Question, response and contexts; or a hash in place of each."""


def group(answers: Iterable[Answer]) -> Groups:
    """A group number for each answer: see `group_texts`."""
    return group_texts((one.question, one.response, one.contexts) for one in answers)


def group_texts(answers: Iterable[Texts]) -> Groups:
    """A group number for each answer. Answers to the same contexts, and the same answer to the same question, belong together.

    Such answers are near-duplicates: apart, one in the training part would tell the label of the other.
    """
    from scipy.sparse import coo_matrix  # noqa: PLC0415 - heavy
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    numbers: dict[Hashable, int] = {}
    links: list[tuple[int, int]] = []
    count = 0
    for row, (question, response, contexts) in enumerate(answers):
        count += 1
        keys: list[Hashable] = [("answer", question, response), *([("contexts", contexts)] if contexts else [])]
        links += [(row, numbers.setdefault(key, len(numbers))) for key in keys]
    rows, keys_of = np.array(links, dtype=np.intp).reshape(-1, 2).T
    size = count + len(numbers)
    graph = coo_matrix((np.ones(len(links)), (rows, keys_of + count)), shape=(size, size))
    found: Groups = connected_components(graph, directed=False)[1][:count].astype(np.intp)
    return found


def fingerprint(answers: Sequence[Answer], labels: Sequence[bool]) -> str:
    """16 hex digits over the texts and labels, whatever their order."""
    return digest(f"{int(label)}{answer.model_dump_json()}" for answer, label in zip(answers, labels, strict=True))


def digest(rows: Iterable[str]) -> str:
    """16 hex digits over `rows`, whatever their order."""
    return sha256(b"".join(sorted(sha256(row.encode()).digest() for row in rows))).hexdigest()[:16]
