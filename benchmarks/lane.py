"""A lane of triage in this process, put together as a worker does, around a store and a handle of one's own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry

from worker.lane import Handle, Lane
from worker.load import Load
from worker.patience import Patience
from worker.publishing import Publisher
from worker.redaction import Redaction
from worker.settings import Settings
from worker.store import Store
from worker.telemetry import Telemetry
from worker.triage import Collaborators


@asynccontextmanager
async def collaborators(settings: Settings, store: Store, stop: asyncio.Event) -> AsyncIterator[Collaborators]:
    """What triage works with until `stop`; the publisher is closed in the end."""
    publisher = Publisher(settings.kafka, settings.limits)
    try:
        yield Collaborators(
            store=store,
            publisher=publisher,
            patience=Patience(settings.retry, stop),
            topics=settings.kafka.topics,
            limits=settings.limits,
            telemetry=Telemetry(CollectorRegistry()),
            redaction=Redaction(),
            now=lambda: datetime.now(UTC),
        )
    finally:
        await publisher.close()


def lane_over(topic: str, handle: Handle[Any], settings: Settings, use: Collaborators) -> Lane:
    """A lane that has `topic` handled, as much at once as there is."""
    load = Load(settings.load)
    return Lane(settings.kafka, settings.limits, topic=topic, handle=handle, load=load, patience=use.patience, telemetry=use.telemetry)
