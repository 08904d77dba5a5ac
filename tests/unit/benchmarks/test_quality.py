"""Every detector's figure on every set, as a table, JSON and a picture."""

import json
import random
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks import quality
from tests.unit.benchmarks.stub_detector import WordDetector

runner = CliRunner()
app = typer.Typer()
app.command()(quality.main)


def write_sets(directory: Path, rows: int = 120) -> Path:
    """Two sets in which grounded answers share more words with their context, most of the time."""
    draw = random.Random(5)
    header = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\n"
    (directory / "begin").mkdir()
    for name in ("wow", "tc", "cmu"):
        lines = []
        for number in range(rows):
            grounded = draw.random() < 0.5
            said = [f"w{k}" if draw.random() < (0.7 if grounded else 0.4) else f"x{k}" for k in range(10)]
            label = "Fully attributable" if grounded else "Not fully attributable"
            lines.append(f"t5\t{name}\tn{number} {' '.join(f'w{k}' for k in range(10))}\tq{number}\t{' '.join(said)}\t{label}\n")
        (directory / "begin" / f"begin_dev_{name}.tsv").write_text(header + "".join(lines))
    return directory


def test_figures_are_printed_written_and_drawn(tmp_path: Path, detectors: list[WordDetector]) -> None:
    pytest.importorskip("matplotlib")
    data, out, plot, cache = write_sets(tmp_path), tmp_path / "q.json", tmp_path / "q.png", tmp_path / "cache"
    command = [
        "--data",
        str(data),
        "--sets",
        "begin_wow,begin_tc,begin_cmu",
        "--cache",
        str(cache),
        "--json",
        str(out),
        "--plot",
        str(plot),
    ]

    ran = runner.invoke(app, command)

    assert ran.exit_code == 0, ran.output
    written = json.loads(out.read_bytes())
    assert list(written["sets"]) == ["begin_wow", "begin_tc", "begin_cmu"]
    for by_detector in (*written["sets"].values(), written["mean"]):
        assert list(by_detector) == list(quality.DETECTORS)
        for figure in by_detector.values():
            assert set(figure) == {"auroc", "low", "high", "n"}
            assert 0.6 < figure["low"] < figure["auroc"] < figure["high"] <= 1
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_a_limit_takes_answers_evenly_over_the_set(tmp_path: Path) -> None:
    everything = quality.read("begin_wow", write_sets(tmp_path))

    part = quality.read("begin_wow", tmp_path, 30)

    assert len(part.answers) == 30
    assert part.answers == everything.answers[::4]


def test_too_few_answers_have_no_calibrated_figure(tmp_path: Path, detectors: list[WordDetector]) -> None:
    ran = runner.invoke(app, ["--data", str(write_sets(tmp_path, 20)), "--sets", "begin_wow", "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 0, ran.output
    assert "–" in ran.stdout
    assert re.search(
        r"begin_wow: no figure for calibrated in-domain: the rarer label is that of \d+ groups of answers, and it takes 25", ran.stderr
    )
    assert "begin_wow: no figure for calibrated left-out: it takes two other sets with scored answers, and there is none" in ran.stderr
    assert "no mean for calibrated left-out: begin_wow has none" in ran.stderr
    assert "seed 003" not in ran.stderr


def test_a_set_with_one_label_alone_has_no_figure_and_the_notes_say_so(tmp_path: Path, detectors: list[WordDetector]) -> None:
    file = write_sets(tmp_path) / "begin" / "begin_dev_wow.tsv"
    file.write_text(file.read_text().replace("Not fully attributable", "Fully attributable"))

    ran = runner.invoke(app, ["--data", str(tmp_path), "--sets", "begin_wow,begin_tc,begin_cmu", "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 0, ran.output
    assert "begin_wow: no figure for seed 003: of its answers with that score none is grounded or none hallucinated" in ran.stderr
    assert (
        "begin_wow: no figure for calibrated in-domain: 120 grounded and 0 hallucinated answers are scored, and it takes both" in ran.stderr
    )
    assert "begin_tc: no figure" not in ran.stderr


def test_every_figure_that_is_there_needs_no_note(tmp_path: Path, detectors: list[WordDetector]) -> None:
    command = ["--data", str(write_sets(tmp_path)), "--sets", "begin_wow,begin_tc,begin_cmu", "--cache", str(tmp_path / "cache")]

    assert "no figure" not in runner.invoke(app, command).stderr


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    ran = runner.invoke(app, ["--data", str(tmp_path), "--sets", "wice"])

    assert ran.exit_code == 2
    assert "wice" in ran.output
