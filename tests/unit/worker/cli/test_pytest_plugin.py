"""The fixture for other people's tests: records, passes, and fails with a report."""

import json
from pathlib import Path

import pytest

from worker.cli.pytest_plugin import RegressionSuite

CONTEXT = "The battery of the lamp lasts nine hours on one charge."


def answers(said: str) -> list[dict[str, object]]:
    return [{"response_id": "battery", "question": "How long does it last?", "contexts": [CONTEXT], "response": said}]


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """Recorded with a grounded answer, by the seed's profile without an embedding model."""
    path = tmp_path / "baseline.json"
    RegressionSuite(record=True).check(answers("The battery lasts nine hours."), path, profile="seed")
    return path


@pytest.mark.models
def test_the_same_answers_pass(baseline: Path) -> None:
    assert RegressionSuite(record=False).check(answers("The battery lasts nine hours."), baseline, profile="seed").cases == 1


@pytest.mark.models
def test_an_answer_that_became_worse_fails_the_test_with_the_report(baseline: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"regression   \[battery\]"):
        RegressionSuite(record=False).check(answers("Penguins in Antarctica eat krill."), baseline, profile="seed")


@pytest.mark.models
def test_what_was_recorded_is_readable(baseline: Path) -> None:
    assert json.loads(baseline.read_text())["battery"]["final"] > 0.3
