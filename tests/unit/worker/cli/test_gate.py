"""`groundwatch gate` on files: exit codes that tell worse from unknown, and errors that name the line."""

import json
from pathlib import Path

import pytest

from tests.unit.worker.gate.factories import answers
from worker.cli.app import run

LENIENT = ["--set", "gate.datasets=0", "--set", "gate.minimum=0.6"]


def decisions(path: Path, gap: float, *, rows: int = 200, dataset: str = "d", sha: str = "a", labelled: bool = False) -> str:
    """A file of decisions."""
    lines = []
    for name, one in answers(rows, gap=gap, sha=sha).items():
        line = {
            "response_id": name,
            "dataset": dataset,
            "decision": "ACCEPT",
            "response_sha256": one.response_sha256,
            "scores": {"final": one.score},
        }
        lines.append(json.dumps(line | ({"label": int(one.grounded)} if labelled else {})))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def labels(path: Path, rows: int = 200) -> str:
    """A file of label events for them."""
    path.write_text("".join(json.dumps({"response_id": f"r-{i}", "label": i % 2}) + "\n" for i in range(rows)))
    return str(path)


@pytest.mark.parametrize(("gap", "rows", "code"), [(2.0, 200, 0), (0.8, 200, 1), (2.0, 40, 3)], ids=["ok", "worse", "too few labels"])
def test_the_exit_code_tells_ok_from_worse_from_unknown(tmp_path: Path, gap: float, rows: int, code: int) -> None:
    baseline, candidate = decisions(tmp_path / "b.jsonl", 2.0, rows=rows), decisions(tmp_path / "c.jsonl", gap, rows=rows)

    assert run(["gate", baseline, candidate, "--labels", labels(tmp_path / "l.jsonl", rows), *LENIENT]) == code


def test_a_lines_own_label_needs_no_file_of_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [decisions(tmp_path / f"{sha}.jsonl", 2.0, sha=sha, labelled=True) for sha in "ab"]

    assert run(["gate", *sides, "--json", *LENIENT]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["datasets"]["d"]["paired"] is False


def test_junit_and_markdown_are_written_whatever_the_outcome(tmp_path: Path) -> None:
    baseline, candidate = (decisions(tmp_path / f"{gap}.jsonl", gap, labelled=True) for gap in (2.0, 0.5))
    files = ["--junit", str(tmp_path / "gate.xml"), "--markdown", str(tmp_path / "gate.md")]

    assert run(["gate", baseline, candidate, *files, *LENIENT]) == 1
    assert "<failure" in (tmp_path / "gate.xml").read_text()
    assert "❌" in (tmp_path / "gate.md").read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 1: the line"),
        ('{"response_id": "a"}', "line 1: dataset is missing"),
        (
            '{"response_id": "a", "dataset": "d", "decision": "REVIEW", "response_sha256": "x", "scores": {"final": "NaN"}}',
            "line 1: scores.final",
        ),
        (
            '{"response_id": "a", "dataset": "d", "decision": "REVIEW", "response_sha256": "x", "scores": {}, "label": true}',
            "line 1: label",
        ),
    ],
)
def test_a_line_that_is_no_decision_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, complaint: str) -> None:
    wrong, right = tmp_path / "wrong.jsonl", decisions(tmp_path / "right.jsonl", 2.0, labelled=True)
    wrong.write_text(line + "\n")

    assert run(["gate", str(wrong), right]) == 1
    assert complaint in capsys.readouterr().err


def test_one_label_for_two_answers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [decisions(tmp_path / f"{sha}.jsonl", 2.0, sha=sha) for sha in "ab"]

    assert run(["gate", *sides, "--labels", labels(tmp_path / "l.jsonl"), *LENIENT]) == 2
    assert "r-0 (d) stands for two answers" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gate", str(tmp_path / "none"), str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err
