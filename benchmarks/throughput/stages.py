"""Where the scorer's time goes, by clocks around its parts."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from benchmarks.throughput.scoring import WARM_UP
from detectors import Answer, load_profile
from detectors.detector import METHODS, make_detector
from detectors.models import Models

BATCH: Final = 16
STAGES: Final = ("encoder", "parser", "reading", "signals", "rest")


def shares(answers: Sequence[Answer]) -> dict[str, float]:
    """Share of each stage in the time of the default profile on `answers`, one thread, nothing remembered."""
    import torch  # noqa: PLC0415 - heavy

    profile, clock = load_profile("default"), Clock()
    models = Models.load(profile)
    method = METHODS[profile.detector](
        profile,
        replace(
            models,
            encoder=Timed(models.encoder, clock, encode="encoder", spell="encoder"),
            parser=Timed(models.parser, clock, parse="parser", entities="parser"),
        ),
    )
    detector = make_detector(profile, models, Timed(method, clock, read="reading", score="signals"))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        detector.assess(WARM_UP)
        clock.spent.clear()
        whole = clock.timed("rest", detector.assess)
        for at in range(0, len(answers), BATCH):
            whole(answers[at : at + BATCH])
    finally:
        torch.set_num_threads(threads)
    total = sum(clock.spent.values())
    return {stage: clock.spent[stage] / total for stage in STAGES}


class Clock:
    """Seconds by stage; a stage inside another one counts for itself alone."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """`call`, its time counted."""

        @wraps(call)
        def timed(*arguments: Any, **named: Any) -> Any:
            started, inside = time.perf_counter(), sum(self.spent.values())
            try:
                return call(*arguments, **named)
            finally:
                self.spent[stage] += time.perf_counter() - started - (sum(self.spent.values()) - inside)

        return timed


class Timed:
    """Something whose methods of these names are clocked as these stages."""

    def __init__(self, inner: Any, clock: Clock, /, **stages: str) -> None:
        self._inner = inner
        for name, stage in stages.items():
            setattr(self, name, clock.timed(stage, getattr(inner, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
