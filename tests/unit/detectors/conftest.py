"""Detectors on models that are loaded once per test process: they take seconds."""

import pytest

from detectors import Detector, load_profile
from detectors.detector import make_detector
from detectors.models import Models


@pytest.fixture(scope="session")
def models() -> Models:
    """What the shipped profiles, which agree on them, ask for."""
    default, seed = load_profile("default"), load_profile("seed")
    assert (default.encoding, default.entities, default.frequency) == (seed.encoding, seed.entities, seed.frequency)
    return Models.load(default)


@pytest.fixture(scope="session")
def default(models: Models) -> Detector:
    return make_detector(load_profile("default"), models)


@pytest.fixture(scope="session")
def seed(models: Models) -> Detector:
    return make_detector(load_profile("seed"), models)
