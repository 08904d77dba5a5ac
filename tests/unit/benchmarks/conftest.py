"""Detectors without models."""

import pytest

from benchmarks import assessments
from detectors import Detector, Profile
from tests.unit.benchmarks.stub_detector import WordDetector


@pytest.fixture
def detectors(monkeypatch: pytest.MonkeyPatch) -> list[WordDetector]:
    """Every detector that is loaded, none with a model."""
    loaded: list[WordDetector] = []

    def load(profile: Profile, _: str | None = None) -> Detector:
        loaded.append(WordDetector(profile.name))
        return loaded[-1]

    monkeypatch.setattr(assessments, "load_detector", load)
    return loaded
