"""The ledger is proved against the broker again and again, while everything runs."""

import asyncio
import logging

from worker.errors import InfrastructureError, SchemaOutdated
from worker.ledger import BrokerOffsets, Finding, Partition, audit
from worker.patience import stopped_within
from worker.settings import Kafka, Settings
from worker.store import Store
from worker.telemetry import Telemetry
from worker.topics import committed_offsets, offset_bounds, topic_partitions

log = logging.getLogger("groundwatch")


class Auditor:
    """The part of a worker that counts partitions whose account does not balance. Without an answer the last count stands."""

    def __init__(self, settings: Settings, store: Store, telemetry: Telemetry) -> None:
        self._settings = settings
        self._store = store
        self._telemetry = telemetry

    async def run(self, stop: asyncio.Event) -> None:
        """An audit now and then until `stop`."""
        while not await stopped_within(stop, self._settings.ledger.check_seconds):
            try:
                self._tell(await audit_all(self._settings.kafka, self._store))
            except (InfrastructureError, SchemaOutdated) as silent:  # the lanes wait for the same, and say so
                log.debug("no audit: %s", silent, extra={"action": "audit_left_out"})
            except Exception as failure:
                log.warning("an audit failed: %s", type(failure).__name__, extra={"action": "audit_failed"})

    def _tell(self, findings: list[Finding]) -> None:
        wrong = [finding for finding in findings if not finding.balanced]
        self._telemetry.unbalanced.set(len(wrong))
        for finding in wrong:
            said = {"action": "ledger_unbalanced", **finding.partition._asdict(), "problems": finding.problems}
            log.error("the ledger does not balance: `groundwatch ledger` shows it", extra=said)


async def audit_all(kafka: Kafka, store: Store) -> list[Finding]:
    """Every partition that is read, against the broker.

    Committed offsets first, then the accounts, then the ends: each only grows, so a running worker raises no false alarm.
    Raises BrokerUnavailable or StoreUnavailable.
    """
    counts = await topic_partitions(kafka)
    read = (kafka.topics.responses, kafka.topics.labels)
    partitions = [Partition(topic, number) for topic in read for number in range(counts.get(topic, 0))]
    committed: dict[Partition, int] = {}
    for topic in read:
        committed |= await committed_offsets(kafka, kafka.group_of(topic), [at for at in partitions if at.topic == topic])
    rows = await store.ledger()
    bounds = await offset_bounds(kafka, partitions)
    return audit(rows, {at: BrokerOffsets(*bounds[at], committed.get(at)) for at in partitions})
