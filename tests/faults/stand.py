"""A whole deployment that can be broken: real Kafka, real Postgres, two workers, traffic; and what must be true of it afterwards."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import asyncpg
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from confluent_kafka.admin import AdminClient
from pydantic import SecretStr

from schemas import LabelEvent, Limits, ResponseEvent, encode
from tests.acceptance.worker_process import WorkerProcess
from tests.audit import (
    assert_auroc_is_scikit_learns,
    assert_each_decision_is_one_row_and_one_payload,
    assert_the_ledger_balances,
    fetch,
)
from tests.postgres_server import PostgresServer
from tests.real_kafka import RealKafka, find_script, fresh_names
from tests.waiting import until
from worker.demo.corpus import load_corpus
from worker.kafka import stream_producer
from worker.ledger import Partition
from worker.settings import Kafka
from worker.settings import Store as StoreSettings
from worker.store.postgres import PostgresStore
from worker.topics import committed_offsets, create_topics, offset_bounds, topic_partitions

RECOVERY_SECONDS: Final = 30
"""Longest time from a fault's end until nothing waits any more."""
ROOT: Final = Path(__file__).parents[2]
SABOTAGE: Final = Path(__file__).parent / "sabotage"
ALARMING: Final = frozenset(
    {
        "part_failed",
        "decoding_failed",
        "audit_failed",
        "batch_failed",
        "monitor_failed",
        "check_failed",
        "message_left_out",
    }
)
"""Log actions of defects; no fault from outside may lead to one."""
RUBBISH: Final = (
    b"{",
    b"\xff\xfe",
    b'{"response_id": "x"}',
    b"NaN",
    b"",
    b"[[[[",
    b'{"response_id": "a\\u0000b", "response": "x", "contexts": []}',
)


