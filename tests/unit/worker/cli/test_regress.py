"""`groundwatch regress`: recorded once, checked after every change."""

import json
from pathlib import Path

import pytest

from worker.cli.app import run


def decisions(path: Path, **finals: float | None) -> str:
    """A file of decisions."""
    shared = {"dataset": "d", "decision": "ACCEPT", "response_sha256": "x"}
    path.write_text(
        "".join(json.dumps({**shared, "response_id": name, "scores": {"final": value}}) + "\n" for name, value in finals.items())
    )
    return str(path)


@pytest.fixture
def baseline(tmp_path: Path) -> str:
    recorded = str(tmp_path / "baseline.json")
    assert run(["regress", "record", decisions(tmp_path / "then.jsonl", a=0.7, b=0.2), "--baseline", recorded]) == 0
    return recorded


@pytest.mark.parametrize(
    ("now", "options", "code"),
    [({"a": 0.7, "b": 0.2}, [], 0), ({"a": 0.6, "b": 0.2}, [], 1), ({"a": 0.6, "b": 0.2}, ["--delta", "0.2"], 0), ({"a": 0.7}, [], 1)],
    ids=["the same", "one fell", "one fell less than is allowed", "one is missing"],
)
def test_the_exit_code_blocks_a_change(tmp_path: Path, baseline: str, now: dict[str, float], options: list[str], code: int) -> None:
    assert run(["regress", "check", decisions(tmp_path / "now.jsonl", **now), "--baseline", baseline, *options]) == code


def test_machines_read_what_fell(tmp_path: Path, baseline: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["regress", "check", decisions(tmp_path / "now.jsonl", a=0.1, b=0.2), "--baseline", baseline, "--json"])

    found = json.loads(capsys.readouterr().out)
    assert (found["blocked"], [one["case"] for one in found["regressions"]]) == (True, ["a"])


def test_a_baseline_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["regress", "check", decisions(tmp_path / "now.jsonl", a=0.1), "--baseline", str(tmp_path / "none.json")]) == 2
    assert "none.json does not exist" in capsys.readouterr().err
