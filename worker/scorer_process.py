"""The scorer's child process: `python -m worker.scorer_process`.

Frames on standard input and output. First a request for a detector, answered with who it is; then questions, each a batch of
answers, answered with their assessments. It ends when its input does, so it never outlives its worker.
"""

import os
import re
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import TypeAdapter

from detectors import Answer, Assessment, Detector, load_detector, load_profile
from detectors.encoder import Device
from detectors.errors import DetectorError
from schemas import encode
from schemas.base import Model
from worker.frames import framed, read_frame_blocking
from worker.garbage import collect_garbage_rarely
from worker.policy import DetectorIdentity

ASSESSMENTS = TypeAdapter(list[Assessment])

OUT_OF_MEMORY: Final = 71
"""The process's status when a question needs more memory than it may take (EX_OSERR)."""


class DetectorRequest(Model):
    """Which detector to load."""

    profile: str
    encoder: str | None = None
    device: Device = "auto"
    memory: int = 0
    """Bytes for what was read of passages that may come again."""
    headroom: int | None = None
    """Bytes that the process may take beside its models and that; a question that needs more ends it. None: as many as there are."""


class Question(Model):
    """What to assess, and how many steps of the profile's `shedding` to leave out."""

    answers: tuple[Answer, ...]
    shed: int = 0


class Loaded(Model):
    """Which detector was loaded, or why none was."""

    detector: DetectorIdentity | None = None
    error: str = ""


def requested_detector(request: DetectorRequest) -> Detector:
    """The detector of the requested profile, its models loaded. Raises DetectorError for a wrong profile or a missing model."""
    return load_detector(load_profile(request.profile), request.encoder, request.memory, request.device)


def main(load: Callable[[DetectorRequest], Detector] = requested_detector) -> None:
    """Serve frames until the input ends. `load` raises DetectorError or ValueError, saying what is wrong, where no retry mends it."""
    requests, replies = sys.stdin.buffer, _own_stdout()
    opening = read_frame_blocking(requests)
    if opening is None:
        return
    request = DetectorRequest.model_validate_json(opening)
    try:
        detector = load(request)
    except (DetectorError, ValueError) as wrong:
        _send(replies, encode(Loaded(error=str(wrong))))
        return
    identity = DetectorIdentity(fingerprint=detector.fingerprint, profile=detector.profile.name, encoder=detector.encoder)
    _send(replies, encode(Loaded(detector=identity)))
    collect_garbage_rarely()
    if request.headroom is not None:
        _limit_memory(request.memory + request.headroom)
    while (frame := read_frame_blocking(requests)) is not None:
        try:
            question = Question.model_validate_json(frame)
            reply = ASSESSMENTS.dump_json(detector.assess(question.answers, question.shed))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        _send(replies, reply)


def _limit_memory(further: int) -> None:
    """Let the process take `further` bytes beyond what it has: what goes wrong for want of memory is to go wrong here, not elsewhere."""
    found = re.search(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if found:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (int(found[1]) * 1024 + further, hard))


def _own_stdout() -> BinaryIO:
    """The reply pipe; whatever else prints goes to standard error from now on."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _send(replies: BinaryIO, content: bytes) -> None:
    try:
        replies.write(framed(content))
        replies.flush()
    except BrokenPipeError:  # the worker is gone and with it whoever asked
        os._exit(0)


if __name__ == "__main__":
    main()
