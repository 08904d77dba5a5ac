"""What is wrong with a profile, as one of our own errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from detectors.errors import DetectorError
from worker.errors import WrongProfile


@contextmanager
def profile_errors() -> Iterator[None]:
    """Raises WrongProfile for what is wrong with a profile, its policy, calibration or models while it is read or loaded."""
    try:
        yield
    except DetectorError as wrong:
        raise WrongProfile(str(wrong)) from None
