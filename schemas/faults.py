"""What is wrong with an input, said in one line and without the input itself."""

from typing import NamedTuple

from pydantic import ValidationError


class Fault(NamedTuple):
    """A place in the input and what is wrong there."""

    place: tuple[str | int, ...]
    reason: str


def first_fault(invalid: ValidationError) -> Fault:
    """The first of the faults that pydantic has found, an unknown key before all others: a missing one may be the same mistyped."""
    faults = invalid.errors(include_url=False, include_context=False, include_input=False)
    first = min(faults, key=lambda fault: fault["type"] != "extra_forbidden")
    said = {"Field required": "is missing", "Extra inputs are not permitted": "is unknown"}.get(first["msg"], first["msg"])
    return Fault(first["loc"], said.removeprefix("Value error, ").removeprefix("Input "))
