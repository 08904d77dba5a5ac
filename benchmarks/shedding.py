"""What overload costs in quality and saves in time: `python -m benchmarks.shedding`.

Prints, for each step of the default profile's `shedding`, the processor time of an answer and the AUROC of `final` on the six labelled
sets with its 95 % interval, and which share of the hallucinated and of the grounded answers lies below and above thresholds.
"""

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Annotated, Final, NamedTuple

import numpy as np
import typer

from benchmarks import workload
from benchmarks.assessments import Assessor
from benchmarks.figures import Figure, mean, measure
from benchmarks.quality import DATA, SIX, Set, column, read
from detectors import Answer, Detector
from worker.calibration.labelled import Flags, Floats
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError

TIMED: Final = 64
"""Answers whose time is taken."""
BATCH: Final = 16
BELOW: Final = (0.25, 0.35)
ABOVE: Final = (0.70, 0.80)


class Step(NamedTuple):
    """What is measured of one."""

    milliseconds: float
    finals: dict[str, Floats]
    """By set, NaN where absent."""
    figures: dict[str, Figure]


def main(
    data: Annotated[Path, typer.Option(metavar="DIR", help="Holds the sets, each in its publisher's folder.")] = DATA,
    limit: Annotated[int | None, typer.Option(min=1, help="Answers of each set, taken evenly over it.")] = None,
    sets: Annotated[str, typer.Option(metavar="A,B", help="The sets to measure.")] = ",".join(SIX),
    steps: Annotated[str, typer.Option(metavar="N,M", help="How many models are left out; 0 is slow.")] = "0,1,2",
    cache: Annotated[Path, typer.Option(metavar="DIR", help="Keeps assessments for the next run.")] = Path(".benchmarks"),
) -> None:
    """Measure each step of shedding."""
    try:
        loaded = {name: read(name, data, limit) for name in sets.split(",")}
        timed = workload.stream(data, 1, TIMED)
    except GroundwatchError as wrong:
        note(f"benchmarks.shedding: {wrong}")
        raise typer.Exit(2) from None
    measured = {shed: measure_step(loaded, timed, Assessor("default", cache, shed=shed), shed) for shed in map(int, steps.split(","))}
    print_table(("left out", "ms an answer", *loaded, "mean"), [_row(shed, step) for shed, step in measured.items()], empty="")
    names = (f"{kind} {word} {at:g}" for word, ats in (("below", BELOW), ("from", ABOVE)) for at in ats for kind in ("wrong", "right"))
    print_table(("left out", *names), [(str(shed), *shares(step.finals, loaded)) for shed, step in measured.items()], empty="")


def measure_step(sets: dict[str, Set], timed: Sequence[Answer], assessor: Assessor, shed: int) -> Step:
    """Its time and its figures."""
    with progress(f"{shed} left out", sum(len(one.answers) for one in sets.values())) as advance:
        finals = {name: column(assessor.assess(one.answers, advance), "final") for name, one in sets.items()}
    figures = {name: measure(finals[name], one.labels, one.groups) for name, one in sets.items()}
    return Step(milliseconds(assessor.detector, timed, shed), finals, figures)


def milliseconds(detector: Detector, answers: Sequence[Answer], shed: int) -> float:
    """Processor time of an answer, all threads together, after a first batch that is not counted."""
    detector.assess(answers[:2], shed)
    started = process_time()
    for first in range(0, len(answers), BATCH):
        detector.assess(answers[first : first + BATCH], shed)
    return 1000 * (process_time() - started) / len(answers)


def shares(finals: dict[str, Floats], sets: dict[str, Set]) -> list[str]:
    """Of the hallucinated and the grounded answers, those beyond each threshold, sets counting alike."""
    hits = [(lambda final, at=at: final < at) for at in BELOW] + [(lambda final, at=at: final >= at) for at in ABOVE]
    return [f"{_mean_share(finals, sets, hit, label):.1%}" for hit in hits for label in (False, True)]


def _mean_share(finals: dict[str, Floats], sets: dict[str, Set], hit, label: bool) -> float:  # type: ignore[no-untyped-def]
    return float(np.mean([_share(finals[name], one.labels == label, hit) for name, one in sets.items()]))


def _share(final: Floats, of: Flags, hit) -> float:  # type: ignore[no-untyped-def]
    kept = final[of & ~np.isnan(final)]
    return float(hit(kept).mean()) if kept.size else float("nan")


def _row(shed: int, step: Step) -> tuple[str, ...]:
    whole = mean(list(step.figures.values()))
    cells = [
        f"{one.auroc:.3f} ({one.low:.3f}–{one.high:.3f}) {one.n}" if one.auroc is not None else "–"
        for one in (*step.figures.values(), whole)
    ]
    return str(shed), f"{step.milliseconds:.0f}", *cells


if __name__ == "__main__":
    typer.run(main)
