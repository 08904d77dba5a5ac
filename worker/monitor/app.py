"""The Faust app: two streams in, batches to their handlers."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import faust
from faust.types.auth import CredentialsT

from worker.access import client_arguments
from worker.monitor.metrics import MonitorMetrics
from worker.patience import Stopping
from worker.settings import Kafka, Settings

log = logging.getLogger("groundwatch.monitor")

Handler = Callable[[Sequence[bytes | None]], Awaitable[None]]
"""Takes the values of a batch of messages."""


def create_app(settings: Settings, metrics: MonitorMetrics, *, datadir: Path, pairs: Handler, decisions: Handler) -> faust.App:
    """A Faust app that hands the messages of `llm.pairs` and `llm.decisions` over. Start it inside a running loop with `app.start()`."""
    kafka = settings.kafka
    app = faust.App(
        f"{kafka.group}-monitor",
        broker=[f"kafka://{server.strip()}" for server in kafka.bootstrap_servers.split(",")],
        broker_credentials=credentials(kafka),
        datadir=datadir,
        store="memory://",
        web_enabled=False,
        topic_disable_leader=True,
        topic_allow_declare=kafka.manage_topics,
        topic_partitions=kafka.partitions,
        topic_replication_factor=kafka.replication_factor,
        producer_acks=-1,
        broker_session_timeout=kafka.session_timeout_seconds,
        broker_heartbeat_interval=kafka.session_timeout_seconds / 4,
        broker_commit_interval=1.0,
        consumer_auto_offset_reset="earliest",
        stream_wait_empty=False,
    )
    for name, handle in ((kafka.topics.pairs, pairs), (kafka.topics.decisions, decisions)):
        app.agent(raw_topic(app, name), name=name)(_agent(name, handle, settings, metrics))
    return app


def credentials(kafka: Kafka) -> CredentialsT | None:
    """What the clients of the other parts are made with, as Faust takes it."""
    arguments = client_arguments(kafka)
    context = arguments.get("ssl_context")
    if provider := arguments.get("sasl_oauth_token_provider"):
        return faust.OAuthCredentials(oauth_cb=provider, ssl_context=context)
    if kafka.authenticated:
        return faust.SASLCredentials(
            username=arguments["sasl_plain_username"],
            password=arguments["sasl_plain_password"],
            ssl_context=context,
            mechanism=kafka.sasl_mechanism,
        )
    return faust.SSLCredentials(context) if context else None


def raw_topic(app: faust.App, name: str) -> Any:
    """A topic whose keys and values are bytes, so that reading a message cannot fail inside Faust."""
    return app.topic(name, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw")


def _agent(topic: str, handle: Handler, settings: Settings, metrics: MonitorMetrics) -> Callable[[Any], Awaitable[None]]:
    """Nothing may leave the body: Faust commits past a batch whose body raised, and reads no further."""

    async def consume(stream: Any) -> None:
        async for values in stream.take(settings.monitor.batch_events, within=settings.monitor.batch_seconds):
            try:
                await handle(values)
            except Stopping:
                log.info("a batch is left to the next start", extra={"action": "batch_left", "topic": topic, "events": len(values)})
            except Exception:
                metrics.faults.labels(topic).inc()
                log.exception("a batch failed", extra={"action": "batch_failed", "topic": topic, "events": len(values)})

    return consume
