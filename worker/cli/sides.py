"""Decisions from files such as `groundwatch score` writes, with labels of their own or from label events; or pairs from the store."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from schemas import InvalidEvent, Limits, Pair, Verdict, decode_label
from schemas.base import Model, Name, Score
from schemas.faults import first_fault
from worker.cli.lines import open_input, read_lines, require_file, wrong_line
from worker.gate.judgement import Scored, Side
from worker.gate.regression import Case


class _Decided(Model):
    """What the gate reads of a decision."""

    response_id: Name
    dataset: Name
    decision: Verdict
    response_sha256: str
    scores: dict[str, Score | None]
    label: Annotated[int, Field(strict=True, ge=0, le=1)] | None = None


def read_labels(files: Iterable[Path], limits: Limits) -> dict[str, bool]:
    """The last label of each response, by id, where that is sure. Raises GroundwatchError that names file and line."""
    labels: dict[str, Literal[0, 1] | None] = {}
    for file in files:
        require_file(file)
        with open_input(file) as stream:
            for number, line in read_lines(stream, limits.message_bytes):
                try:
                    label = decode_label(line, (), limits)
                except InvalidEvent as invalid:
                    raise wrong_line(file, number, invalid.field, invalid.reason) from None
                labels[label.response_id] = label.sure
    return {name: label == 1 for name, label in labels.items() if label is not None}


def read_decisions(file: Path, labels: Mapping[str, bool], score: str, limits: Limits) -> Side:
    """The labelled decisions of a file such as `groundwatch score` writes; of a response that comes again the last one.

    A line's own `label` counts before one of `labels`. Raises GroundwatchError that names file and line.
    """
    side: dict[str, dict[str, Scored]] = {}
    for one in _read(file, limits):
        grounded = labels.get(one.response_id) if one.label is None else one.label == 1
        if grounded is not None:
            side.setdefault(one.dataset, {})[one.response_id] = Scored(one.response_sha256, one.scores.get(score), grounded)
    return side


def read_cases(file: Path, limits: Limits) -> dict[str, Case]:
    """What a file of decisions says of each response; of one that comes again the last. Raises as `read_decisions`."""
    return {one.response_id: Case(decision=one.decision, final=one.scores.get("final")) for one in _read(file, limits)}


def of_pairs(pairs: Iterable[Pair], score: str) -> Side:
    """Pairs of the store. An answer has one id there, which stands for its hash."""
    side: dict[str, dict[str, Scored]] = {}
    for pair in pairs:
        side.setdefault(pair.dataset, {})[pair.response_id] = Scored(pair.response_id, pair.scores.get(score), pair.label == 1)
    return side


def _read(file: Path, limits: Limits) -> Iterator[_Decided]:
    require_file(file)
    with open_input(file) as stream:
        for number, line in read_lines(stream, limits.message_bytes):
            try:
                yield _Decided.model_validate_json(line)
            except ValidationError as wrong:
                fault = first_fault(wrong)
                raise wrong_line(file, number, ".".join(map(str, fault.place)), fault.reason) from None
