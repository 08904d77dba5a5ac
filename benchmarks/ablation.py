"""What each signal is worth: `python -m benchmarks.ablation`.

Every answer is read once by the default profile; its claims are then weighed again without each signal in turn. `final` of every variant is
held against the labels of the sets, and against the contrast pairs.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import orjson
import typer

from benchmarks import contrast, quality
from benchmarks.assessments import Assessor, Said
from benchmarks.case_files import read_cases
from detectors.claims.combination import final, judge
from detectors.claims.settings import Claims
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError
from worker.measurement.grouped import Figure, mean, measure

FURTHER: Final = ("mtrag", "attributionbench")
"""Sets beside the six of the mean."""

Read = Sequence[Sequence[Said] | None]
"""Each answer's claims; None for an answer without a score."""
Row = Mapping[str, float | None]


def main(
    data: Annotated[Path, typer.Option(metavar="DIR", help="Holds the sets, each in its publisher's folder.")] = quality.DATA,
    cases: Annotated[Path, typer.Option(metavar="DIR", help="Holds contrast.jsonl.")] = contrast.CASES,
    limit: Annotated[int | None, typer.Option(min=1, help="Answers of each set, taken evenly over it.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
    cache: Annotated[Path, typer.Option(metavar="DIR", help="Keeps what was read for the next run.")] = Path(".benchmarks"),
) -> None:
    """Measure the default profile without each of its signals."""
    try:
        pairs = read_cases(cases / "contrast.jsonl")
        sets = {name: quality.read(name, data, limit) for name in quality.SETS}
    except GroundwatchError as wrong:
        note(f"benchmarks.ablation: {wrong}")
        raise typer.Exit(2) from None
    assessor = Assessor("default", cache)
    weights = assessor.profile.claims
    assert weights is not None
    with progress("reading", sum(len(one.answers) for one in sets.values()) + 2 * len(pairs)) as advance:
        read = {name: assessor.claims(one.answers, advance) for name, one in sets.items()}
        read_pairs = assessor.claims(contrast.sides(pairs), advance)
    table = {}
    for name, weigh in variants(weights).items():
        figures = {of: measure(finals(read[of], weigh), one.labels, one.groups) for of, one in sets.items()}
        table[name] = row(figures, finals(read_pairs, weigh))
    rows = [(name, *map(_cell, found.values())) for name, found in table.items()]
    print_table(("without", "mean of six", *FURTHER, "pairs right"), rows, empty="")
    if json is not None:
        json.write_bytes(orjson.dumps(table, option=orjson.OPT_INDENT_2))


def variants(weigh: Claims) -> dict[str, Claims]:
    """The weights as they are, without each signal, without all contradictions, and without the weakest claim's share."""
    return {
        "(nothing)": weigh,
        **{name: _without(weigh, name) for name in weigh.names},
        "all contradictions": weigh.model_copy(update={"contradiction": {}}),
        "the weakest claim": weigh.model_copy(update={"weakest": 0.0}),
    }


def finals(read: Read, weigh: Claims) -> np.ndarray:
    """Each answer's `final` by these weights, NaN where absent."""
    again = ([one for said in claims or () if (one := judge(said.weight, said.values, weigh)).measured] for claims in read)
    return np.array([final(claims, weigh.weakest) if claims else np.nan for claims in again])


def row(figures: Mapping[str, Figure], pair_finals: np.ndarray) -> Row:
    """The figures of one variant; pairs without a score are wrong."""
    grounded, ungrounded = np.nan_to_num(pair_finals, nan=-1.0).reshape(-1, 2).T
    return {
        "mean": mean([figures[name] for name in quality.SIX]).auroc,
        **{name: figures[name].auroc for name in FURTHER},
        "pairs": float((grounded > ungrounded).mean()),
    }


def _without(weigh: Claims, name: str) -> Claims:
    kept = ({signal: share for signal, share in part.items() if signal != name} for part in (weigh.support, weigh.contradiction))
    return weigh.model_copy(update=dict(zip(("support", "contradiction"), kept, strict=True)))


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    typer.run(main)
