"""One claim, one signal: the detector is loaded once for all of them."""

from collections.abc import Callable

import pytest

from tests.unit.detectors.conftest import LoadDetector
from tests.unit.detectors.factories import answer

Measure = Callable[..., float | None]


@pytest.fixture(scope="session")
def measure(detector_of: LoadDetector) -> Measure:
    """A signal's value for a response of one claim and its contexts."""
    detector = detector_of("default")

    def measure(signal: str, claim: str, *contexts: str, question: str | None = None) -> float | None:
        [assessment] = detector.assess([answer(question=question, response=claim, contexts=contexts)])
        return assessment.scores[signal]

    return measure
