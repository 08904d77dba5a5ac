"""A profile of the user's own, by path: with a cross-encoder, and with a calibration made from labels."""

import json
import random
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from tests.acceptance.command import assert_one_line, groundwatch
from tests.unit.detectors.tiny_cross_encoder import write as write_cross_encoder

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

PLACES = ("Balmoor", "Sund", "Kestrel Bay", "Orvane", "Tarnholm", "Vellmar")
SUPPORT = {"coverage": 1.0, "entailment": 1.0}
TRADES = ("mill", "bakery", "lighthouse", "ropewalk", "library", "smithy", "tannery")


def labelled(count: int) -> list[dict]:
    """Answers to contexts of their own, every other one invented."""
    draw = random.Random(3)
    rows = []
    for number in range(count):
        place, other = draw.sample(PLACES, 2)
        trade, wrong = draw.sample(TRADES, 2)
        context = f"The {trade} of {place} was opened in {1700 + number} and employs {number + 3} people."
        true, false = (
            f"The {trade} of {place} was opened in {1700 + number}.",
            f"Pilgrims admire {number} golden gates at the {wrong} of {other}.",
        )
        rows.append({"response_id": f"a{number}", "contexts": [context], "response": (true, false)[number % 2], "label": 1 - number % 2})
    return rows


def write_rows(file: Path, rows: list[dict]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def write_profile(file: Path, support: dict[str, float] | None = None, **changes: object) -> Path:
    profile = yaml.safe_load((files("configs") / "profiles/default.yaml").read_text(encoding="utf-8"))
    profile["claims"] |= {"support": support, "contradiction": {}} if support else {}
    file.write_text(yaml.safe_dump(profile | {"name": "mine"} | changes), encoding="utf-8")
    return file


def test_a_cross_encoder_is_a_signal_among_the_others(tmp_path: Path) -> None:
    model = write_cross_encoder(tmp_path / "model")
    profile = write_profile(tmp_path / "mine.yaml", support=SUPPORT, entailment={"model": str(model)})

    ran = groundwatch("score", write_rows(tmp_path / "in.jsonl", labelled(2)), "--profile", profile, timeout=120)

    assert ran.code == 0, ran.err
    decisions = [json.loads(line) for line in ran.out.splitlines()]
    assert all(0 <= decision["scores"]["entailment"] <= 1 for decision in decisions)


def test_a_cross_encoder_that_is_not_there_ends_the_command(tmp_path: Path) -> None:
    profile = write_profile(tmp_path / "mine.yaml", support=SUPPORT, entailment={"model": str(tmp_path / "gone")})

    ran = groundwatch("score", write_rows(tmp_path / "in.jsonl", labelled(1)), "--profile", profile, timeout=120)

    assert ran.code != 0
    assert_one_line(ran, "gone cannot be loaded", "entailment.model")


def test_labels_become_a_calibration_and_the_calibration_decides(tmp_path: Path) -> None:
    rows, profile, out = labelled(160), write_profile(tmp_path / "mine.yaml"), tmp_path / "mine.json"
    fitted = groundwatch(
        "calibrate", write_rows(tmp_path / "l.jsonl", rows), "--profile", profile, "--out", out, "--alpha", "0.2", timeout=120
    )
    assert fitted.code == 0, fitted.err
    calibration = json.loads(out.read_text())
    write_profile(profile, calibration=str(out))

    ran = groundwatch("score", write_rows(tmp_path / "in.jsonl", rows[:20]), "--profile", profile, timeout=120)

    assert ran.code == 0, ran.err
    decisions = [json.loads(line) for line in ran.out.splitlines()]
    assert {decision["meta"]["rule"] for decision in decisions} == {"calibrated_accept", "calibrated_reject"}
    for row, decision in zip(rows, decisions, strict=False):
        assert decision["decision"] == ("ACCEPT" if row["label"] else "REJECT")
        assert (decision["scores"]["probability"] > calibration["accept"]["at"]) is bool(row["label"])
        assert "probability=" in decision["explanations"]["reason"]
    assert {decision["fingerprint"] for decision in decisions}.isdisjoint({calibration["detector"]})

    write_profile(profile, calibration=str(out), low_confidence_below=0.1)
    refused = groundwatch("score", tmp_path / "in.jsonl", "--profile", profile, timeout=120)
    assert refused.code != 0
    assert_one_line(refused, calibration["detector"], "mine-", "groundwatch calibrate")
