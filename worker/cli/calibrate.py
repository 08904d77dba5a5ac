"""`groundwatch calibrate`: weights and thresholds from labelled answers, of files or of production."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from worker.cli.options import GLOBAL_NOTE, UNKNOWN, Json, WrongUse, scorer_of, settings_of
from worker.cli.output import note, print_json, print_table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from detectors.calibration import Calibration, Threshold
    from worker.calibration.fit import Report
    from worker.settings import Scorer, Settings

_CODES: Final = {"ok": 0, "worse": 1, "not_enough_labels": UNKNOWN}
"""By what the gate says."""


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
    from_store: Annotated[bool, typer.Option("--from-store", help="Labelled answers of production, as they were scored there.")] = False,
    segment: Annotated[
        list[str] | None, typer.Option(metavar="DATASET/MODEL", help="With --from-store: answers of this segment. Repeatable.")
    ] = None,
    days: Annotated[float | None, typer.Option(min=0.01, max=36_500, help="With --from-store: served in so many days until now.")] = None,
    profile: Annotated[str | None, typer.Option(help="Detector profile, by name or file.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", dir_okay=False, help="Reliability diagram.")] = None,
    as_json: Json = False,
) -> None:
    """Fit the profile's signals to labelled answers.

    Writes weights and thresholds as readable JSON, which the profile then names as `calibration`.
    Exit 1, and nothing written, when the labels are too few.

    With --from-store the weights come from what was labelled before a cut-off, and answers served since compare the result with what is in
    force: exit 1 when it is worse by more than gate.delta, 3 when the labels do not tell; either writes nothing.
    """
    settings = settings_of(context)
    scorer = scorer_of(settings, profile)
    if from_store and (sources or dataset):
        raise WrongUse("--from-store takes the labelled answers of the store: leave out the files and --dataset")
    if not from_store and (segment or days):
        raise WrongUse("--segment and --days choose answers of the store: add --from-store")
    if from_store:
        found = _from_store(settings, scorer, segment or (), days, alpha, isotonic=isotonic)
    else:
        found = _from_files(settings, scorer, sources or (), dataset, alpha, isotonic=isotonic)
    if plot is not None:
        from worker.calibration.reliability import draw

        draw(found.report.reliability, plot)
    _tell(found, as_json=as_json)
    if found.code:
        note(f"{out} is not written: {found.lines_after[-1]}")
        raise typer.Exit(found.code)
    out.write_text(found.calibration.model_dump_json(indent=2) + "\n", encoding="utf-8")
    note(f"written to {out}")


class _Found(NamedTuple):
    """A calibration, and what is to be said of it."""

    calibration: Calibration
    report: Report
    how: str
    """What the report's figures are of."""
    lines_before: Sequence[str]
    more: dict[str, Any]
    """What JSON says besides."""
    lines_after: Sequence[str] = ()
    code: int = 0
    """Not 0: it is not to be used."""


def _from_files(
    settings: Settings, scorer: Scorer, sources: Sequence[Path], dataset: tuple[str, Path] | None, alpha: float, *, isotonic: bool
) -> _Found:
    from worker.calibration.fit import calibrate, require_enough
    from worker.cli.labelled import read_labelled, read_set, score, without_scores

    pairs = [*(read_set(*dataset) if dataset else ()), *read_labelled(sources, settings.limits)]
    if not pairs:
        raise WrongUse("there is no labelled answer; name files of answers with a `label`, a set with --dataset NAME DIR, or --from-store")
    counted = without_scores(pairs)
    require_enough(counted, alpha)
    data, detector, fingerprint = score(pairs, counted.groups, scorer)
    calibration, report = calibrate(data, detector=detector, fingerprint=fingerprint, alpha=alpha, isotonic=isotonic)
    unscored = len(pairs) - calibration.grounded - calibration.hallucinated
    line = f"{calibration.grounded:,} grounded, {calibration.hallucinated:,} hallucinated, {unscored:,} without scores left out"
    return _Found(calibration, report, "5-fold by groups", [line], {"unscored": unscored})


def _from_store(settings: Settings, scorer: Scorer, segments: Sequence[str], days: float | None, alpha: float, *, isotonic: bool) -> _Found:
    from worker.cli.production import propose, read

    found = propose(read(settings, segments, days), scorer, settings.gate, alpha=alpha, isotonic=isotonic)
    if found.in_force.note:
        note(f"warning: {found.in_force.note}")
    trial, code = found.trial, _CODES[found.outcome]
    return _Found(trial.calibration, trial.report, "on held-out answers", found.origin, found.as_json(), found.verdict, code)


def _tell(found: _Found, *, as_json: bool) -> None:
    """The report on stdout, what could not be had on stderr."""
    calibration, report = found.calibration, found.report
    if as_json:
        reliability = [one._asdict() for one in report.reliability]
        print_json(report._asdict() | {"reliability": reliability} | found.more | {"calibration": calibration.model_dump(mode="json")})
        return
    for line in found.lines_before:
        say(line)
    print(f"AUROC {_figure(report.auroc)} (uncalibrated {_figure(report.auroc_uncalibrated)}), {found.how}")
    print(f"Brier score {report.brier:.4f} (the same probability for all {report.brier_constant:.4f})")
    print(f"ACCEPT above {_bound(calibration.accept, 'hallucinated')}; REJECT below {_bound(calibration.reject, 'grounded')}")
    print_table(("answers", "predicted", "grounded"), report.reliability, empty="")
    print_table(("signal", "weight"), [(name, part.weight) for name, part in calibration.signals.items()], empty="")
    for line in found.lines_after:
        say(line)
    for line in report.notes:
        note(line)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _bound(bound: Threshold | None, wrong: str) -> str:
    if bound is None:
        return "– (none keeps alpha)"
    return f"{bound.at:.3f} ({bound.wrong} of {bound.answers} held-out answers {wrong}, at most {bound.limit:.1%})"
