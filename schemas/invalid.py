"""The one error that decoding raises."""


class InvalidEvent(ValueError):
    """A message that cannot be read as the event its topic promises.

    `field` is the offending field's path in our own names ("" for the message as a whole), at most 256 printable characters;
    `reason` says what is wrong without quoting the text.
    """

    def __init__(self, field: str, reason: str) -> None:
        self.field = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in field[:256])
        super().__init__(f"{self.field}: {reason}" if field else reason)
        self.reason = reason
