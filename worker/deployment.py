"""The detectors that a worker judges with: started, promoted, exchanged for changed ones while it works, and stopped."""

import asyncio
import logging
from collections.abc import Sequence

from detectors import load_profile
from worker.errors import GroundwatchError, InfrastructureError, SchemaOutdated, WrongProfile
from worker.load import Load
from worker.patience import Patience, Stopping, first, unless_stopped
from worker.policy import Policy
from worker.profiles import profile_errors
from worker.rollout import Contender, Lineup, Rollout
from worker.scorers import Scorers
from worker.settings import Settings
from worker.store import Store

log = logging.getLogger("groundwatch")


class Deployment:
    """Brings promotions into force, and changed profiles, policies and calibrations when asked: without a restart, between two batches."""

    def __init__(self, settings: Settings, store: Store, load: Load) -> None:
        self._settings = settings
        self._store = store
        self._load = load
        self._scorers: Sequence[Scorers] = ()
        self._rollout: Rollout | None = None
        self._asked = asyncio.Event()
        self._promoted: str | None = None
        """The fingerprint that was promoted last, as far as is known."""
        self._restarts = 0
        """Of scorers that are gone."""

    @property
    def restarts(self) -> int:
        """How often a scorer process had to be started again."""
        return self._restarts + sum(one.restarts for one in self._scorers)

    async def start(self, starting: Patience) -> Rollout:
        """Load the detectors. Raises WrongProfile."""
        self._scorers = self._created()
        self._rollout = rollout = Rollout(await starting("the scorer", lambda: self._lineup(self._scorers)))
        await starting("the promotions", lambda: self._follow(rollout))
        return rollout

    def reload(self) -> None:
        """Ask for the profiles to be read anew."""
        self._asked.set()

    async def run(self, rollout: Rollout, stop: asyncio.Event) -> None:
        """See to promotions and reloads until `stop`."""
        while not stop.is_set():
            await first(stop.wait(), self._asked.wait(), asyncio.sleep(self._settings.rollout.check_seconds))
            try:
                if self._asked.is_set():
                    self._asked.clear()
                    await self._exchange(rollout, stop)
                await self._follow(rollout)
            except (InfrastructureError, SchemaOutdated) as silent:  # the lanes wait for the same, and say so
                log.debug("no promotion is known of: %s", silent, extra={"action": "promotions_left_out"})

    async def _follow(self, rollout: Rollout) -> None:
        """Bring the newest promotion into force. Raises StoreUnavailable."""
        if rollout.lineup.challenger is None:
            return
        for newest in await self._store.promotions(1):
            self._promoted = newest.fingerprint
            if rollout.promote(newest.fingerprint):
                log.info("the challenger is the champion now", extra={"action": "promoted", "fingerprint": newest.fingerprint})

    async def stop(self) -> None:
        """End the scorer processes; they finish nothing."""
        if self._rollout is not None:
            await self._rollout.lineup.retire()
        await _stopped(self._scorers)

    async def _exchange(self, rollout: Rollout, stop: asyncio.Event) -> None:
        """Old detectors judge until the new ones are ready, and are stopped when no batch needs them any more. Whatever is wrong with the
        new ones is logged, and the old ones stay."""
        log.info("reading the detectors anew", extra={"action": "reloading"})
        former, fresh = self._scorers, self._created()
        try:
            lineup = await unless_stopped(stop, self._lineup(fresh))
        except (GroundwatchError, Stopping, OSError) as wrong:
            await _stopped(fresh)
            if not isinstance(wrong, Stopping):
                log.error("the detectors stay as they are: %s", wrong, extra={"action": "reload_failed"})
            return
        self._scorers = fresh
        rollout.bring_in(lineup.promoted(self._promoted))
        log.info("the detectors were read anew", extra={"action": "reloaded", "fingerprint": lineup.champion.fingerprint})
        await rollout.drained()
        self._restarts += sum(one.restarts for one in former)
        await _stopped(former)

    def _created(self) -> list[Scorers]:
        settings = self._settings.scorer
        return [Scorers(settings.model_copy(update={"profile": name}), self._load) for name in self._settings.profiles]

    async def _lineup(self, scorers: Sequence[Scorers]) -> Lineup:
        contenders = [await _contender(one, name) for one, name in zip(scorers, self._settings.profiles, strict=True)]
        if len({one.fingerprint for one in contenders}) < len(contenders):
            raise WrongProfile("rollout.challenger is the same detector as scorer.profile: change it, or take it out")
        rollout = self._settings.rollout
        return Lineup(champion=contenders[0], challenger=(*contenders, None)[1], share=rollout.share, wait_seconds=rollout.wait_seconds)


async def _contender(scorers: Scorers, name: str) -> Contender:
    with profile_errors():
        profile = load_profile(name)
    return Contender(scorer=scorers, detector=await scorers.start(), policy=Policy(profile.rules, profile.thresholds))


async def _stopped(scorers: Sequence[Scorers]) -> None:
    await asyncio.gather(*(one.stop() for one in scorers))
