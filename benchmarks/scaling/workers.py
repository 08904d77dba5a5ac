"""The same answers through one worker and through more, each with one scorer process."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.services import Services
from benchmarks.throughput.pipeline import UNSHED, running_pipeline
from detectors import Answer

WORKERS: Final = (1, 2)


def measure(services: Services, answers: Sequence[Answer], counts: Sequence[int] = WORKERS) -> Iterator[dict[str, float]]:
    """Answers a second, nothing remembered, and how many times those of the first count."""
    first = 0.0
    for workers in counts:
        rate = asyncio.run(_rate(services, answers, workers))
        first = first or rate
        yield {"workers": workers, "answers_per_second": rate, "times": rate / first}


async def _rate(services: Services, answers: Sequence[Answer], workers: int) -> float:
    async with running_pipeline(services, workers, scorer={"memory_megabytes": 0}, load=UNSHED) as pipeline:
        return (await pipeline.take(answers)).rate