class Stand:
    """Kafka and Postgres of its own, and `workers` that run as they would in production."""

    def __init__(self, directory: Path, kafka: RealKafka, postgres: PostgresServer, workers: int, **settings: str) -> None:
        self.broker, self.postgres = kafka, postgres
        self.kafka = Kafka(bootstrap_servers=kafka.bootstrap_servers, **fresh_names())
        self.database_name = postgres.create_database()
        self.workers = [self.new_worker(directory / str(number), **settings) for number in range(workers)]
        self.partitions = self.kafka.partitions
        """Of the topics of responses and labels."""
        self._events, self._numbers = cycle(load_corpus()), count(1)
        self.draw = random.Random(7)
        self.responses: set[str] = set()
        """Ids of what was sent and can be judged."""
        self.labels: dict[str, int] = {}
        """The label of each that stands."""
        self.unusable = 0
        """Messages that were sent and cannot be used."""
        self.sound = True
        """Whether the last audit found nothing wrong."""

    @property
    def database(self) -> str:
        """Its address."""
        return self.postgres.address(self.database_name)

    @property
    def settings(self) -> dict[str, str]:
        """Of every worker and command here, as variables."""
        kafka = {"KAFKA__BOOTSTRAP_SERVERS": self.kafka.bootstrap_servers, "KAFKA__GROUP": self.kafka.group, "STORE__DSN": self.database}
        topics = {f"KAFKA__TOPICS__{field.upper()}": name for field, name in self.kafka.topics}
        return {f"GROUNDWATCH_{name}": value for name, value in (kafka | topics).items()}

    def new_worker(self, directory: Path, *arguments: str, **settings: str) -> WorkerProcess:
        """One more, not started."""
        directory.mkdir()
        own = {
            "GROUNDWATCH_KAFKA__LAG_SECONDS": "0.5",
            "GROUNDWATCH_LEDGER__CHECK_SECONDS": "2",
            "GROUNDWATCH_SCORER__TIMEOUT_SECONDS": "8",
            "GROUNDWATCH_SCORER__HEADROOM_MEGABYTES": "600",
            "GROUNDWATCH_STORE__TIMEOUT_SECONDS": "5",
            "GROUNDWATCH_LOAD__SHED_SECONDS": "1000000",
            "PYTHONPATH": f"{SABOTAGE}{os.pathsep}{ROOT}",
            "SABOTAGE": str(directory),
        }
        return WorkerProcess(
            directory,
            kafka=self.kafka.bootstrap_servers,
            database=self.database,
            arguments=arguments,
            **{**self.settings, **own, **settings},
        )

    @asynccontextmanager
    async def store(self) -> AsyncIterator[PostgresStore]:
        opened = await PostgresStore.connect(StoreSettings(dsn=SecretStr(self.database)))
        try:
            yield opened
        finally:
            await opened.close()

    async def start(self) -> None:
        """Return once every worker that is to run can work."""
        await create_topics(self.kafka, Limits())
        for worker in self.workers:
            worker.start()
        for worker in self.workers:
            await worker.until_ready()

    @asynccontextmanager
    async def admin(self) -> AsyncIterator[AIOKafkaAdminClient]:
        """To its broker."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self.kafka.bootstrap_servers)
        await admin.start()
        try:
            yield admin
        finally:
            await admin.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """To its database, as superuser."""
        connection = await asyncpg.connect(self.database)
        try:
            yield connection
        finally:
            await connection.close()

    async def until_said(self, action: str) -> None:
        """Return once a worker, since its last start, has logged `action`."""
        await until(lambda: any(line["action"] == action for worker in self.workers for line in worker.actions()), timeout=60, every=0.2)

    async def until_not_ready(self, reason: str) -> None:
        """Return once a worker says that it cannot work, and why."""

        def said() -> bool:
            answers = [worker.health("/ready") for worker in self.workers if worker.running]
            return any(status == HTTPStatus.SERVICE_UNAVAILABLE and reason.encode() in body for status, body in answers)

        await until(said, timeout=60, every=0.3)

    async def until_ready(self) -> None:
        """Return once every worker can work."""
        for worker in self.workers:
            await worker.until_ready()

    async def until_dead_lettered(self, kind: str) -> None:
        """Return once there is a dead letter of the kind."""
        await until(lambda: fetch(self.database, "SELECT 1 FROM dead_letters WHERE kind = $1", kind), timeout=120, every=0.3)

    async def until_decided(self, event: ResponseEvent) -> None:
        """Return once there is a decision on it."""
        find = "SELECT 1 FROM decisions WHERE response_id = $1"
        await until(lambda: fetch(self.database, find, event.response_id), timeout=60, every=0.3)

    async def forget_group(self, group: str) -> None:
        """Delete a consumer group that nobody is in, with its offsets."""
        admin = AdminClient({"bootstrap.servers": self.kafka.bootstrap_servers})
        for deleted in admin.delete_consumer_groups([group]).values():
            await asyncio.to_thread(deleted.result, 30)

    def step_clocks(self, seconds: float) -> None:
        """Set every worker's wall clock off by `seconds`."""
        for worker in self.workers:
            (worker.log.parent / "clock").write_text(str(seconds))

    def query(self, *statements: str) -> None:
        """Run statements on its database as superuser."""
        self.postgres.execute_on(self.database_name, *statements)

    async def audit(self, within: float = RECOVERY_SECONDS) -> float:
        """Wait until nothing waits, then check everything; the seconds that it waited, at most `within` from now."""
        started = time.monotonic()
        await until(self.nothing_waits, timeout=within, every=0.3)
        waited = time.monotonic() - started
        async with self.store() as store:
            await assert_each_decision_is_one_row_and_one_payload(self.database, self.kafka, self.responses)
            await until(lambda: self._balances(store), timeout=20, every=0.5)
            await assert_auroc_is_scikit_learns(store, self.kafka)
        pairs = await fetch(self.database, "SELECT response_id, label FROM pairs")
        assert {pair["response_id"]: pair["label"] for pair in pairs} == self.labels
        assert len(await fetch(self.database, "SELECT 1 FROM dead_letters")) == self.unusable
        self.assert_no_defects()
        self.sound = True
        return waited

    def assert_no_defects(self) -> None:
        for worker in self.workers:
            said = worker.everything_said()
            assert "Traceback" not in said, said[said.index("Traceback") :][:3000]
            assert not [line for line in worker.lines(said) if line["action"] in ALARMING]

    async def _balances(self, store: PostgresStore) -> bool:
        """Commits follow the accounts closely, yet after them."""
        try:
            await assert_the_ledger_balances(store, self.kafka)
        except AssertionError:
            return False
        return True

    async def nothing_waits(self) -> bool:
        """Whether all that stands on the topics is committed, and no more than that."""
        return all(committed == end for committed, end in await self._places())

    async def waiting(self) -> int:
        """Messages on the topics that are not committed."""
        return sum(end - committed for committed, end in await self._places())

    async def _places(self) -> list[tuple[int, int]]:
        """Of each partition what is committed and where it ends."""
        counts = await topic_partitions(self.kafka)
        places = []
        for topic in (self.kafka.topics.responses, self.kafka.topics.labels):
            partitions = [Partition(topic, number) for number in range(counts[topic])]
            committed = await committed_offsets(self.kafka, self.kafka.group_of(topic), partitions)
            bounds = await offset_bounds(self.kafka, partitions)
            places += [(committed.get(at, begin), end) for at, (begin, end) in bounds.items()]
        return places

    @asynccontextmanager
    async def traffic(self, rate: float = 8) -> AsyncIterator["Traffic"]:
        """Traffic while the block runs; at its end everything that was sent is on the broker."""
        producer = stream_producer(self.kafka, Limits())
        await producer.start()
        try:
            traffic = Traffic(self, producer)
            flowing = asyncio.create_task(traffic.flow(rate))
            try:
                yield traffic
            finally:
                traffic.over.set()
                await flowing
            await traffic.settled()
        finally:
            await producer.stop()

    def new_event(self, **changes: Any) -> ResponseEvent:
        """An answer that was not sent yet."""
        return next(self._events).event.model_copy(update={"response_id": f"r-{next(self._numbers)}", **changes})

    def stop(self) -> None:
        """End everything."""
        for worker in self.workers:
            worker.kill()
        self.postgres.ensure_started()
        self.postgres.drop_database(self.database_name)


