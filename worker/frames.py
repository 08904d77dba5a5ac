"""Length-prefixed JSON frames between the worker and its scorer process."""

import struct
from asyncio import StreamReader
from typing import BinaryIO, Final

_LENGTH: Final = struct.Struct(">Q")


def framed(content: bytes) -> bytes:
    """`content` with its length in front."""
    return _LENGTH.pack(len(content)) + content


async def read_frame(stream: StreamReader) -> bytes:
    """The next frame. Raises asyncio.IncompleteReadError when the other side is gone."""
    (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return await stream.readexactly(length)


def read_frame_blocking(stream: BinaryIO) -> bytes | None:
    """The next frame, or None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None
