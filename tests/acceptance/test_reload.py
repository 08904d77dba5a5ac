"""A changed profile comes into force on SIGHUP, without a restart; a wrong one changes nothing."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.acceptance.test_worker_stop import scorers
from tests.acceptance.worker_process import WorkerProcess
from tests.waiting import until
from worker.embedded.broker import EmbeddedBroker

pytestmark = [pytest.mark.services, pytest.mark.timeout(240)]

PROFILES = Path(__file__).parents[2] / "configs" / "profiles"


def fingerprints(worker: WorkerProcess, action: str) -> list[str]:
    return [str(line.get("fingerprint")) for line in worker.actions() if line["action"] == action]


async def test_a_changed_profile_is_taken_up_while_the_worker_works(tmp_path: Path, broker: EmbeddedBroker, database: str) -> None:
    profile = tmp_path / "mine.yaml"
    shutil.copy(PROFILES / "seed.yaml", profile)
    worker = WorkerProcess(
        tmp_path,
        kafka=broker.bootstrap_servers,
        database=database,
        GROUNDWATCH_KAFKA__MANAGE_TOPICS="false",
        GROUNDWATCH_SCORER__PROFILE=str(profile),
        arguments=("--role", "triage"),
    )
    worker.start()
    try:
        await until(lambda: fingerprints(worker, "worker_started"), timeout=120)
        (first,), before = fingerprints(worker, "scorer_ready"), scorers(worker.pid)

        profile.write_text(profile.read_text() + "no_such_key: 1\n")
        os.kill(worker.pid, signal.SIGHUP)
        await until(lambda: fingerprints(worker, "reload_failed"), timeout=60)
        assert scorers(worker.pid) == before

        shutil.copy(PROFILES / "seed.yaml", profile)
        profile.write_text(profile.read_text().replace("low_confidence_below: ", "low_confidence_below: 0.1 # "))
        os.kill(worker.pid, signal.SIGHUP)
        (second,) = await until(lambda: fingerprints(worker, "reloaded"), timeout=120)
        assert second != first
        await until(lambda: len(scorers(worker.pid)) == 1 and scorers(worker.pid) != before, timeout=30)
        assert worker.stop() == 0
        assert "Traceback" not in worker.log.read_text()
    finally:
        worker.kill()
