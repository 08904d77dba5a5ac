"""Files of small cases, one JSON object a line: contrast.jsonl and edge.jsonl."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import BaseModel, Field, ValidationError

from schemas import Limits
from schemas.faults import first_fault
from worker.cli.lines import read_lines
from worker.errors import GroundwatchError, NotFound

Case = Mapping[str, Any]


class Contrast(BaseModel):
    """A grounded and an ungrounded answer to the same contexts."""

    id: str
    kind: str
    question: str | None = None
    contexts: Annotated[list[str], Field(min_length=1)]
    grounded: str
    ungrounded: str


class Edge(BaseModel):
    """A single answer and what should become of it: a status or a decision."""

    id: str
    question: str | None = None
    contexts: list[str]
    response: str
    expect: Literal["not_measurable", "no_context", "accept", "review", "reject"]


KINDS: Final = {"contrast.jsonl": Contrast, "edge.jsonl": Edge}
"""What a line of each file holds."""


def read_cases(file: Path) -> list[Case]:
    """The cases of a file that has one of the names in KINDS. Raises NotFound, or GroundwatchError naming file and line of what is none."""
    if not file.is_file():
        raise NotFound(f"{file} is missing; name the directory that holds it with --cases")
    return list(_cases(file, KINDS[file.name]))


def _cases(file: Path, kind: type[BaseModel]) -> Iterator[Case]:
    with file.open("rb") as stream:
        for number, line in read_lines(stream, Limits().message_bytes):
            try:
                yield kind.model_validate(orjson.loads(line)).model_dump()
            except orjson.JSONDecodeError:
                raise _wrong(file, number, "the line", "is not JSON") from None
            except ValidationError as invalid:
                place, reason = first_fault(invalid)
                raise _wrong(file, number, ".".join(map(str, place)) or "the line", reason) from None


def _wrong(file: Path, number: int, place: str, reason: str) -> GroundwatchError:
    return GroundwatchError(f"{file}, line {number}: {place} {reason}; mend or remove the line")
