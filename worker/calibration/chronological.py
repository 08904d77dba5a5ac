"""Fitting to production in the order in which it came: nothing that was learnt later has a part in what is fitted.

At a cut-off three fifths of the groups had been served. What was served and labelled before it gives the weights; a label that came later
was not known then. What was served since is held out, but for near-duplicates of what the weights have seen: it chooses the thresholds, and
every figure is of it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np

from detectors.calibration import Calibration
from worker.calibration import risk
from worker.calibration.fit import FEWEST, HELD_OUT, Report, Source, apply_to, choose_thresholds, fit, report, require_enough
from worker.calibration.labelled import Flags, Labelled
from worker.calibration.logistic import FOLDS, PRIOR
from worker.calibration.production import Production
from worker.errors import TooFewLabels
from worker.measurement.grouped import Difference, compare

FEWEST_TRAINED: Final = FEWEST * (FOLDS - HELD_OUT) // FOLDS
"""Groups of either class, before the cut-off, below which nothing is fitted."""


class Split(NamedTuple):
    """Production before and since a cut-off."""

    cut_off: datetime
    train: Labelled
    held_out: Labelled
    audited: Flags
    """Of those held out."""
    late: int
    """Served before, labelled since: in neither part."""
    straddling: int
    """Served since, with a near-duplicate in training: in neither part."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A calibration, and what became of the answers that came after those it was fitted to."""

    calibration: Calibration
    report: Report
    split: Split
    compared: Difference
    """By AUROC on the held-out answers: what is in force first, the calibration second."""


def split(production: Production) -> Split:
    """The two parts of `production`, which holds an answer at least. No group stands in both, and no label in training that came later."""
    first = np.sort(production.first_served())
    moment = first[first.size * (FOLDS - HELD_OUT) // FOLDS]
    before, known = production.served < moment, production.labelled < moment
    train = before & known
    seen = np.isin(production.data.groups, production.data.groups[train])
    held_out = ~before & ~seen
    return Split(
        cut_off=datetime.fromtimestamp(moment, UTC),
        train=production.data.take(train),
        held_out=production.data.take(held_out),
        audited=production.audited[held_out],
        late=int((before & ~known).sum()),
        straddling=int((~before & seen).sum()),
    )


def try_out(
    production: Production,
    in_force: Calibration | None,
    *,
    detector: str,
    earlier: tuple[str, ...] = (),
    alpha: float,
    isotonic: bool = False,
) -> Trial:
    """Fit before the cut-off, and hold the result against `in_force` since then; without one, against the score `final`.

    `detector` and `earlier` stand in the calibration as they are. Raises TooFewLabels.
    """
    require_enough(production.data, alpha)
    parts = split(production)
    _require_enough_before(parts)
    held_out, labels = parts.held_out, production.data.labels
    source = Source(detector, production.fingerprint, int(labels.sum()), int((~labels).sum()), earlier)
    chooses, noted = _threshold_answers(parts, alpha)
    calibration, notes = choose_thresholds(fit(parts.train, source, alpha=alpha, isotonic=isotonic), chooses)
    before = held_out.scores[:, held_out.names.index(PRIOR)] if in_force is None else apply_to(in_force, held_out)
    since = apply_to(calibration, held_out)
    return Trial(
        calibration=calibration,
        report=report(held_out, since, (*noted, *notes)),
        split=parts,
        compared=compare(before, since, held_out.labels, held_out.groups),
    )


def _require_enough_before(parts: Split) -> None:
    """Of what was served since, there is always as much as `require_enough` asks for: two fifths of the groups begin there."""
    fewest, moment = parts.train.fewest() if parts.train.labels.size else 0, f"{parts.cut_off:%Y-%m-%d %H:%M} UTC"
    if fewest < FEWEST_TRAINED:
        late = (
            f" ({parts.late} more were served before it and labelled since: they count once the cut-off has moved on)" if parts.late else ""
        )
        raise TooFewLabels(
            f"too few labels: {parts.train.labels.size} answers were served and labelled before the cut-off, {moment}{late}, the rarer "
            f"class in {fewest} independent groups; {FEWEST_TRAINED - fewest} more groups are needed: go on labelling as answers are served"
        )


def _threshold_answers(parts: Split, alpha: float) -> tuple[Labelled, tuple[str, ...]]:
    """The held-out answers that chance chose, where they are enough to choose thresholds; else all, with a note."""
    audited = parts.held_out.take(parts.audited)
    groups, needed = np.unique(audited.groups).size, risk.fewest_answers(alpha)
    if groups >= needed:
        return audited, ()
    return parts.held_out, (
        f"warning: {groups} independent held-out answers are of the audit slice, and {needed} would be needed, so that all labelled ones "
        "choose the thresholds: those that reviewers picked are a harder sample than your traffic, for which alpha may not hold",
    )
