"""A calibration from the labels of a real Postgres that production has filled: fitted, gated, written, used."""

import asyncio
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from detectors import load_detector, load_profile
from tests.acceptance.command import Ran, assert_one_line, groundwatch
from tests.unit.worker.calibration.served import served
from worker.settings import Store
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.models, pytest.mark.timeout(400)]

ANSWERS = 1_200
"""Of either model."""


@pytest.fixture(scope="module")
def settings_file(tmp_path_factory: pytest.TempPathFactory, postgres_server: Any) -> Path:
    """Of a database with two models: of `steady` a signal tells more than `final` does; of `turned` it says the reverse of late."""
    database = postgres_server.address(postgres_server.create_database())
    fingerprint = load_detector(load_profile("default")).fingerprint
    asyncio.run(fill(database, fingerprint))
    path = tmp_path_factory.mktemp("from-store") / "groundwatch.yaml"
    path.write_text(json.dumps({"store": {"dsn": database}}))
    return path


async def fill(database: str, fingerprint: str) -> None:
    store = await PostgresStore.connect(Store(dsn=SecretStr(database)))
    for place, (model, turns) in enumerate((("steady", 1.0), ("turned", 0.7))):
        outcomes = served(model, fingerprint, count=ANSWERS, start=place * ANSWERS, turns=turns)
        for start in range(0, len(outcomes), 500):
            await store.record(outcomes[start : start + 500])
        await store.pair([f"{model}-{i}" for i in range(ANSWERS)])
    await store.close()


def run(settings_file: Path, *arguments: str | Path) -> Ran:
    return groundwatch("calibrate", "--from-store", *arguments, "--config", settings_file, timeout=180)


def test_a_calibration_that_is_better_on_later_answers_is_written_and_decides(settings_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.json"

    ran = run(settings_file, "--segment", "travel/steady", "--out", out, "--alpha", "0.1", "--json")

    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["split"] | {"cut_off": ""} == {
        "cut_off": "", "trained": 718, "held_out": 480, "audited": 480, "late": 2, "straddling": 0,
    }  # fmt: skip
    assert found["gate"]["outcome"] == "ok"
    assert found["gate"]["low"] > 0
    assert found["left_out"] == {"unscored": 0, "degraded": 0, "repeated": 0, "other_fingerprints": {}}
    assert sum(one["answers"] for one in found["reliability"]) == 480
    assert json.loads(out.read_text())["accept"]["limit"] <= 0.1

    profile = tmp_path / "mine.yaml"
    profile.write_text(
        f"{(files('configs') / 'profiles/default.yaml').read_text(encoding='utf-8')}\ncalibration: {out}\n", encoding="utf-8"
    )
    event = {"response_id": "a", "contexts": ["The lamp lasts nine hours."], "response": "The lamp lasts nine hours."}
    used = groundwatch("score", "-", "--profile", profile, stdin=json.dumps(event).encode(), timeout=180)
    assert used.code == 0, used.err
    assert json.loads(used.out)["scores"]["probability"] > 0.5


def test_one_that_later_answers_prove_worse_is_refused_with_the_figures(settings_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.json"

    ran = run(settings_file, "--segment", "travel/turned", "--days", "60", "--out", out, "--alpha", "0.1")

    assert ran.code == 1
    assert b"gate: worse: AUROC fell by" in ran.out
    assert f"{out} is not written" in ran.err
    assert not out.exists()


def test_a_segment_without_labels_is_named(settings_file: Path, tmp_path: Path) -> None:
    ran = run(settings_file, "--segment", "no/such", "--out", tmp_path / "mine.json")

    assert ran.code == 2
    assert_one_line(ran, "segment no/such has no labelled answer")
