"""The one error that decoding raises."""


class InvalidEvent(ValueError):
    """A message that cannot be read as the event its topic promises.

    `field` is the offending field's path in our own names ("" for the message as a whole); `reason` says what is wrong without quoting the text.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason
