"""How well scores rank grounded above hallucinated answers: `python -m benchmarks.quality`.

Prints, for each labelled set and as the mean of six, the AUROC with its 95 % interval of the seeds' scores, of the default, and of a
calibration within the set (5-fold by groups) and without it (fitted to all other sets, each counting alike).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import orjson
import typer

from benchmarks import datasets
from benchmarks.assessments import Assessor
from detectors import Answer, Assessment
from worker.calibration.labelled import Flags, Floats, Groups, Labelled, group
from worker.calibration.logistic import FOLDS, cross_validate, fit_best
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError
from worker.measurement.grouped import Figure, mean, measure

SIX: Final = ("begin_wow", "begin_tc", "begin_cmu", "q2", "bamboo", "wice")
"""The sets of the mean."""
SETS: Final = (*SIX, "mtrag", "attributionbench")
DATA: Final = Path("../shared/data")

READ: Final[Mapping[str, tuple[str, str]]] = {
    "seed 003": ("seed", "grounded"),
    "seed 000 attribution": ("seed", "attribution"),
    "seed 000 final": ("seed", "final"),
    "default": ("default", "final"),
}
"""What is read off an assessment: profile and score."""
FEWEST: Final = FOLDS**2
"""Groups of either label from which on a set is calibrated within itself."""
IN_DOMAIN, LEFT_OUT = "calibrated in-domain", "calibrated left-out"
DETECTORS: Final = (*READ, IN_DOMAIN, LEFT_OUT)

Figures = dict[str, dict[str, Figure]]


def main(  # noqa: PLR0917 - its parameters are its options
    data: Annotated[Path, typer.Option(metavar="DIR", help="Holds the sets, each in its publisher's folder.")] = DATA,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw every figure.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Answers of each set, taken evenly over it.")] = None,
    sets: Annotated[str, typer.Option(metavar="A,B", help="The sets to measure.")] = ",".join(SETS),
    cache: Annotated[Path, typer.Option(metavar="DIR", help="Keeps assessments for the next run.")] = Path(".benchmarks"),
) -> None:
    """Measure scores on labelled sets."""
    try:
        loaded = {name: read(name, data, limit) for name in sets.split(",")}
    except GroundwatchError as wrong:
        note(f"benchmarks.quality: {wrong}")
        raise typer.Exit(2) from None
    figures = measure_all(loaded, {profile: Assessor(profile, cache) for profile in ("seed", "default")})
    means = {detector: mean([figures[name][detector] for name in SIX if name in figures]) for detector in DETECTORS}
    show(figures, means)
    if json is not None:
        json.write_bytes(orjson.dumps(as_json(figures, means), option=orjson.OPT_INDENT_2))
    if plot is not None:
        from benchmarks.plot import draw  # noqa: PLC0415 - matplotlib is optional

        draw(figures, means, plot)


class Set:
    """A labelled set's answers."""

    def __init__(self, events: Iterable[tuple[Answer, bool]]) -> None:
        pairs = list(events)
        self.answers = [answer for answer, _ in pairs]
        self.labels: Flags = np.array([label for _, label in pairs], dtype=np.bool_)
        self.groups: Groups = group(self.answers)


def read(name: str, directory: Path, limit: int | None = None) -> Set:
    """The set, or `limit` of its answers at even distances. Raises NotFound."""
    pairs = [(Answer.of(event), label.label == 1) for event, label in datasets.load(name, directory)]
    step = max(1.0, len(pairs) / (limit or len(pairs) or 1))
    return Set(islice((pairs[int(at * step)] for at in range(int(len(pairs) / step))), limit))


def measure_all(sets: Mapping[str, Set], assessors: Mapping[str, Assessor]) -> Figures:
    """Every detector's figure on every set."""
    figures: Figures = {}
    scored: dict[str, Labelled] = {}
    with progress("scoring", len(assessors) * sum(len(one.answers) for one in sets.values())) as advance:
        for name, one in sets.items():
            found = {profile: assessor.assess(one.answers, advance) for profile, assessor in assessors.items()}
            figures[name] = {
                detector: measure(column(found[profile], score), one.labels, one.groups) for detector, (profile, score) in READ.items()
            }
            kept = [row for row, assessment in enumerate(found["default"]) if assessment.scores.get("final") is not None]
            rows = [found["default"][row].scores for row in kept]
            scored[name] = Labelled.of(rows, one.labels[kept].tolist(), one.groups[kept])
            note(f"{name}: {len(one.answers):,} answers, {len(kept):,} scored by default")
    for name, data in scored.items():
        figures[name][IN_DOMAIN] = _measured(in_domain(data), data)
        figures[name][LEFT_OUT] = _measured(left_out(name, data, scored), data)
        for detector, reason in unmeasured(name, figures[name], scored).items():
            note(f"{name}: no figure for {detector}: {reason}")
    return figures


def unmeasured(name: str, figures: Mapping[str, Figure], sets: Mapping[str, Labelled]) -> dict[str, str]:
    """Why detectors have no figure on the set."""
    data, others = sets[name], _others(name, sets)
    classes = f"{int(data.labels.sum()):,} grounded and {int((~data.labels).sum()):,} hallucinated answers are scored, and it takes both"
    reasons = dict.fromkeys(DETECTORS, "of its answers with that score none is grounded or none hallucinated")
    if data.labels.size == 0 or data.fewest() == 0:
        reasons |= dict.fromkeys((IN_DOMAIN, LEFT_OUT), classes)
    else:
        reasons[IN_DOMAIN] = f"the rarer label is that of {data.fewest()} groups of answers, and it takes {FEWEST}"
        if len(others) < 2:
            reasons[LEFT_OUT] = f"it takes two other sets with scored answers, and there {'is one' if others else 'is none'}"
    return {detector: reasons[detector] for detector in DETECTORS if figures[detector].auroc is None}


def column(assessments: Sequence[Assessment], score: str) -> Floats:
    """One score of each, NaN where absent."""
    return np.array([np.nan if (value := one.scores.get(score)) is None else value for one in assessments], dtype=np.float64)


def in_domain(data: Labelled) -> Floats | None:
    """Probabilities by 5-fold cross-validation that keeps groups together; None with too few answers of a class."""
    return cross_validate(data) if data.labels.size and data.fewest() >= FEWEST else None


def left_out(name: str, data: Labelled, sets: Mapping[str, Labelled]) -> Floats | None:
    """Probabilities by weights from all other sets, their pull chosen by leaving one of those out; None with fewer than two others."""
    others = _others(name, sets)
    if len(others) < 2:
        return None
    names = tuple(sorted({score for one in (data, *others.values()) for score in one.names}))
    parts = [_with_names(one, names) for one in others.values()]
    sizes = [part.labels.size for part in parts]
    joined = Labelled(
        names,
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.repeat(np.arange(len(parts)), sizes),
    )
    importance = np.repeat(1 / np.array(sizes), sizes)
    return fit_best(joined, importance, joined.groups).probabilities(_with_names(data, names).scores)


def _others(name: str, sets: Mapping[str, Labelled]) -> dict[str, Labelled]:
    return {other: one for other, one in sets.items() if other != name and one.labels.size}


def _with_names(data: Labelled, names: tuple[str, ...]) -> Labelled:
    absent = np.full(data.labels.size, np.nan)
    columns = [data.scores[:, data.names.index(name)] if name in data.names else absent for name in names]
    return Labelled(names, np.stack(columns, axis=1), data.labels, data.groups)


def _measured(probabilities: Floats | None, data: Labelled) -> Figure:
    return Figure(None, None, None, data.labels.size) if probabilities is None else measure(probabilities, data.labels, data.groups)


def show(figures: Figures, means: Mapping[str, Figure]) -> None:
    """One table: a set a row, a detector a column."""
    rows = [(name, *(cell(by_detector[detector]) for detector in DETECTORS)) for name, by_detector in figures.items()]
    averaged = sum(name in figures for name in SIX)
    print_table(
        ("set", *DETECTORS), [*rows, (f"mean of {averaged} of the six", *(cell(means[detector]) for detector in DETECTORS))], empty=""
    )
    for detector in DETECTORS if averaged else ():
        if without := [name for name in SIX if name in figures and figures[name][detector].auroc is None]:
            note(f"no mean for {detector}: {', '.join(without)} has none")
    if missing := [name for name in SIX if name not in figures]:
        note(f"the mean is over fewer than six sets, without {', '.join(missing)}")


def as_json(figures: Figures, means: Mapping[str, Figure]) -> dict[str, Any]:
    """`sets: {name: {detector: {auroc, low, high, n}}}` and `mean: {detector: …}`."""
    sets = {name: {detector: figure.as_json() for detector, figure in found.items()} for name, found in figures.items()}
    return {"sets": sets, "mean": {detector: figure.as_json() for detector, figure in means.items()}}


def cell(figure: Figure) -> str:
    """For a table: the figure with its interval and n."""
    if figure.auroc is None or figure.low is None or figure.high is None:
        return "–"
    return f"{figure.auroc:.3f} ({figure.low:.3f}–{figure.high:.3f}) {figure.n}"


if __name__ == "__main__":
    typer.run(main)
