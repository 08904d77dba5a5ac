"""A deployment brings line-ups into force without a restart, and keeps what it has where the new is wrong."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from detectors import Answer
from tests.waiting import until
from worker.deployment import Deployment
from worker.errors import SchemaOutdated, WrongProfile
from worker.load import Load
from worker.patience import Patience
from worker.policy import DetectorIdentity
from worker.rollout import Rollout
from worker.settings import Load as LoadSettings
from worker.settings import Retry, Settings
from worker.store import Promotion
from worker.store.memory import MemoryStore


class Stand:
    """Scorers in place of scorer processes; what they load is `versions`."""

    def __init__(self, name: str, versions: dict[str, Any]) -> None:
        self.name, self.versions = name, versions
        self.restarts, self.stopped = 0, False

    async def start(self) -> DetectorIdentity:
        version = self.versions[self.name]
        if isinstance(version, BaseException):
            raise version
        if isinstance(version, asyncio.Event):
            await version.wait()
        return DetectorIdentity(fingerprint=f"{self.name}-{version}", profile=self.name, encoder="test")

    async def assess(self, answers: Sequence[Answer]) -> list[Any]:
        return []

    async def stop(self) -> None:
        self.stopped = True


class Bench(Deployment):
    """With stands for scorers, and a store in memory."""

    def __init__(self, store: MemoryStore, versions: dict[str, Any]) -> None:
        rollout = {"challenger": "seed", "check_seconds": 0.05, "share": 0.2}
        settings = Settings.model_validate({"scorer": {"profile": "default"}, "rollout": rollout})
        super().__init__(settings, store, Load(LoadSettings()))
        self.versions, self.made = versions, list[Stand]()
        self.ended = asyncio.Event()

    def _created(self) -> list[Any]:
        made = [Stand(name, self.versions) for name in self._settings.profiles]
        self.made += made
        return made

    async def begin(self) -> Rollout:
        rollout = await self.start(Patience(Retry(), self.ended))
        self.running = asyncio.create_task(self.run(rollout, self.ended))
        return rollout


@pytest.fixture
async def bench():
    bench = Bench(MemoryStore(), {"default": 1, "seed": 1})
    yield bench
    bench.ended.set()
    await asyncio.wait_for(bench.running, 10)


def champion(rollout: Rollout) -> str:
    return rollout.lineup.champion.fingerprint


async def promote(bench: Bench, fingerprint: str) -> None:
    await bench._store.promote(
        Promotion(fingerprint=fingerprint, replaced="x", promoted_at=datetime.now(UTC), promoted_by=None, evidence={})
    )


async def test_a_changed_profile_is_in_force_after_a_reload_and_the_old_scorers_are_stopped(bench: Bench) -> None:
    rollout = await bench.begin()
    assert champion(rollout) == "default-1"
    bench.versions["default"] = 2
    bench.reload()
    await until(lambda: champion(rollout) == "default-2")
    await until(lambda: [one.stopped for one in bench.made] == [True, True, False, False])


async def test_a_batch_in_hand_keeps_its_scorers_until_it_is_judged(bench: Bench) -> None:
    rollout = await bench.begin()
    with rollout.held():
        bench.reload()
        await until(lambda: len(bench.made) == 4 and rollout.lineup.champion.scorer is bench.made[2])
        assert not bench.made[0].stopped
    await until(lambda: bench.made[0].stopped)


@pytest.mark.parametrize("wrong", [WrongProfile("no such key"), OSError("out of memory")])
async def test_what_is_wrong_with_the_new_one_changes_nothing(bench: Bench, wrong: Exception, caplog: pytest.LogCaptureFixture) -> None:
    rollout = await bench.begin()
    bench.versions["seed"] = wrong
    bench.reload()
    await until(lambda: any(getattr(record, "action", "") == "reload_failed" for record in caplog.records))
    assert (champion(rollout), [one.stopped for one in bench.made]) == ("default-1", [False, False, True, True])


async def test_a_reload_never_undoes_a_promotion(bench: Bench) -> None:
    rollout = await bench.begin()
    await promote(bench, "seed-1")
    await until(lambda: champion(rollout) == "seed-1")
    seen = []
    bring_in = rollout.bring_in
    rollout.bring_in = lambda lineup: (seen.append(lineup.champion.fingerprint), bring_in(lineup))  # type: ignore[method-assign, return-value]
    bench.versions["default"] = 2
    bench.reload()
    await until(lambda: seen)
    assert seen == ["seed-1"]
    assert rollout.lineup.share == 0


async def test_a_promotion_is_followed_at_the_start_too(bench: Bench) -> None:
    await promote(bench, "default-1")
    await promote(bench, "seed-1")
    assert champion(await bench.begin()) == "seed-1"


async def test_a_store_that_is_being_upgraded_is_waited_for(bench: Bench) -> None:
    rollout = await bench.begin()
    asked = asyncio.Event()
    promotions = bench._store.promotions

    async def outdated(most: int | None = None) -> Sequence[Promotion]:
        asked.set()
        raise SchemaOutdated

    bench._store.promotions = outdated  # type: ignore[method-assign]
    await asyncio.wait_for(asked.wait(), 10)
    bench._store.promotions = promotions  # type: ignore[method-assign]
    await promote(bench, "seed-1")
    await until(lambda: champion(rollout) == "seed-1")


async def test_a_stop_does_not_wait_for_models_that_load(bench: Bench) -> None:
    await bench.begin()
    bench.versions["default"] = asyncio.Event()
    bench.reload()
    await until(lambda: len(bench.made) == 4)
    bench.ended.set()
    await asyncio.wait_for(bench.running, 5)
    assert [one.stopped for one in bench.made[2:]] == [True, True]


async def test_a_challenger_that_is_the_champion_is_refused() -> None:
    bench = Bench(MemoryStore(), {"default": 1, "seed": 1})
    identity = DetectorIdentity(fingerprint="same", profile="x", encoder="test")

    async def same(self: Stand) -> DetectorIdentity:
        return identity

    for stand in (made := bench._created()):
        stand.start = same.__get__(stand)
    with pytest.raises(WrongProfile, match="the same detector"):
        await bench._lineup(made)
