"""What can be wrong with a detector's set-up. A class's docstring is its message unless the raiser says more."""


class DetectorError(Exception):
    """A detector could not be made."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").splitlines()[0])


class ProfileError(DetectorError, ValueError):
    """The profile or its policy is wrong; the message names file and key and how to mend it."""
