"""Making a detector, and what it is known by."""

from pathlib import Path

import pytest

from detectors import Detector, Profile, load_detector, load_profile
from detectors.encoder import FALLBACK
from detectors.errors import DetectorError, ProfileError
from detectors.models import Models
from schemas import ScoreStatus
from tests.unit.detectors.factories import answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]


def _changed(profile: Profile, **changes: object) -> Profile:
    return Profile.model_validate(profile.model_dump() | changes)


def test_the_fingerprint_names_the_profile_and_covers_it(default: Detector, models: Models) -> None:
    assert default.fingerprint.startswith("default-")
    assert len(default.fingerprint) == len("default-") + 16
    assert load_detector(default.profile).fingerprint == default.fingerprint
    assert models.fingerprint(_changed(default.profile, low_confidence_below=0.36)) != default.fingerprint


def test_the_policy_is_part_of_the_fingerprint(default: Detector, models: Models) -> None:
    rules = default.profile.rules.model_dump()
    rules["rules"][-1]["reason"] = "No rule holds."
    assert models.fingerprint(_changed(default.profile, rules=rules)) != default.fingerprint


def test_the_fallback_serves_without_a_model_and_says_so(default: Detector, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fallback = load_detector(default.profile, encoder=str(tmp_path / "nowhere"))
    assert fallback.encoder == FALLBACK
    assert fallback.fingerprint != default.fingerprint
    assert "tfidf-fallback serves" in caplog.text
    backed, invented = fallback.assess([answer(), answer(response="Penguins juggle at midnight in Vellmar.")])
    assert backed.status is ScoreStatus.SCORED
    assert (backed.scores["final"] or 0) > (invented.scores["final"] or 0)


def test_one_answer_that_fails_is_one_error_without_its_text(default: Detector, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = default.assess([answer()])[0]
    secret = "Aubert"

    spell = models.encoder.spell

    def failing(texts: list[str], bounds: object) -> object:
        if any(secret in text for text in texts):
            raise RuntimeError(secret)
        return spell(texts, bounds)

    monkeypatch.setattr(models.encoder, "spell", failing)
    before, failed, after = default.assess([answer(), answer(response=f"{secret} built it."), answer()])
    assert (failed.status, failed.detail) == (ScoreStatus.ERROR, "RuntimeError")
    assert all(score is None for score in failed.scores.values())
    assert before == after == healthy


def test_an_unknown_kind_of_detector_is_named_with_the_known_ones(default: Detector) -> None:
    with pytest.raises(ProfileError, match=r"'oracle' is unknown; use one of seed, claims"):
        load_detector(_changed(default.profile, detector="oracle"))


def test_the_claims_detector_names_the_section_that_it_needs(default: Detector) -> None:
    with pytest.raises(ProfileError, match=r"default: claims: is missing; give it as configs/profiles/default\.yaml does"):
        load_detector(_changed(default.profile, claims=None))


def test_a_missing_spacy_pipeline_is_named(default: Detector) -> None:
    with pytest.raises(DetectorError, match="en_nowhere is not installed"):
        load_detector(_changed(default.profile, entities={"model": "en_nowhere"}))


def test_the_profiles_are_loaded_by_name() -> None:
    assert (load_profile("seed").name, load_profile("default").name) == ("seed", "default")


@pytest.mark.parametrize("hidden", ["\u200b" * 20_000, "Thank you. " * 2_000, "Its lamp reaches 24 nautical miles. " * 300])
def test_a_response_beyond_the_limits_says_that_it_was_cut(default: Detector, hidden: str) -> None:
    whole, cut = default.assess([answer(), answer(response=f"{hidden}The keeper is a penguin.")])
    assert (whole.response_cut, cut.response_cut) == (False, True)
