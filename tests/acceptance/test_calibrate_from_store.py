"""A calibration from the labels of a real Postgres that production has filled: fitted, gated, written, used."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from detectors import load_detector, load_profile
from tests.acceptance.command import Ran, assert_one_line, groundwatch
from tests.integration.worker.store.factories import labelled, scored
from tests.unit.schemas.factories import decision
from worker.settings import Store
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.models, pytest.mark.timeout(300)]

NOW = datetime.now(UTC)
ANSWERS = 1_200
"""Of either model, an hour apart, each labelled two hours after it was served."""


@pytest.fixture(scope="module")
def settings_file(tmp_path_factory: pytest.TempPathFactory, postgres_server: Any) -> Path:
    """Of a database with three models: of `steady` a signal tells more than `final` does, of `turned` the reverse of it since three days,
    and `old` was judged by another detector."""
    database = postgres_server.address(postgres_server.create_database())
    fingerprint = load_detector(load_profile("default")).fingerprint
    asyncio.run(fill(database, fingerprint))
    path = tmp_path_factory.mktemp("from-store") / "groundwatch.yaml"
    path.write_text(json.dumps({"store": {"dsn": database}}))
    return path


async def fill(database: str, fingerprint: str) -> None:
    store = await PostgresStore.connect(Store(dsn=SecretStr(database)))
    for place, (model, by) in enumerate({"steady": fingerprint, "turned": fingerprint, "old": "default-0000000000000000"}.items()):
        outcomes = answers(model, by, start=2 * place * ANSWERS)
        for start in range(0, len(outcomes), 500):
            await store.record(outcomes[start : start + 500])
        await store.pair([f"{model}-{i}" for i in range(ANSWERS)])
    await store.close()


def answers(model: str, fingerprint: str, start: int) -> list[Any]:
    draw = np.random.default_rng(5)
    grounded = draw.random(ANSWERS) < 0.6
    final, coverage = (1 / (1 + np.exp(-(draw.normal(size=ANSWERS) + gap * (grounded - 0.5)))) for gap in (1.0, 3.0))
    turned = (model == "turned") & (np.arange(ANSWERS) > 0.7 * ANSWERS)
    coverage = np.where(turned, 1 - coverage, coverage)
    meta = decision().meta.model_copy(update={"audit": True})
    outcomes: list[Any] = []
    for i in range(ANSWERS):
        name, served = f"{model}-{i}", NOW - timedelta(hours=ANSWERS - i)
        hashes = {"response_sha256": f"{i:064d}", "contexts_sha256": (f"{start + i:064d}",)}
        scores = {"final": float(final[i]), "coverage": float(coverage[i])}
        row = {"model": model, "fingerprint": fingerprint, "decided_at": served, "meta": meta, "scores": scores} | hashes
        outcomes.append(scored(start + i, name, **row))
        outcomes.append(labelled(start + i, name, int(grounded[i]), labelled_at=served + timedelta(hours=2)))
    return sorted(outcomes, key=lambda one: one.position)


def run(settings_file: Path, *arguments: str | Path) -> Ran:
    return groundwatch("calibrate", "--from-store", *arguments, "--config", settings_file, timeout=120)


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
    used = groundwatch("score", "-", "--profile", profile, stdin=json.dumps(event).encode(), timeout=120)
    assert used.code == 0, used.err
    assert json.loads(used.out)["scores"]["probability"] > 0.5


def test_one_that_later_answers_prove_worse_is_refused_with_the_figures(settings_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.json"

    ran = run(settings_file, "--segment", "travel/turned", "--days", "60", "--out", out, "--alpha", "0.1")

    assert ran.code == 1
    assert b"gate: worse: AUROC fell by" in ran.out
    assert f"{out} is not written" in ran.err
    assert not out.exists()


def test_where_the_labels_do_not_tell_nothing_is_written(settings_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.json"

    ran = run(settings_file, "--out", out, "--alpha", "0.1", "--segment", "travel/steady", "--set", "gate.labels=400", "--json")

    assert ran.code == 3
    assert json.loads(ran.out)["gate"]["outcome"] == "not_enough_labels"
    assert not out.exists()


def test_answers_of_another_detector_are_counted_and_named(settings_file: Path, tmp_path: Path) -> None:
    ran = run(settings_file, "--segment", "travel/old", "--out", tmp_path / "mine.json")

    assert ran.code == 1
    assert_one_line(ran, "default-0000000000000000 (1,200)", "--profile")


def test_a_segment_without_labels_is_named(settings_file: Path, tmp_path: Path) -> None:
    ran = run(settings_file, "--segment", "no/such", "--out", tmp_path / "mine.json")

    assert ran.code == 2
    assert_one_line(ran, "segment no/such has no labelled answer")
