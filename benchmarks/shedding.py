"""What overload costs in quality and saves in time: `python -m benchmarks.shedding`.

Prints, for each step of the default profile's `shedding`, the processor time of an answer and the AUROC of `final` on the six labelled
sets with its 95 % interval, and which share of the hallucinated and of the grounded answers lies below and above thresholds.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Annotated, Final, NamedTuple

import numpy as np
import typer

from benchmarks import workload
from benchmarks.assessments import Assessor
from benchmarks.quality import DATA, SIX, Set, cell, column, read
from detectors import Answer, Detector
from worker.calibration.labelled import Floats
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError
from worker.measurement.grouped import Figure, mean, measure

TIMED: Final = 64
"""Answers whose time is taken."""
BATCH: Final = 16
THRESHOLDS: Final = (("below", 0.25), ("below", 0.35), ("from", 0.70), ("from", 0.75))
"""Those of the policy, for answers that are degraded and for those that are not."""
_BEYOND: Final = {"below": np.less, "from": np.greater_equal}


class Step(NamedTuple):
    """What is measured of one."""

    milliseconds: float
    finals: Mapping[str, Floats]
    """By set, NaN where absent."""
    figures: Mapping[str, Figure]


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
    print_table(("left out", "ms an answer", *loaded, "mean of the six"), [_row(shed, step) for shed, step in measured.items()], empty="")
    names = (f"{label} {side} {at:g}" for side, at in THRESHOLDS for label in ("hallucinated", "grounded"))
    print_table(("left out", *names), [(str(shed), *shares(step.finals, loaded)) for shed, step in measured.items()], empty="")


def measure_step(sets: Mapping[str, Set], timed: Sequence[Answer], assessor: Assessor, shed: int) -> Step:
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


def shares(finals: Mapping[str, Floats], sets: Mapping[str, Set]) -> list[str]:
    """Of the hallucinated and of the grounded answers, those beyond each threshold; sets count alike."""
    return [f"{_share(finals, sets, _BEYOND[side], at, label):.1%}" for side, at in THRESHOLDS for label in (False, True)]


def _share(finals: Mapping[str, Floats], sets: Mapping[str, Set], beyond: np.ufunc, at: float, label: bool) -> float:
    scored = [finals[name][(one.labels == label) & ~np.isnan(finals[name])] for name, one in sets.items()]
    return float(np.mean([beyond(final, at).mean() for final in scored if final.size]))


def _row(shed: int, step: Step) -> tuple[str, ...]:
    figures = (*step.figures.values(), mean([figure for name, figure in step.figures.items() if name in SIX]))
    return str(shed), f"{step.milliseconds:.0f}", *map(cell, figures)


if __name__ == "__main__":
    typer.run(main)
