"""Detectors on models that are loaded once per test process: they take seconds."""

import pytest

from detectors import Detector, load_profile
from detectors.detector import make_detector
from detectors.models import Models


@pytest.fixture(scope="session")
def models() -> Models:
    """What the shipped profiles ask for: they agree but in the overlap of windows, of which the seeds have none."""
    default, seed = load_profile("default"), load_profile("seed")
    assert default.encoding == seed.encoding.model_copy(update={"overlap": default.encoding.overlap})
    assert (default.entities, default.frequency) == (seed.entities, seed.frequency)
    return Models.load(default)


@pytest.fixture(scope="session")
def default(models: Models) -> Detector:
    return make_detector(load_profile("default"), models)


@pytest.fixture(scope="session")
def seed(models: Models) -> Detector:
    return make_detector(load_profile("seed"), models)
