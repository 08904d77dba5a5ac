"""A detector with a calibration gives the probability as a score, and serves none but its own calibration."""

import pytest

from detectors import Detector, Profile, load_detector
from detectors.errors import ProfileError
from schemas import ScoreStatus
from tests.unit.detectors.factories import answer
from tests.unit.detectors.test_calibration import calibration

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


def calibrated(profile: Profile, **overrides: object) -> Profile:
    return profile.model_copy(update={"calibration": calibration(**overrides)})


def test_every_answer_carries_the_probability_of_its_scores(default: Detector) -> None:
    profile = calibrated(default.profile, detector=default.fingerprint)
    detector = load_detector(profile)

    backed, invented, bare = detector.assess([answer(), answer(response="Penguins juggle at midnight in Vellmar."), answer(contexts=())])

    assert profile.calibration is not None
    for scored in (backed, invented):
        assert scored.scores["probability"] == profile.calibration.apply(scored.scores)
    assert (backed.scores["probability"] or 0) > (invented.scores["probability"] or 0)
    assert (bare.status, bare.scores["probability"]) == (ScoreStatus.NO_CONTEXT, None)
    assert "probability" not in default.assess([answer()])[0].scores


def test_the_fingerprint_changes_with_the_calibration(default: Detector) -> None:
    profiles = [calibrated(default.profile, detector=default.fingerprint, intercept=intercept) for intercept in (0.0, 0.0, 0.1)]
    first, again, other = (load_detector(profile).fingerprint for profile in profiles)
    assert first == again
    assert len({first, other, default.fingerprint}) == 3


def test_another_detectors_calibration_is_refused_with_both_names(default: Detector) -> None:
    with pytest.raises(ProfileError, match=rf"made for the detector default-0123456789abcdef, but .* is {default.fingerprint} .*calibrate"):
        load_detector(calibrated(default.profile))
