"""How fast answers are judged: `python -m benchmarks.throughput`.

Everything in one run on the same machine, so that ratios mean something where times do not: the scorer with nothing remembered and with
passages that come again, beside the seeds' detectors as one would first write them; the whole worker on real Kafka and Postgres beside its
scorer alone; triage without a detector beside a consumer that does nothing. Real answers (FELM), contexts of about 300 words.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer

from benchmarks.quality import DATA
from benchmarks.services import Services, running_services
from benchmarks.throughput import consuming, stages
from benchmarks.throughput.pipeline import UNSHED, running_pipeline
from benchmarks.throughput.processes import peak_megabytes
from benchmarks.throughput.scoring import Reference, Spent, Variant, agreement, assess, running_scorers
from benchmarks.workload import stream
from detectors import load_detector, load_profile
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError
from worker.settings import Scorer as ScorerSettings

REUSE: Final = {"uncached": 1, "reuse50": 2, "reuse90": 10}
"""Answers to each context; the first variant remembers nothing either."""


FLOORS: Final = {
    "uncached_vs_reference": 1.3,
    "reuse50_vs_reference": 2.0,
    "reuse90_vs_reference": 4.0,
    "pipeline_vs_scorer": 0.6,
    "encoder_share": 0.5,
    "noop_vs_raw_consumer": 0.008,
}
"""A half or less of what is measured on an idle machine: below that something has broken, not the weather."""
MOST_CHANGE: Final = 0.005
LEAST_SAME: Final = 0.995


class Size:
    """How much is measured."""

    def __init__(self, short: bool) -> None:
        self.rounds = 2 if short else 6
        self.answers = {"uncached": 64, "reuse50": 96, "reuse90": 200} if short else {"uncached": 240, "reuse50": 420, "reuse90": 600}
        self.referred = 10 if short else 16
        """Answers a round that the reference scores."""
        self.pipeline = 64 if short else 240
        self.paced = 40 if short else 240
        self.messages = 20_000 if short else 100_000
        self.alone = 32 if short else 200
        """Answers that are scored one by one, to compare."""


def main(  # noqa: PLR0917 - its parameters are its options
    data: Annotated[Path, typer.Option(metavar="DIR", help="Holds the labelled set FELM.")] = DATA,
    short: Annotated[bool, typer.Option("--short", help="A tenth of the answers: minutes.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="Scorer processes.")] = len(os.sched_getaffinity(0)),
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratios, as PNG or SVG.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 when a ratio has fallen far below what it should be.")] = False,
) -> None:
    """Measure speed side by side with yardsticks; needs a real Kafka, in the folder KAFKA_HOME or beside the tree."""
    size = Size(short)
    try:
        with running_services() as services:
            found = asyncio.run(_measure(services, data, size, processes))
    except GroundwatchError as wrong:
        note(f"benchmarks.throughput: {wrong}")
        raise typer.Exit(2) from None
    show(found)
    if json is not None:
        json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    if plot is not None:
        from benchmarks.plot import draw_ratios  # noqa: PLC0415 - matplotlib is optional

        draw_ratios(found["ratios"], plot)
    if check and (low := fallen(found)):
        note(f"benchmarks.throughput: {'; '.join(low)}")
        raise typer.Exit(1)


def fallen(found: Mapping[str, Any]) -> list[str]:
    """What has fallen below its floor, in words."""
    low = [
        f"{name} is {found['ratios'][name]:.3f}, at least {floor} is expected"
        for name, floor in FLOORS.items()
        if found["ratios"][name] < floor
    ]
    agreed = found["agreement"]
    if agreed["largest"] > MOST_CHANGE or agreed["statuses"] < LEAST_SAME:
        low.append(
            f"batches, processes or memory change scores by up to {agreed['largest']:g} and {1 - agreed['statuses']:.1%} of the answers"
        )
    return low


async def _measure(services: Services, data: Path, size: Size, processes: int) -> dict[str, Any]:
    reference = Reference()
    scorer = {"processes": processes}
    with progress("measuring", 3 * size.rounds + 4) as advance:
        variants = await _variants(reference, data, size, scorer, advance)
        through = await _pipeline(services, data, size, scorer | {"memory_megabytes": 0}, advance)
        messages = await consuming.measure(services, stream(data, 1, 64), size.messages)
        advance(1)
        shares = stages.shares(stream(data, 1, size.alone))
        advance(1)
    pieces = reference.pieces(stream(data, 1, size.answers["uncached"]))
    return {
        "machine": {
            "processors": len(os.sched_getaffinity(0)),
            "scorer_processes": processes,
            "peak_megabytes_reference": peak_megabytes(os.getpid()),
        },
        "ratios": {f"{name}_vs_reference": one.ratio for name, one in variants["variants"].items()}
        | {
            "pipeline_vs_scorer": through["rate"] / through["scorer_rate"],
            "encoder_share": shares["encoder"],
            "noop_vs_raw_consumer": messages["triage, no detector"] / messages["raw consumer"],
        },
        "pieces_an_answer": pieces,
        "scoring": {name: _figures(one, pieces) for name, one in variants["variants"].items()},
        "agreement": variants["agreement"],
        "pipeline": through,
        "messages_a_second": messages,
        "stages": shares,
    }


async def _variants(reference: Reference, data: Path, size: Size, scorer: dict[str, Any], advance: Callable[[int], None]) -> dict[str, Any]:
    variants = {}
    for name, answers_per_context in REUSE.items():
        settings = ScorerSettings.model_validate(scorer | ({"memory_megabytes": 0} if name == "uncached" else {}))
        variants[name] = Variant(settings, stream(data, answers_per_context, size.answers[name]))
        assessments = await variants[name].measure(reference, size.rounds, size.referred, advance)
    alone = load_detector(load_profile("default"))
    step = len(assessments) // size.alone
    agreed = agreement(alone, variants[name].answers[::step][: size.alone], assessments[::step][: size.alone])
    advance(1)
    return {"variants": variants, "agreement": asdict(agreed)}


async def _pipeline(services: Services, data: Path, size: Size, scorer: dict[str, Any], advance: Callable[[int], None]) -> dict[str, Any]:
    """The same answers through the scorer alone and through a worker, by halves in turn; then some of them at half its pace."""
    answers = stream(data, 1, size.pipeline)
    alone, whole = Spent(), Spent()
    async with running_pipeline(services, scorer=scorer, load=UNSHED) as pipeline:
        for _ in range(2):
            async with running_scorers(ScorerSettings.model_validate(scorer)) as (scorers, load):
                alone.add(len(answers), (await assess(scorers, load, answers))[1])
            passage = await pipeline.take(answers)
            whole.add(len(answers), len(answers) / passage.rate)
        advance(1)
        paced = await pipeline.take(stream(data, 1, size.paced), due=[2 * at / whole.rate for at in range(size.paced)])
        return {
            "rate": whole.rate,
            "scorer_rate": alone.rate,
            "all_at_once_seconds": passage.percentiles(),
            "half_pace_seconds": paced.percentiles(),
            "peak_megabytes": pipeline.megabytes()
            | {"kafka": peak_megabytes(services.kafka_pid), "postgres": peak_megabytes(services.postgres_pid)},
        }


def _figures(one: Variant, pieces: float) -> dict[str, Any]:
    return {
        "answers": one.own.answers,
        "answers_a_second": one.own.rate,
        "tokens_a_second": one.own.rate * pieces,
        "reference_answers": one.reference.answers,
        "reference_answers_a_second": one.reference.rate,
        "peak_megabytes": one.megabytes,
    }


def show(found: dict[str, Any]) -> None:
    """Print every figure."""
    machine, pieces = found["machine"], found["pieces_an_answer"]
    print(f"{machine['processors']} processors, {machine['scorer_processes']} scorer processes; {pieces:.0f} word pieces an answer")
    print_table(("ratio", "measured"), list(found["ratios"].items()), empty="")
    rows = [(name, *one.values()) for name, one in found["scoring"].items()]
    headings = ("scorer", "answers", "answers/s", "tokens/s", "reference", "answers/s", "peak MB")
    print_table(headings, [(*row[:-1], " + ".join(map(str, row[-1]))) for row in rows], empty="")
    through, agreed = found["pipeline"], found["agreement"]
    print_table(
        ("pipeline", "p50 s", "p95 s", "p99 s"),
        [(name, *through[f"{key}_seconds"].values()) for name, key in (("all at once", "all_at_once"), ("at half its pace", "half_pace"))],
        empty="",
    )
    print(f"pipeline {through['rate']:.2f} events/s, its scorer alone {through['scorer_rate']:.2f}")
    print_table(("process", "peak MB"), list(through["peak_megabytes"].items()), empty="")
    print_table(("consumer", "messages/s"), list(found["messages_a_second"].items()), empty="")
    print_table(("stage of the scorer", "share"), list(found["stages"].items()), empty="")
    print(
        f"one by one against batches, processes and memory: {agreed['answers']} answers, "
        f"largest difference of a score {agreed['largest']:g}, same otherwise {agreed['statuses']:.1%}"
    )


if __name__ == "__main__":
    typer.run(main)
