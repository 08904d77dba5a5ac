"""Each signal's worth, measured by leaving it out."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import assessments
from benchmarks.ablation import finals, row, variants
from benchmarks.assessments import Assessor, Said
from benchmarks.quality import SETS
from detectors import Answer, load_profile
from detectors.models import Models
from worker.measurement.grouped import Figure

WEIGHTS = {"support": {"coverage": 1.0, "alignment": 1.0}, "contradiction": {"polarity": 0.5, "alignment": 0.5}, "weakest": 0.5}
WEIGH_ALL = load_profile("default").claims
WEIGH = WEIGH_ALL.model_copy(update=WEIGHTS)
VALUES = {"coverage": 1.0, "alignment": 0.5, "polarity": 0.0}


def test_a_signal_is_left_out_wherever_it_counts() -> None:
    found = variants(WEIGH)

    assert list(found) == ["(nothing)", "coverage", "alignment", "polarity", "all contradictions", "the weakest claim"]
    assert found["alignment"].names == ("coverage", "polarity")
    assert found["all contradictions"].names == ("coverage", "alignment")
    assert found["the weakest claim"].weakest == 0


@pytest.mark.parametrize(
    ("without", "expected"),
    [
        ("(nothing)", 0.75 * 0.5 * 0.75),
        ("coverage", 0.5 * 0.5 * 0.75),
        ("alignment", 1.0 * 0.5),
        ("polarity", 0.75 * 0.75),
        ("all contradictions", 0.75),
    ],
)
def test_the_claims_are_weighed_anew(without: str, expected: float) -> None:
    weigh = variants(WEIGH)[without]
    assert finals([[Said(1.0, VALUES)], None], weigh) == pytest.approx([expected, np.nan], nan_ok=True)


def test_a_pair_is_right_when_the_grounded_answer_is_strictly_higher_and_has_a_score() -> None:
    figures = {name: Figure(0.5, 0.4, 0.6, 10, 0.01) for name in SETS}
    assert row(figures, np.array([0.5, 0.4, 0.5, 0.5, np.nan, 0.1, 0.2, np.nan]))["pairs"] == 0.5


@pytest.mark.models
@pytest.mark.timeout(300)
def test_what_is_weighed_anew_is_what_the_detector_weighs(tmp_path: Path, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assessments.Models, "load", lambda *_: models)
    refusal = Answer(response="I don't know.", contexts=("The mill burned down in 1902.",))
    claim = Answer(response="The mill burned down in 1903. It was rebuilt.", contexts=refusal.contexts)
    answers = [refusal, claim, refusal, claim.model_copy(update={"contexts": ("Bread is baked at dawn.",)})]
    assessor = Assessor("default", tmp_path)

    weighed = finals(assessor.claims(answers), WEIGH_ALL)

    expected = np.array([one.scores["final"] for one in assessor.assess(answers)], float)
    assert weighed == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert finals(Assessor("default", tmp_path).claims(answers), WEIGH_ALL) == pytest.approx(weighed, abs=1e-12, nan_ok=True)
