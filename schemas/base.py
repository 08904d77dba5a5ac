"""The base of every model and the field types they share."""

from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

SCHEMA_VERSION: Final = "1.0"


_FIRST, _END = datetime(1970, 1, 1, tzinfo=UTC), datetime(9001, 1, 1, tzinfo=UTC)


def _utc(moment: datetime) -> datetime:
    """A time without a zone is read as UTC; years that no database holds are refused."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not _FIRST <= aware < _END:
        raise ValueError("a time must lie between the years 1970 and 9000")
    return aware.astimezone(UTC)


Name = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=256, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""An id, dataset or model: 1 to 256 printable characters (no control characters)."""

Text = Annotated[str, StringConstraints(strict=True)]
"""Free text: any length the message limit allows, any character, NUL included."""

Moment = Annotated[datetime, AfterValidator(_utc)]
"""A point in time, always UTC."""

Score = Annotated[float, Field(allow_inf_nan=False)]
"""A finite number. An absent score is None, never NaN or a default."""


class Model(BaseModel):
    """Frozen; unknown fields are ignored, so that a newer minor version still reads."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, use_attribute_docstrings=True)


class Versioned(Model):
    """A top-level message: carries the version of its shape."""

    schema_version: str = SCHEMA_VERSION
    """`major.minor`; a reader accepts its own major version only."""
