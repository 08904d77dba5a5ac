"""`groundwatch calibrate`: labelled files in, readable JSON out, too few labels refused."""

import json
import random
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from detectors.calibration import read_calibration
from schemas import Limits
from tests.unit.benchmarks.stub_detector import WordDetector
from worker.cli import labelled
from worker.cli.app import create_app
from worker.cli.options import WrongUse
from worker.errors import GroundwatchError, TooFewLabels

FERRY = "The ferry to the island leaves at nine from pier"


@pytest.fixture(autouse=True)
def detector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled, "load_detector", lambda profile, _, device: WordDetector(profile.name))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(create_app(), ["calibrate", *map(str, arguments)])


def write(file: Path, rows: Sequence[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def answers(count: int) -> list[dict[str, Any]]:
    draw = random.Random(2)
    rows = []
    for number in range(count):
        grounded = draw.random() < 0.5
        words = [word if draw.random() < (0.9 if grounded else 0.3) else "no" for word in f"{FERRY} {number}.".split()]
        rows.append({"response_id": f"a{number}", "contexts": [f"{FERRY} {number}."], "response": " ".join(words), "label": int(grounded)})
    return rows


def test_weights_and_thresholds_are_written_as_json(tmp_path: Path) -> None:
    out, plot = tmp_path / "c.json", tmp_path / "r.png"

    ran = run(write(tmp_path / "labelled.jsonl", answers(400)), "--out", out, "--alpha", "0.1", "--plot", plot)

    assert ran.exit_code == 0, ran.output
    assert "Brier score" in ran.output
    calibration = read_calibration(out)
    assert calibration.detector == "default-0123456789abcdef"
    assert calibration.grounded + calibration.hallucinated == 400
    assert calibration.accept is not None
    assert (calibration.apply({"final": 1.0}) or 0) > (calibration.apply({"final": 0.2}) or 0)
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_a_profile_may_name_the_file_that_is_yet_to_be_written(tmp_path: Path) -> None:
    profile, out = tmp_path / "mine.yaml", tmp_path / "c.json"
    profile.write_text(
        f"{(files('configs') / 'profiles/default.yaml').read_text(encoding='utf-8')}\ncalibration: {out}\n", encoding="utf-8"
    )

    ran = run(write(tmp_path / "l.jsonl", answers(400)), "--out", out, "--alpha", "0.1", "--profile", profile)

    assert ran.exit_code == 0, ran.output
    assert out.exists()


def test_json_report(tmp_path: Path) -> None:
    rows = [*answers(400), {"response_id": "bare", "contexts": [], "response": "Nine.", "label": 0}]

    ran = run(write(tmp_path / "l.jsonl", rows), "--out", tmp_path / "c.json", "--alpha", "0.1", "--json")

    report = json.loads(ran.stdout)
    assert report["unscored"] == 1
    assert sum(one["answers"] for one in report["reliability"]) == 400
    assert report["calibration"]["alpha"] == 0.1


@pytest.mark.parametrize(("count", "alpha", "message"), [(40, "0.1", "at least 50 groups"), (200, "0.01", "597 would be needed")])
def test_too_few_labels_are_refused_before_the_models_load(
    count: int, alpha: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled, "load_detector", lambda *_, **__: pytest.fail("the models were loaded"))

    ran = run(write(tmp_path / "l.jsonl", answers(count)), "--out", tmp_path / "c.json", "--alpha", alpha)

    assert isinstance(ran.exception, TooFewLabels)
    assert message in str(ran.exception)
    assert not (tmp_path / "c.json").exists()


def test_too_few_labels_with_scores_write_nothing(tmp_path: Path) -> None:
    bare = [row | {"contexts": []} for row in answers(400)]

    ran = run(write(tmp_path / "l.jsonl", bare), "--out", tmp_path / "c.json", "--alpha", "0.1")

    assert isinstance(ran.exception, TooFewLabels)
    assert "0 grounded and 0 hallucinated" in str(ran.exception)
    assert not (tmp_path / "c.json").exists()


def test_no_labels_at_all_say_how_to_give_some(tmp_path: Path) -> None:
    ran = run("--out", tmp_path / "c.json")

    assert "there is no labelled answer" in str(ran.exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["answers.jsonl", "--from-store"], "--from-store takes the labelled answers of the store"),
        (["--from-store", "--dataset", "felm", "."], "--from-store takes the labelled answers of the store"),
        (["answers.jsonl", "--days", "7"], "add --from-store"),
        (["--segment", "travel/m-1"], "add --from-store"),
    ],
)
def test_labels_come_from_files_or_from_the_store(arguments: list[str], message: str, tmp_path: Path) -> None:
    ran = run(*arguments, "--out", tmp_path / "c.json")

    assert isinstance(ran.exception, WrongUse)
    assert message in str(ran.exception)


def test_a_set_for_measuring_only_is_refused(tmp_path: Path) -> None:
    ran = run("--out", tmp_path / "c.json", "--dataset", "felm", tmp_path)

    assert "licence" in str(ran.exception)


def test_label_events_of_another_file_name_their_answers(tmp_path: Path) -> None:
    plain = [{key: value for key, value in row.items() if key != "label"} for row in answers(3)]
    events = [{"response_id": "a0", "label": 1}, {"response_id": "a1", "label": 0}, {"response_id": "gone", "label": 1}]

    pairs = labelled.read_labelled([write(tmp_path / "a.jsonl", plain), write(tmp_path / "b.jsonl", events)], Limits())

    assert [label for _, label in pairs] == [True, False]


def test_answers_without_an_id_of_several_files_stay_apart(tmp_path: Path) -> None:
    row = {"contexts": ["A."], "response": "A.", "label": 1}

    pairs = labelled.read_labelled([write(tmp_path / "a.jsonl", [row]), write(tmp_path / "b.jsonl", [row | {"label": 0}])], Limits())

    assert [label for _, label in pairs] == [True, False]


def test_another_answer_under_the_same_id_is_refused_and_the_same_one_counts_once(tmp_path: Path) -> None:
    row = {"response_id": "r", "contexts": ["A."], "response": "A.", "label": 1}

    assert len(labelled.read_labelled([write(tmp_path / "same.jsonl", [row, row])], Limits())) == 1
    with pytest.raises(GroundwatchError, match=r"l\.jsonl, line 2: response_id stands for another answer already"):
        labelled.read_labelled([write(tmp_path / "l.jsonl", [row, row | {"response": "B.", "label": 0}])], Limits())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"contexts": ["A."], "response": "A.", "label": 2}, r"l\.jsonl, line 1: label must be the integer 1"),
        ({"contexts": ["A."], "response": "A.", "label": True}, "must be the integer 1"),
        ({"contexts": ["A."], "response": 7, "label": 1}, "line 1: response"),
        ({"label": 1}, "line 1: response_id is missing"),
    ],
)
def test_a_wrong_line_is_named(row: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(GroundwatchError, match=message):
        labelled.read_labelled([write(tmp_path / "l.jsonl", [row])], Limits())
