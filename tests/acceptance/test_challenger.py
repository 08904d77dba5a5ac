"""A challenger judges beside the champion in the real worker, and becomes the champion by one command, without a restart."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from schemas import Verdict
from tests.acceptance.command import Ran, assert_one_line, groundwatch
from tests.acceptance.worker_process import WorkerProcess
from tests.integration.worker.store.factories import labelled, scored
from tests.waiting import until
from worker.embedded.broker import EmbeddedBroker
from worker.settings import Store
from worker.store import PairFilter
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.timeout(500)]

ANSWERS = 120


@pytest.fixture
def settings_file(tmp_path: Path, broker: EmbeddedBroker, database: str) -> Path:
    path = tmp_path / "groundwatch.yaml"
    settings = {
        "kafka": {"bootstrap_servers": broker.bootstrap_servers, "manage_topics": False},
        "store": {"dsn": database},
        "rollout": {"challenger": "seed", "share": 0, "check_seconds": 0.5},
        "gate": {"datasets": 0, "minimum": 0.0},
    }
    path.write_text(json.dumps(settings))
    return path


def promote(settings_file: Path, *arguments: str) -> tuple[Ran, Mapping[str, Any]]:
    ran = groundwatch("promote", *arguments, "--json", "--config", settings_file, timeout=150)
    return ran, json.loads(ran.out) if ran.out else {}


async def test_a_promotion_is_in_force_without_a_restart(
    tmp_path: Path, settings_file: Path, broker: EmbeddedBroker, database: str
) -> None:
    worker = WorkerProcess(
        tmp_path,
        kafka=broker.bootstrap_servers,
        database=database,
        arguments=("--role", "triage", "--config", str(settings_file)),
    )
    worker.start()
    store = await PostgresStore.connect(Store.model_validate({"dsn": database}))
    try:
        assert await binding(store, settings_file, "r-1") == {"default": True, "seed": False}
        ran, said = promote(settings_file, "seed", "--by", "jo", "--anyway", "a drill")
        assert (ran.code, said["promoted"], said["evidence"]["anyway"]) == (0, True, "a drill"), ran.err
        await until(lambda: any(line["action"] == "promoted" for line in worker.actions()), timeout=30)
        assert await binding(store, settings_file, "r-2") == {"default": False, "seed": True}
        (kept,) = await store.promotions()
        assert (kept.promoted_by, kept.fingerprint, kept.evidence["anyway"]) == ("jo", said["fingerprint"], "a drill")
        assert worker.stop() == 0
    finally:
        worker.kill()
        await store.close()


async def binding(store: PostgresStore, settings_file: Path, response_id: str) -> dict[str, bool]:
    """Of a new answer: which detector's decision binds, by the profile that its fingerprint names."""
    event = {"response_id": response_id, "contexts": ["The lamp shines for nine hours."], "response": "It shines for nine hours."}
    events = settings_file.with_name("events.jsonl")
    label = {"response_id": response_id, "label": 1}
    events.write_text("\n".join(map(json.dumps, (event, label))) + "\n")
    assert groundwatch("emit", events, "--config", settings_file).code == 0

    async def found() -> dict[str, bool]:
        pairs = [pair for pair in await store.pair([response_id]) if pair.response_id == response_id]
        return {pair.fingerprint.split("-")[0]: pair.enforced for pair in pairs}

    return await until(lambda: two(found), timeout=120)


async def two(found: Any) -> dict[str, bool] | None:
    both: dict[str, bool] = await found()
    return both if len(both) == 2 else None


async def test_the_gate_decides_and_its_report_is_the_evidence(settings_file: Path, database: str) -> None:
    ran, said = promote(settings_file, "seed")
    assert said, ran.err
    assert (ran.code, said["promoted"], said["evidence"]["outcome"]) == (3, False, "not_enough_labels"), ran.err

    store = await PostgresStore.connect(Store.model_validate({"dsn": database}))
    await fill(store, champion=said["replaced"], challenger=said["fingerprint"])
    ran, said = promote(settings_file, "seed", "--days", "4000")
    assert (ran.code, said["promoted"]) == (0, True), ran.out
    (kept,) = await store.promotions()
    assert kept.evidence == said["evidence"]
    ran, said = promote(settings_file, "default", "--days", "4000")
    assert (ran.code, said["promoted"], said["evidence"]["outcome"]) == (1, False, "worse")
    assert len(await store.pairs(PairFilter(fingerprint=kept.fingerprint))) == ANSWERS
    await store.close()


async def fill(store: PostgresStore, *, champion: str, challenger: str) -> None:
    """The champion's scores part nothing, the challenger's everything."""
    outcomes: list[Any] = []
    for n in range(ANSWERS):
        grounded = n % 2
        for fingerprint, final in ((champion, (n * 7 % 10) / 10), (challenger, 0.3 + 0.4 * grounded)):
            changes = {"fingerprint": fingerprint, "enforced": fingerprint == champion, "decision": Verdict.REVIEW}
            outcomes.append(scored(len(outcomes), f"r-{n}", scores={"final": final}, **changes))
        outcomes.append(labelled(n, f"r-{n}", grounded))
    await store.record(outcomes)
    await store.pair([f"r-{n}" for n in range(ANSWERS)])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("promote", "other", "--set", "rollout.challenger=seed"), "other is neither scorer.profile nor rollout.challenger"),
        (("promote", "seed"), "there is no challenger"),
        (("promote", "seed", "--set", "rollout.challenger=seed", "--set", "scorer.profile=seed"), "seed is both"),
        (("auroc", "--hours", "inf"), "--hours"),
        (("gate", "fingerprint=a", "fingerprint=b", "--days", "1e12"), "--days"),
        (("db", "grant", "--writer", "x", "--reader", "x"), "a role is of one kind"),
    ],
)
def test_what_cannot_be_is_said(arguments: tuple[str, ...], says: str) -> None:
    ran = groundwatch(*arguments)
    assert (ran.code, says in ran.err) == (2, True), ran.err
    assert_one_line(ran)
