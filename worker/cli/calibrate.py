"""`groundwatch calibrate`: weights and thresholds from labelled answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, scorer_of, settings_of
from worker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from detectors.calibration import Calibration, Threshold
    from worker.calibration.fit import Report
    from worker.cli.labelled import Pair


def register(app: typer.Typer) -> None:
    """Add the command."""
    example = "Example: groundwatch calibrate labelled.jsonl --out calibration.json --alpha 0.05"
    app.command("calibrate", epilog=f"{example}.  {GLOBAL_NOTE}")(_calibrate)


def _calibrate(
    context: typer.Context,
    out: Annotated[Path, typer.Option(metavar="FILE.json", dir_okay=False, help="Where the calibration goes.")],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="LABELLED.jsonl…", help="Answers with `label` (1 grounded, 0 hallucinated), or answers and label events."),
    ] = None,
    dataset: Annotated[
        tuple[str, Path] | None, typer.Option(metavar="NAME DIR", help="A labelled data set and the directory that holds it.")
    ] = None,
    alpha: Annotated[float, typer.Option(min=0.001, max=0.5, help="Most that may be wrong beyond a threshold, as a share.")] = 0.05,
    isotonic: Annotated[bool, typer.Option("--isotonic", help="Bend the probabilities by isotonic regression.")] = False,
    profile: Annotated[str | None, typer.Option(help="Detector profile, by name or file.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", dir_okay=False, help="Reliability diagram.")] = None,
    as_json: Json = False,
) -> None:
    """Fit the profile's signals to labelled answers.

    Writes weights and thresholds as readable JSON, which the profile then names as `calibration`.
    Exit 1, and nothing written, when the labels are too few.
    """
    from worker.calibration.fit import calibrate, require_enough
    from worker.calibration.reliability import draw
    from worker.cli.labelled import read_labelled, read_set, score, without_scores

    settings = settings_of(context)
    pairs = [*(read_set(*dataset) if dataset else ()), *read_labelled(sources or (), settings.limits)]
    if not pairs:
        raise WrongUse("there is no labelled answer; name files of answers with a `label`, or a set with --dataset NAME DIR")
    counted = without_scores(pairs)
    require_enough(counted, alpha)
    data, detector, fingerprint = score(pairs, counted.groups, scorer_of(settings, profile))
    calibration, report = calibrate(data, detector=detector, fingerprint=fingerprint, alpha=alpha, isotonic=isotonic)
    if plot is not None:
        draw(report.reliability, plot)
    out.write_text(calibration.model_dump_json(indent=2) + "\n", encoding="utf-8")
    _tell(pairs, calibration, report, as_json=as_json)
    note(f"written to {out}")


def _tell(pairs: list[Pair], calibration: Calibration, report: Report, *, as_json: bool) -> None:
    """The report on stdout, what could not be had on stderr."""
    unscored = len(pairs) - calibration.grounded - calibration.hallucinated
    if as_json:
        summary: dict[str, Any] = report._asdict() | {"reliability": [one._asdict() for one in report.reliability], "unscored": unscored}
        print_json(summary | {"calibration": calibration.model_dump(mode="json")})
        return
    print(f"{calibration.grounded:,} grounded, {calibration.hallucinated:,} hallucinated, {unscored:,} without scores left out")
    print(f"AUROC {_figure(report.auroc)} (uncalibrated {_figure(report.auroc_uncalibrated)}), 5-fold by groups")
    print(f"Brier score {report.brier:.4f} (the same probability for all {report.brier_constant:.4f})")
    print(f"ACCEPT above {_bound(calibration.accept, 'hallucinated')}; REJECT below {_bound(calibration.reject, 'grounded')}")
    print_table(("answers", "predicted", "grounded"), report.reliability, empty="")
    print_table(("signal", "weight"), [(name, part.weight) for name, part in calibration.signals.items()], empty="")
    for line in report.notes:
        note(line)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _bound(bound: Threshold | None, wrong: str) -> str:
    if bound is None:
        return "– (none keeps alpha)"
    return f"{bound.at:.3f} ({bound.wrong} of {bound.answers} held-out answers {wrong}, at most {bound.limit:.1%})"
