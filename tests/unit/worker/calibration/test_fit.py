"""From labels to a calibration: the report tells what it is worth, too few labels are refused."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from detectors.calibration import read_calibration
from tests.unit.worker.calibration.factories import labelled
from worker.calibration.fit import Report, calibrate
from worker.calibration.labelled import Labelled
from worker.calibration.reliability import bins, brier, draw
from worker.errors import TooFewLabels

WHERE = {"detector": "default-0", "fingerprint": "0" * 16}


@pytest.mark.parametrize("isotonic", [False, True])
def test_a_calibration_is_better_than_a_constant_and_has_both_thresholds(isotonic: bool) -> None:
    data = labelled(800)

    calibration, report = calibrate(data, alpha=0.1, isotonic=isotonic, **WHERE)

    assert report.brier < 0.5 * report.brier_constant
    assert report.auroc is not None
    assert report.auroc_uncalibrated is not None
    assert report.auroc > report.auroc_uncalibrated
    assert calibration.accept is not None
    assert calibration.reject is not None
    assert calibration.accept.limit <= 0.1
    assert bool(calibration.isotonic) is isotonic
    high, low = calibration.apply({"final": 3.0, "support": 3.0}), calibration.apply({"final": -2.0, "support": -2.0})
    assert high is not None
    assert low is not None
    assert low < 0.1 < 0.9 < high


@pytest.mark.parametrize(("separation", "alpha"), [(2.0, 0.1), (2.0, 0.3), (9.0, 0.1), (0.0, 0.5)])
def test_what_is_written_is_read(separation: float, alpha: float, tmp_path: Path) -> None:
    calibration, _ = calibrate(labelled(800, separation=separation), alpha=alpha, **WHERE)
    (tmp_path / "c.json").write_text(calibration.model_dump_json())

    assert read_calibration(tmp_path / "c.json") == calibration


def test_a_score_that_is_all_but_constant_gets_no_weight_of_millions() -> None:
    data = labelled(400)
    nearly = np.where(np.arange(400) == np.flatnonzero(data.labels)[0], 1.0, 0.999999)
    data = replace(data, names=(*data.names, "steady"), scores=np.column_stack([data.scores, nearly]))

    calibration, _ = calibrate(data, alpha=0.1, **WHERE)

    assert max(part.weight for part in calibration.signals.values()) < 100


def test_the_same_labels_give_the_same_file() -> None:
    first, second = (calibrate(labelled(400), alpha=0.1, **WHERE)[0].model_dump_json() for _ in range(2))

    assert first == second


@pytest.mark.parametrize(
    ("data", "alpha", "message"),
    [
        (labelled(60), 0.1, "at least 50 groups of each"),
        (labelled(600, per_group=20), 0.1, "in [0-9]+ independent groups"),
        (labelled(200), 0.01, "too few labels for alpha 0.01: .*597 would be needed"),
        (Labelled((), np.empty((0, 0)), np.empty(0, dtype=bool), np.empty(0, dtype=np.intp)), 0.1, "0 grounded and 0 hallucinated"),
    ],
)
def test_too_few_labels_are_refused_and_the_message_says_how_many_are_needed(data: Labelled, alpha: float, message: str) -> None:
    with pytest.raises(TooFewLabels, match=message):
        calibrate(data, alpha=alpha, **WHERE)


def test_a_risk_that_no_threshold_keeps_leaves_it_out_and_names_the_smallest_that_one_keeps() -> None:
    data = labelled(800, separation=0.8)

    calibration, report = calibrate(data, alpha=0.05, **WHERE)

    assert (calibration.accept, calibration.reject) == (None, None)
    accept, reject = report.notes
    assert "ACCEPT nothing" in accept
    assert "REJECT nothing" in reject
    smallest = float(re.findall(r"the smallest that they bear out is --alpha ([0-9.]+):", accept)[0])
    assert calibrate(data, alpha=smallest, **WHERE)[0].accept is not None
    assert calibrate(data, alpha=smallest - 0.01, **WHERE)[0].accept is None


def test_where_no_risk_up_to_half_is_kept_the_note_says_that() -> None:
    rarely = labelled(800, separation=0.0)
    rarely = replace(rarely, labels=np.arange(800) % 5 == 0)

    _, report = calibrate(rarely, alpha=0.05, **WHERE)

    assert "ACCEPT nothing; not even --alpha 0.5 is borne out by them: label more answers" in report.notes[0]


def test_the_report_is_of_the_probabilities_in_force() -> None:
    """Where the truth is no logistic function of the score, bending the probabilities mends them, and the report shows it."""
    draw = np.random.default_rng(4)
    final = draw.random(1500)
    data = Labelled(("final",), final[:, None], draw.random(1500) < np.where(final > 0.5, 0.6, 0.1), np.arange(1500))

    (plain_file, plain), (bent_file, bent) = (calibrate(data, alpha=0.3, isotonic=isotonic, **WHERE) for isotonic in (False, True))

    assert bent.reliability != plain.reliability
    assert bent.brier < plain.brier - 0.003
    assert bent_file.apply({"final": 0.45}) != plain_file.apply({"final": 0.45})


def test_isotonic_figures_are_cross_validated() -> None:
    """Knots that had seen the labels they are measured on would find a pattern in noise."""
    _, report = calibrate(labelled(400, separation=0.0), alpha=0.1, isotonic=True, **WHERE)

    assert report.auroc is not None
    assert report.auroc < 0.62
    assert report.brier > report.brier_constant - 0.005


def test_reliability_in_bins_of_equal_size() -> None:
    p = np.arange(100) / 100
    table = bins(p, p >= 0.5)

    assert [one.answers for one in table] == [10] * 10
    assert [one.grounded for one in table] == [0.0] * 5 + [1.0] * 5
    assert table[0].predicted == pytest.approx(0.045)
    assert brier(np.array([1.0, 0.5]), np.array([True, True])) == 0.125


def test_the_diagram_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report: Report = calibrate(labelled(400), alpha=0.1, **WHERE)[1]

    draw(report.reliability, tmp_path / "reliability.png")

    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")
