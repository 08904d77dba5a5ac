"""One line on what is wrong with an input, in our words."""

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from schemas.faults import Fault, first_fault


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    share: float = Field(0, le=1)
    name: str
    kind: str = ""

    @field_validator("kind")
    @classmethod
    def _is_known(cls, kind: str) -> str:
        if kind == "odd":
            raise ValueError("is none of a, b")
        return kind


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({}, Fault(("name",), "is missing")),
        ({"name": "x", "share": 2}, Fault(("share",), "should be less than or equal to 1")),
        ({"name": "x", "kind": "odd"}, Fault(("kind",), "is none of a, b")),
        ({"nmae": "x"}, Fault(("nmae",), "is unknown")),
    ],
)
def test_the_fault_is_named_and_a_mistyped_key_before_the_one_it_leaves_missing(given: dict[str, object], fault: Fault) -> None:
    with pytest.raises(ValidationError) as invalid:
        Settings.model_validate(given)
    assert first_fault(invalid.value) == fault
