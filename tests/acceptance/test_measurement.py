"""Figures from a real Postgres that production has filled: the commands, and what they say."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from benchmarks.traffic import TRUTH, traffic
from schemas import Verdict
from tests.acceptance.command import Ran, assert_one_line, groundwatch
from tests.integration.worker.store.factories import labelled, scored
from tests.unit.schemas.factories import decision
from worker.settings import Store
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.timeout(180)]

NOW = datetime.now(UTC)
DAYS = 3
"""Production of so many days stands in the store …"""
ANSWERS = 1_500
"""… so many answers of either model a day."""


@pytest.fixture(scope="module")
def settings_file(tmp_path_factory: pytest.TempPathFactory, postgres_server: Any) -> Path:
    """Of a database with two models: `steady`, and `fallen`, whose scores part nothing any more since yesterday."""
    database = postgres_server.address(postgres_server.create_database())
    import asyncio

    asyncio.run(fill(database))
    path = tmp_path_factory.mktemp("measurement") / "groundwatch.yaml"
    good = {"since": (NOW - timedelta(days=DAYS + 1)).isoformat(), "until": (NOW - timedelta(days=1)).isoformat()}
    baselines = {f"travel/{model}": good for model in ("steady", "fallen")}
    monitor = {"dimensions": ["language"], "baselines": baselines}
    path.write_text(json.dumps({"store": {"dsn": database}, "monitor": monitor, "gate": {"datasets": 0, "minimum": 0.0}}))
    return path


async def fill(database: str) -> None:
    store = await PostgresStore.connect(Store(dsn=SecretStr(database)))
    for number, model in enumerate(("steady", "fallen")):
        for day in range(DAYS):
            gap = 0.0 if model == "fallen" and day == 0 else 1.2
            await fill_day(store, model, day, traffic(ANSWERS, audit=0.15, review=0.5, seed=10 * number + day, gap=gap))
    await store.close()


async def fill_day(store: PostgresStore, model: str, day: int, seen: Any) -> None:
    """What was served `day` days ago, an hour and more; labels came at once."""
    served = NOW - timedelta(days=day, hours=1)
    outcomes: list[Any] = []
    names = [f"{model}-{day}-{i}" for i in range(ANSWERS)]
    for i, name in enumerate(names):
        meta = decision().meta.model_copy(update={"audit": bool(seen.audited[i])})
        final = float(seen.scores[i])
        changes = {"model": model, "meta": meta, "decision": Verdict(seen.verdicts[i]), "scores": {"final": final, "cosine": final}}
        outcomes.append(scored(day * ANSWERS + i, name, decided_at=served, dimensions={"language": "en"}, **changes))
        if seen.labelled[i]:
            given = {"labelled_at": served + timedelta(minutes=5)}
            outcomes.append(labelled(len(outcomes), name, int(seen.grounded[i]), **given))
    for start in range(0, len(outcomes), 500):
        await store.record(outcomes[start : start + 500])
    await store.pair(names)


def run(settings_file: Path, *arguments: str) -> Ran:
    return groundwatch(*arguments, "--config", str(settings_file))


def test_a_period_has_the_figure_of_its_labels_and_that_of_all_its_answers(settings_file: Path) -> None:
    ran = run(settings_file, "auroc", "--hours", "96", "--segment", "travel/steady", "--json")

    (found,) = json.loads(ran.out)
    assert ran.code == 0
    assert found["corrected"]["decided"] == DAYS * ANSWERS
    assert found["corrected"]["low"] <= TRUTH <= found["corrected"]["high"]
    assert found["plain"]["auroc"] < found["corrected"]["auroc"]


def test_a_dimension_tells_answers_apart(settings_file: Path) -> None:
    english = json.loads(run(settings_file, "auroc", "--hours", "96", "--dimension", "language=en", "--json").out)
    danish = json.loads(run(settings_file, "auroc", "--hours", "96", "--dimension", "language=da", "--json").out)

    assert [one["corrected"]["decided"] for one in english] == [DAYS * ANSWERS] * 2
    assert [one["corrected"]["reason"] for one in danish] == ["no_decisions"] * 2
    each = json.loads(run(settings_file, "auroc", "--hours", "96", "--dimension", "language", "--json").out)
    assert each == english
    assert {one["dimension"] for one in each} == {"en"}


def test_drift_is_found_where_scores_have_shifted(settings_file: Path) -> None:
    steady = run(settings_file, "drift", "--hours", "12", "--against", "84", "--segment", "travel/steady", "--json")
    fallen = run(settings_file, "drift", "--hours", "12", "--against", "84", "--segment", "travel/fallen", "--json")

    assert (steady.code, fallen.code) == (0, 1)
    moved = [one for one in json.loads(fallen.out) if one["drifted"]]
    assert "final" in {one["what"] for one in moved}
    assert all(name.startswith("fallen-0-") for one in moved for name in one["examples"])


def test_the_gate_holds_one_model_against_another_on_live_labels(settings_file: Path) -> None:
    same = run(settings_file, "gate", "model=steady", "model=steady", "--json")
    worse = run(settings_file, "gate", "model=steady", "model=fallen", "--days", "0.5", "--json")

    assert (same.code, json.loads(same.out)["datasets"]["travel"]["paired"]) == (0, True)
    assert (worse.code, json.loads(worse.out)["outcome"]) == (1, "worse")


def test_mispredictions_are_confident_wrong_and_of_either_kind(settings_file: Path) -> None:
    found = json.loads(run(settings_file, "mispredictions", "--hours", "96", "--most", "10", "--json").out)

    assert [one["kind"] for one in found] == ["false_accept"] * 5 + ["false_reject"] * 5
    finals = [one["pair"]["scores"]["final"] for one in found]
    assert finals[:5] == sorted(finals[:5], reverse=True)
    assert finals[5:] == sorted(finals[5:])


def test_a_segment_that_lost_what_its_baseline_had_is_worse(settings_file: Path) -> None:
    ran = run(settings_file, "baseline", "--days", "1", "--json")

    found = json.loads(ran.out)
    assert set(found) == {"travel/steady", "travel/fallen"}
    assert (found["travel/steady"]["outcome"], found["travel/fallen"]["outcome"]) == ("unknown", "worse")
    assert ran.code == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("auroc", "--hours", "1", "--segment", "no/such"), "segment no/such has no labelled answer"),
        (("auroc", "--hours", "1", "--dimension", "tenant=x"), "NAME being one of monitor.dimensions (language)"),
        (("auroc", "--dimension", "language=en"), "--dimension takes --hours beside it"),
        (("baseline", "--set", "monitor.baselines={nomodel: {since: 2026-01-01, until: 2026-01-02}}"), "are named DATASET/MODEL"),
        (("baseline", "--set", "monitor.baselines={a/b: {since: 2026-01-02, until: 2026-01-01}}"), "until must be later than since"),
        (("mispredictions", "--segment", "no/such"), "segment no/such has no labelled answer"),
        (("drift", "--segment", "no/such"), "segment no/such has no decision"),
    ],
)
def test_what_is_asked_wrongly_is_said(settings_file: Path, arguments: tuple[str, ...], says: str) -> None:
    ran = run(settings_file, *arguments)

    assert ran.code == 2
    assert_one_line(ran, says)


def test_without_a_pinned_period_there_is_nothing_to_compare_with() -> None:
    ran = groundwatch("baseline")

    assert ran.code == 2
    assert_one_line(ran, "no baseline is pinned")
