"""Ten times as much as can be scored, for a minute: `python -m benchmarks.burst`.

A whole worker on real Kafka and Postgres, nothing remembered: its capacity is measured, then half of that arrives for a while, ten times of
it, and half of it again. Prints, for every ten seconds, what was sent, how soon ACCEPT and REJECT were known, how much was scored without
some of the models, and the memory; and whether each event has its one decision.
"""

import asyncio
from itertools import accumulate, cycle, islice
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import orjson
import typer

from benchmarks.quality import DATA
from benchmarks.services import Services, running_services
from benchmarks.throughput.pipeline import Passage, Pipeline, running_pipeline
from benchmarks.workload import stream
from detectors import Answer
from schemas import Verdict
from worker.cli.output import note, print_table
from worker.errors import GroundwatchError

TEXTS: Final = 280
"""Answers, each to contexts of its own, that are sent again and again."""
SLICE: Final = 10
"""Seconds of a row of the table."""
CALM: Final = 1.5
"""How many times the p95 before the burst still counts as normal."""


class Phase(NamedTuple):
    """So much of the capacity for so long."""

    share: float
    seconds: float


def main(  # noqa: PLR0917 - its parameters are its options
    data: Annotated[Path, typer.Option(metavar="DIR", help="Holds the labelled set FELM.")] = DATA,
    processes: Annotated[int, typer.Option(min=1, help="Scorer processes.")] = 2,
    times: Annotated[float, typer.Option(min=1, help="The burst, in capacities.")] = 10,
    seconds: Annotated[float, typer.Option(min=SLICE, help="How long it lasts.")] = 60,
    memory: Annotated[int, typer.Option(min=0, help="Megabytes that each scorer process may remember passages in.")] = 0,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
) -> None:
    """Measure how a worker lives through a burst; needs a real Kafka, in the folder KAFKA_HOME or beside the tree."""
    phases = [Phase(0.5, 40), Phase(times, seconds), Phase(0.5, 90)]
    try:
        with running_services() as services:
            found = asyncio.run(_measure(services, stream(data, 1, TEXTS), phases, {"processes": processes, "memory_megabytes": memory}))
    except GroundwatchError as wrong:
        note(f"benchmarks.burst: {wrong}")
        raise typer.Exit(2) from None
    show(found)
    if json is not None:
        json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


async def _measure(services: Services, texts: list[Answer], phases: list[Phase], scorer: dict[str, int]) -> dict[str, Any]:
    async with running_pipeline(services, scorer=scorer) as pipeline:
        capacity = (await pipeline.take(texts[:64])).rate
        note(f"capacity {capacity:.1f} answers/s")
        due = schedule(capacity, phases)
        memory: list[int] = []
        watching = asyncio.create_task(_watch(pipeline, memory))
        passage = await pipeline.take(list(islice(cycle(texts), len(due))), due)
        watching.cancel()
        peaks = pipeline.megabytes()
    rows = slices(due, passage, memory)
    begin, end = (sum(phase.seconds for phase in phases[:n]) for n in (1, 2))
    return {
        "capacity": capacity,
        "sent": len(due),
        "decided": len({decision.response_id for decision in passage.decisions}),
        "p95_before": _p95(due, passage, SLICE, begin),
        "seconds_to_normal": normal_after(due, passage, begin, end),
        "slices": rows,
        "peak_megabytes": peaks,
    }


async def _watch(pipeline: Pipeline, memory: list[int]) -> None:
    while True:
        memory.append(sum(pipeline.resident_megabytes().values()))
        await asyncio.sleep(SLICE)


def schedule(capacity: float, phases: list[Phase]) -> list[float]:
    """When each event is due, in seconds from the start."""
    starts = accumulate((phase.seconds for phase in phases), initial=0.0)
    return [
        start + number / (capacity * phase.share)
        for start, phase in zip(starts, phases, strict=False)
        for number in range(int(phase.seconds * capacity * phase.share))
    ]


def slices(due: list[float], passage: Passage, memory: list[int]) -> list[dict[str, Any]]:
    """What became of the events that were due in each slice of time."""
    rows = []
    for start in range(0, int(due[-1]) + 1, SLICE):
        chosen = [at for at, moment in enumerate(due) if start <= moment < start + SLICE]
        rows.append(
            {
                "from_second": start,
                "sent": len(chosen),
                "p95_seconds": _p95(due, passage, start, start + SLICE),
                "degraded": float(np.mean([passage.decisions[at].degraded for at in chosen])) if chosen else None,
                "resident_megabytes": memory[min(start // SLICE, len(memory) - 1)],
            }
        )
    return rows


def normal_after(due: list[float], passage: Passage, begin: float, end: float) -> float | None:
    """Seconds from the end of the burst until ACCEPT and REJECT come as soon as before it, and stay so; None when they do not."""
    normal = _p95(due, passage, SLICE, begin)
    starts = range(int(end), int(due[-1]) - SLICE // 2)
    late = [start for start in starts if (_p95(due, passage, start, start + SLICE) or 0.0) > CALM * (normal or 0.0)]
    return None if late and late[-1] == starts[-1] else (late[-1] + 1 - end if late else 0.0)


def _p95(due: list[float], passage: Passage, start: float, end: float) -> float | None:
    """Of the seconds to ACCEPT or REJECT of events due from `start` to `end`."""
    final = (Verdict.ACCEPT, Verdict.REJECT)
    rows = zip(due, passage.seconds, passage.decisions, strict=True)
    chosen = [seconds for moment, seconds, decision in rows if start <= moment < end and decision.decision in final]
    return round(float(np.percentile(chosen, 95)), 3) if chosen else None


def show(found: dict[str, Any]) -> None:
    """Print every figure."""
    print(f"capacity {found['capacity']:.1f} answers/s; {found['sent']:,} sent, {found['decided']:,} decided")
    headings = ("from second", "sent", "p95 s of ACCEPT, REJECT", "degraded", "resident MB")
    print_table(headings, [tuple(row.values()) for row in found["slices"]], empty="")
    print(f"p95 before the burst {found['p95_before']} s; as before again after {found['seconds_to_normal']} s")
    print_table(("process", "peak MB"), list(found["peak_megabytes"].items()), empty="")


if __name__ == "__main__":
    typer.run(main)
