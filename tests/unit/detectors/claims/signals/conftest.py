"""One claim, one signal: the detector is loaded once for all of them."""

from collections.abc import Callable

import pytest

from detectors import Detector
from tests.unit.detectors.factories import answer

Measure = Callable[..., float | None]


@pytest.fixture(scope="session")
def measure(default: Detector) -> Measure:
    """A signal's value for a response of one claim and its contexts."""

    def measure(signal: str, claim: str, *contexts: str, question: str | None = None) -> float | None:
        [assessment] = default.assess([answer(question=question, response=claim, contexts=contexts)])
        return assessment.scores[signal]

    return measure
