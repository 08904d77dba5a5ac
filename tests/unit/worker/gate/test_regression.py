"""Known cases after a change. Source: seed 000's published run, among others."""

from pathlib import Path

import pytest

from schemas import Verdict
from worker.errors import ConfigurationError
from worker.gate.regression import Case, compare, describe, read_baseline, write_baseline


def case(final: float | None, decision: Verdict = Verdict.ACCEPT) -> Case:
    return Case(decision=decision, final=final)


SEED = {
    "q_001": (case(0.694), case(0.137, Verdict.REJECT)),
    "q_002": (case(0.547), case(0.137, Verdict.REJECT)),
    "q_003": (case(0.534), case(0.124, Verdict.REJECT)),
}


def test_the_seeds_published_run_is_blocked_with_its_figures() -> None:
    found = compare({name: before for name, (before, _) in SEED.items()}, {name: after for name, (_, after) in SEED.items()})

    assert found.blocked
    assert found.mean_delta == pytest.approx(-0.4586, abs=5e-4)
    assert describe(found)[0] == "3 cases, mean delta -0.4590: 3 regressions, 0 cases missing: blocked"
    assert describe(found)[1] == "  regression   [q_001] 0.694 -> 0.137 (delta -0.557), ACCEPT -> REJECT"
    assert describe(found)[-1] == "ACCEPT 3 -> 0, REVIEW 0 -> 0, REJECT 0 -> 3"


@pytest.mark.parametrize(
    ("before", "after", "regressions", "improvements"),
    [
        (0.60, 0.56, 0, 0),
        (0.60, 0.54, 1, 0),
        (0.60, 0.66, 0, 1),
        (0.60, None, 1, 0),
        (None, 0.60, 0, 1),
        (None, None, 0, 0),
        (0.0, 0.0, 0, 0),
    ],
)
def test_a_score_that_changes_by_more_than_delta_is_better_or_worse(
    before: float | None, after: float | None, regressions: int, improvements: int
) -> None:
    found = compare({"a": case(before)}, {"a": case(after)})

    assert (len(found.regressions), len(found.improvements)) == (regressions, improvements)
    assert found.blocked is bool(regressions)


def test_the_worst_stand_first_what_went_before_what_fell() -> None:
    before = {name: case(0.9) for name in "abc"}

    found = compare(before, {"a": case(0.5), "b": case(None), "c": case(0.1)})

    assert [change.name for change in found.regressions] == ["b", "c", "a"]


def test_another_decision_with_the_same_score_is_listed_and_blocks_nothing() -> None:
    found = compare({"a": case(0.65)}, {"a": case(0.64, Verdict.REVIEW)})

    assert [change.name for change in found.decisions] == ["a"]
    assert not found.blocked


def test_a_case_that_is_not_decided_again_blocks_and_a_new_one_does_not() -> None:
    assert compare({"a": case(0.6), "b": case(0.6)}, {"a": case(0.6)}).missing == ("b",)
    assert compare({"a": case(0.6), "b": case(0.6)}, {"a": case(0.6)}).blocked
    assert compare({"a": case(0.6)}, {"a": case(0.6), "b": case(0.6)}).added == ("b",)
    assert not compare({"a": case(0.6)}, {"a": case(0.6), "b": case(0.6)}).blocked


def test_without_a_case_there_is_no_mean() -> None:
    assert compare({}, {}).mean_delta is None


def test_a_baseline_is_read_as_it_was_written_and_is_a_case_a_line(tmp_path: Path) -> None:
    cases = {'b "quoted"': case(None, Verdict.REVIEW), "a": case(0.125)}
    write_baseline(tmp_path / "b.json", cases)

    assert read_baseline(tmp_path / "b.json") == cases
    assert (tmp_path / "b.json").read_text().splitlines()[1] == '  "a": {"decision":"ACCEPT","final":0.125},'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[", "the file"),
        ('{"a": {"decision": "MAYBE", "final": 1}}', "a.decision"),
        ('{"a": {"decision": "ACCEPT"}}', "a.final is missing"),
    ],
)
def test_a_baseline_that_is_none_says_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "b.json").write_text(text)

    with pytest.raises(ConfigurationError, match=complaint):
        read_baseline(tmp_path / "b.json")
