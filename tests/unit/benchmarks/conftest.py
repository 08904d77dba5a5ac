"""Detectors without models."""

from collections.abc import Sequence

import pytest

from benchmarks import assessments
from detectors import Detector, Profile
from tests.unit.benchmarks.stub_detector import WordDetector


@pytest.fixture
def detectors(monkeypatch: pytest.MonkeyPatch) -> list[WordDetector]:
    """Every detector that is loaded, none with a model."""
    loaded: list[WordDetector] = []

    def load(profile: Profile, _: str | None) -> tuple[Detector, list[Sequence[assessments.Said]]]:
        loaded.append(WordDetector(profile.name))
        return loaded[-1], []

    monkeypatch.setattr(assessments, "load", load)
    return loaded
