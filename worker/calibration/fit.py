"""From labelled answers to a calibration and a report on it."""

from typing import Final, NamedTuple

import numpy as np

from detectors.calibration import Calibration, Prior, Weighed
from worker.calibration import risk
from worker.calibration.isotonic import Bent
from worker.calibration.labelled import Floats, Labelled
from worker.calibration.logistic import FOLDS, PRIOR, Logistic, cross_validate, fit_best, folds
from worker.calibration.reliability import Bin, bins, brier
from worker.errors import TooFewLabels

FEWEST: Final = 50
"""Groups of either class below which nothing is fitted."""
HELD_OUT: Final = 2
"""Folds of five that choose the thresholds and nothing else."""


class Source(NamedTuple):
    """Where scores and labels come from."""

    detector: str
    """Fingerprint of the detector, without a calibration."""
    data: str
    """Fingerprint of the labelled answers."""
    grounded: int
    hallucinated: int
    earlier: tuple[str, ...] = ()
    """See Calibration."""


class Report(NamedTuple):
    """What labels that served no weight say about the calibration, isotonic step included."""

    auroc: float | None
    auroc_uncalibrated: float | None
    """Of the prior score, on the same answers."""
    brier: float
    brier_constant: float
    """Of the same probability for every answer."""
    reliability: tuple[Bin, ...]
    notes: tuple[str, ...]
    """What could not be had, and why."""


def calibrate(data: Labelled, *, detector: str, fingerprint: str, alpha: float, isotonic: bool = False) -> tuple[Calibration, Report]:
    """Weights from three fifths of the groups, thresholds from the rest, the report from all by cross-validation over groups.

    `detector` and `fingerprint` name the scores' and the data's origin. Raises TooFewLabels when a class has too few.
    """
    require_enough(data, alpha)
    splits = [test for _, test in folds(data.labels, data.groups)]
    train, held_out = data.take(np.concatenate(splits[HELD_OUT:])), data.take(np.concatenate(splits[:HELD_OUT]))
    source = Source(detector, fingerprint, int(data.labels.sum()), int((~data.labels).sum()))
    calibration, notes = choose_thresholds(fit(train, source, alpha=alpha, isotonic=isotonic), held_out)
    in_force = cross_validate(data, Bent.fit if isotonic else fit_best)
    return calibration, report(data, in_force, notes)


def fit(train: Labelled, source: Source, *, alpha: float, isotonic: bool) -> Calibration:
    """Weights from `train`, and no thresholds yet."""
    model = Bent.fit(train) if isotonic else Bent(fit_best(train))
    return Calibration(
        detector=source.detector,
        data=source.data,
        grounded=source.grounded,
        hallucinated=source.hallucinated,
        earlier=source.earlier,
        signals=_signals(train.names, model.logistic),
        intercept=model.logistic.intercept,
        prior=Prior(signal=PRIOR, strength=model.logistic.strength),
        isotonic=model.knots,
        alpha=alpha,
        confidence=risk.CONFIDENCE,
    )


def choose_thresholds(calibration: Calibration, held_out: Labelled) -> tuple[Calibration, tuple[str, ...]]:
    """The calibration with the thresholds that `held_out` bears out, an answer of each group counting, and which could not be had."""
    each, alpha = held_out.first_of_groups(), calibration.alpha
    p = apply_to(calibration, each)
    bounds = {"accept": risk.choose_accept(p, each.labels, alpha), "reject": risk.choose_reject(p, each.labels, alpha)}
    borne_out = {"accept": risk.smallest_accept_alpha, "reject": risk.smallest_reject_alpha}
    missing = {name: borne_out[name](p, each.labels) for name, bound in bounds.items() if bound is None}
    notes = tuple(_without_threshold(name, alpha, len(each.labels), smallest) for name, smallest in missing.items())
    return calibration.model_copy(update=bounds), notes


def apply_to(calibration: Calibration, data: Labelled) -> Floats:
    """Of each answer being grounded."""
    rows = ({name: None if np.isnan(value) else float(value) for name, value in zip(data.names, row, strict=True)} for row in data.scores)
    return np.array([calibration.apply(row) or 0.0 for row in rows])


def require_enough(data: Labelled, alpha: float) -> None:
    """Raise TooFewLabels when there are too few for weights, or for any threshold to keep `alpha`. Looks at labels and groups alone."""
    fewest = data.fewest() if data.labels.size else 0
    if fewest < FEWEST:
        raise TooFewLabels(
            f"too few labels: {int(data.labels.sum())} grounded and {int((~data.labels).sum())} hallucinated answers (those without scores "
            f"do not count), the rarer class in {fewest} independent groups; at least {FEWEST} groups of each are needed: label more"
        )
    groups = np.unique(data.groups).size
    held_out, needed = groups * HELD_OUT // FOLDS, risk.fewest_answers(alpha)
    if held_out < needed:
        raise TooFewLabels(
            f"too few labels for alpha {alpha:g}: {held_out} of {groups} independent groups choose the thresholds, and even without one "
            f"error {needed} would be needed: label {needed * FOLDS // HELD_OUT + 1} groups or more, or raise --alpha"
        )


def _signals(names: tuple[str, ...], model: Logistic) -> dict[str, Weighed]:
    return {
        name: Weighed(weight=float(weight), mean=float(mean))
        for name, weight, mean in zip(names, model.weights, model.means, strict=True)
        if weight > 0 or name == PRIOR  # every scored answer has it, and so a probability
    }


def report(data: Labelled, probabilities: Floats, notes: tuple[str, ...]) -> Report:
    """How good probabilities are that no label of `data` had a part in."""
    from worker.measurement.auroc import auroc  # noqa: PLC0415 - heavy

    return Report(
        auroc=auroc(probabilities, data.labels).auroc,
        auroc_uncalibrated=auroc(data.scores[:, data.names.index(PRIOR)], data.labels).auroc,
        brier=brier(probabilities, data.labels),
        brier_constant=brier(np.full(len(data.labels), data.labels.mean()), data.labels),
        reliability=bins(probabilities, data.labels),
        notes=notes,
    )


def _without_threshold(name: str, alpha: float, held_out: int, smallest: float | None) -> str:
    """`smallest`: the alpha that the same answers bear out."""
    none = f"not even --alpha {risk.ALPHAS[-1]:g} is borne out by them: label more answers"
    mend = none if smallest is None else f"the smallest that they bear out is --alpha {smallest:g}: raise it, or label more answers"
    return (
        f"warning: no threshold keeps alpha {alpha:g} on {held_out} held-out answers, so that a profile with this calibration will "
        f"{name.upper()} nothing; {mend}"
    )
