"""Detectors, loaded once per test process: their models take seconds."""

from collections.abc import Callable
from functools import cache

import pytest

from detectors import Detector, load_detector, load_profile

LoadDetector = Callable[[str], Detector]


@cache
def _load(profile: str) -> Detector:
    return load_detector(load_profile(profile))


@pytest.fixture(scope="session")
def detector_of() -> LoadDetector:
    """The detector of a profile's name."""
    return _load


@pytest.fixture
def default() -> Detector:
    return _load("default")


@pytest.fixture
def seed() -> Detector:
    return _load("seed")
