"""What each step of shedding costs and saves."""

from pathlib import Path

import numpy as np

from benchmarks.assessments import Assessor
from benchmarks.quality import Set
from benchmarks.shedding import measure_step, shares
from detectors import Answer
from tests.unit.benchmarks.stub_detector import WordDetector

SETS = {
    name: Set(
        (Answer(response=response, contexts=(f"lamp {name} {at}",)), response == "lamp") for at in range(4) for response in ("lamp", "gull")
    )
    for name in ("one", "other")
}


def test_a_step_has_its_figures_by_set_and_its_time(detectors: list[WordDetector]) -> None:
    timed = [Answer(response="lamp", contexts=("lamp",))] * 20
    step = measure_step(SETS, timed, Assessor("default", shed=1), 1)
    assert [figure.auroc for figure in step.figures.values()] == [1.0, 1.0]
    assert step.milliseconds > 0
    assert detectors[0].batches[-2:] == [16, 4]


def test_shares_beyond_thresholds_are_of_either_label_without_absent_scores() -> None:
    labels = SETS["one"].labels
    finals = {"one": np.where(labels, 0.9, 0.3), "other": np.where(labels, 0.72, np.nan)}
    below, below_more, accepted, accepted_surely = np.array(shares(finals, SETS)).reshape(-1, 2).tolist()
    assert below == ["0.0%", "0.0%"]
    assert below_more == ["100.0%", "0.0%"]
    assert accepted == ["0.0%", "100.0%"]
    assert accepted_surely == ["0.0%", "50.0%"]


def test_what_was_scored_without_a_model_is_kept_apart(tmp_path: Path, detectors: list[WordDetector]) -> None:
    answers = SETS["one"].answers[:2]
    for shed in (0, 1):
        Assessor("default", tmp_path, shed=shed).assess(answers)
    assert len(list(tmp_path.iterdir())) == len(detectors) == 2
