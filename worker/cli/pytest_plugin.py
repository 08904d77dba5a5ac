"""The regression suite for pytest: a test's answers are judged and held against a recorded baseline.

    def test_quality(groundwatch_regression):
        groundwatch_regression.check(my_pipeline_answers(), "tests/baseline.json")

`pytest --groundwatch-record` writes the baselines instead of checking them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from worker.cli.scoring import Judge
    from worker.gate.regression import Case, Regressions


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("groundwatch").addoption(
        "--groundwatch-record", action="store_true", help="Write the baselines of groundwatch_regression instead of checking them."
    )


@pytest.fixture(scope="session")
def groundwatch_regression(request: pytest.FixtureRequest) -> RegressionSuite:
    """A RegressionSuite."""
    return RegressionSuite(record=request.config.getoption("--groundwatch-record"))


class RegressionSuite:
    """Judges answers and compares them with a baseline; with `record` it writes the baseline."""

    def __init__(self, *, record: bool) -> None:
        self._record = record

    def check(
        self, answers: Iterable[Mapping[str, Any]], baseline: str | Path, *, profile: str = "default", delta: float = 0.05
    ) -> Regressions:
        """The comparison of `answers`, each with the fields of a response event, with the file `baseline`.

        Fails the test, with the report as its message, when a score fell by more than `delta`, went away, or a case is missing.
        """
        from worker.gate.regression import compare, describe, read_baseline, write_baseline

        now = _decided(answers, profile)
        if self._record:
            write_baseline(Path(baseline), now)
        found = compare(read_baseline(Path(baseline)), now, delta)
        if found.blocked:
            pytest.fail("\n".join(describe(found)), pytrace=False)
        return found


def _decided(answers: Iterable[Mapping[str, Any]], profile: str) -> dict[str, Case]:
    import orjson

    from schemas import Limits, decode_response
    from worker.cli.lines import Reject
    from worker.cli.repeats import Duplicate
    from worker.gate.regression import Case

    events = [decode_response(orjson.dumps(dict(answer)), (), Limits()) for answer in answers]
    cases = {}
    for result in _judge(profile)(events):
        assert not isinstance(result, Reject | Duplicate), "every event is judged"
        decision = result[1]
        cases[decision.response_id] = Case(decision=decision.decision, final=decision.scores.get("final"))
    return cases


@cache
def _judge(profile: str) -> Judge:
    """Its models are loaded once a session."""
    from worker.cli.scoring import Judge
    from worker.settings import Scorer

    return Judge(Scorer(profile=profile))
