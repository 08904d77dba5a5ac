"""Read by every Python of a worker under test: lets a scorer die, hang or run out of memory where a response says so, and its clock step.

The scorer process is the real one, with its real models; only what the detector does with such a response is different.
"""

import asyncio
import datetime
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_KILLS, _HANGS, _EXHAUSTS = "kills the scorer", "hangs the scorer", "exhausts the memory"


def _sabotage_detector() -> None:
    from detectors.detector import BatchDetector

    assess = BatchDetector.assess

    def sabotaged(self: Any, answers: Sequence[Any], shed: int = 0) -> Any:
        said = " ".join(answer.response for answer in answers)
        if _KILLS in said:
            os._exit(9)
        if _HANGS in said:
            time.sleep(3600)
        if _EXHAUSTS in said:
            bytearray(1_500_000_000)
        return assess(self, answers, shed)

    BatchDetector.assess = sabotaged  # type: ignore[method-assign]


def _step_clock(file: Path) -> None:
    """The wall clock is off by the seconds that `file` holds, from the moment it exists."""
    real_time, real_datetime = time.time, datetime.datetime

    def offset() -> float:
        return float(file.read_text() or 0) if file.exists() else 0.0

    class Kind(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, real_datetime)

    class Stepped(real_datetime, metaclass=Kind):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real_datetime.now(tz) + datetime.timedelta(seconds=offset())

    time.time = lambda: real_time() + offset()
    datetime.datetime = Stepped  # type: ignore[misc]


def _deafen(file: Path) -> None:
    """While `file` exists, the Kafka client says that nothing has come."""
    from aiokafka import AIOKafkaConsumer

    getmany = AIOKafkaConsumer.getmany

    hears_nothing = file.exists

    async def deaf(self: Any, *partitions: Any, timeout_ms: int = 0, max_records: int | None = None) -> Any:
        if hears_nothing():
            await asyncio.sleep(timeout_ms / 1000)
            return {}
        return await getmany(self, *partitions, timeout_ms=timeout_ms, max_records=max_records)

    AIOKafkaConsumer.getmany = deaf


if "worker.scorer_process" in sys.orig_argv:
    _sabotage_detector()
elif place := os.environ.get("SABOTAGE"):
    _step_clock(Path(place) / "clock")
    if {"groundwatch", "worker"} & {Path(part).name for part in sys.orig_argv}:
        _deafen(Path(place) / "deaf")