@contextmanager
def services() -> Iterator[tuple[RealKafka, PostgresServer]]:
    """A Kafka and a Postgres that a test may break."""
    with TemporaryDirectory(prefix="groundwatch-", ignore_cleanup_errors=True) as directory:
        kafka, postgres = RealKafka(find_script(), Path(directory) / "kafka"), PostgresServer(Path(directory) / "postgres")
        (Path(directory) / "kafka").mkdir()
        (Path(directory) / "kafka" / "extra.properties").write_text("auto.create.topics.enable=false\n")
        try:
            kafka.start()
            postgres.prepare(lock=Path(directory) / "lock")
            yield kafka, postgres
        finally:
            kafka.stop()
            postgres.stop()


class Traffic:
    """Answers, most of them labelled before or after, some of them twice, and messages that nobody can use."""

    def __init__(self, stand: Stand, producer: AIOKafkaProducer) -> None:
        self._stand, self._producer = stand, producer
        self._topics = stand.kafka.topics
        self._sent: list[asyncio.Future[Any]] = []
        self.over = asyncio.Event()

    async def flow(self, rate: float) -> None:
        """Send that many answers a second until `over`."""
        for number in count():
            await self.answer(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.over.wait(), 1 / rate)
            if self.over.is_set():
                return

    async def answer(self, number: int) -> None:
        """One answer with what goes along with it."""
        event = self._stand.new_event()
        if number % 5 == 0:
            await self._label(event)
        await self.send(event)
        if number % 20 == 1:
            await self._put(self._topics.responses, event.response_id, encode(event))
        if number % 3 == 1:
            await self._label(event)
        if number % 15 == 4:  # the other way round after all
            await self._label(event)
        if number % 30 == 2:
            self._stand.unusable += 1
            await self._put((self._topics.responses, self._topics.labels)[number % 4 // 2], None, RUBBISH[number // 30 % len(RUBBISH)])

    async def send(self, event: ResponseEvent) -> None:
        """This answer."""
        self._stand.responses.add(event.response_id)
        await self._put(self._topics.responses, event.response_id, encode(event))

    async def sent(self) -> ResponseEvent:
        """One more answer, which is sent."""
        event = self._stand.new_event()
        await self.send(event)
        return event

    async def send_unusable(self, event: ResponseEvent) -> None:
        """This answer, which must end as a dead letter."""
        self._stand.unusable += 1
        await self._put(self._topics.responses, event.response_id, encode(event))

    async def send_label(self, label: LabelEvent) -> None:
        """This label, which stands."""
        self._stand.labels[label.response_id] = label.label
        await self._put(self._topics.labels, label.response_id, encode(label))

    async def send_rubbish(self, value: bytes, topic: str | None = None) -> None:
        """This message, to the topic of responses or another one, which must end as a dead letter."""
        self._stand.unusable += 1
        await self._put(topic or self._topics.responses, None, value)

    async def settled(self) -> None:
        """Return when all is acknowledged."""
        await asyncio.gather(*self._sent)

    async def _label(self, event: ResponseEvent) -> None:
        value: Literal[0, 1] = 1 if self._stand.labels.get(event.response_id) != 1 and self._stand.draw.random() < 0.6 else 0
        await self.send_label(LabelEvent(response_id=event.response_id, label=value, labelled_at=datetime.now(UTC)))

    async def _put(self, topic: str, key: str | None, value: bytes) -> None:
        self._sent.append(await self._producer.send(topic, value, key=key.encode() if key else None))
