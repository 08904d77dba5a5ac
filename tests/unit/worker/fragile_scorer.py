"""A scorer process for tests: the real frames around a detector that dies, hangs or cannot be loaded when a text says so."""

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from detectors import Answer, Assessment, Detector, load_profile
from detectors.errors import DetectorError
from schemas import ScoreStatus
from worker.scorer_process import DetectorRequest, main


class FragileDetector:
    fingerprint = "fragile-0"
    encoder = "none"
    profile = load_profile("seed")

    def assess(self, answers: Sequence[Answer], shed: int = 0) -> list[Assessment]:
        print("library chatter on standard output")
        for answer in answers:
            if "die" in answer.response:
                os.kill(os.getpid(), signal.SIGKILL)
            if "hang" in answer.response:
                time.sleep(600)
        return [
            Assessment(status=ScoreStatus.SCORED, scores={"final": len(answer.response) / 100, "process": os.getpid()})
            for answer in answers
        ]


def _first_or(flag: str, otherwise: Callable[[], object]) -> None:
    """The first process to come makes the file `flag`; the others do `otherwise`."""
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        otherwise()


def load(request: DetectorRequest) -> Detector:
    if request.profile == "missing":
        raise ValueError("profile missing: there is no such profile")
    if request.profile == "modelless":
        raise DetectorError("the model cannot be loaded")
    if request.profile == "crash":
        sys.exit(3)
    if request.profile.startswith("once "):
        _first_or(request.profile.removeprefix("once "), lambda: sys.exit(3))
    if request.profile.startswith("different "):
        _first_or(request.profile.removeprefix("different "), lambda: setattr(FragileDetector, "fingerprint", "fragile-1"))
    return FragileDetector()


if __name__ == "__main__":
    main(load)
