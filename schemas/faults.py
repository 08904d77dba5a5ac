"""What is wrong with an input, said in one line and without the input itself."""

from typing import NamedTuple

from pydantic import ValidationError


class Fault(NamedTuple):
    """A place in the input and what is wrong there."""

    place: tuple[str | int, ...]
    reason: str


def first_fault(invalid: ValidationError) -> Fault:
    """The first of the faults that pydantic has found."""
    first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
    return Fault(first["loc"], "is missing" if first["type"] == "missing" else first["msg"].removeprefix("Value error, "))
