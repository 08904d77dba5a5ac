"""Readiness says what is wrong; metrics are Prometheus text."""

import socket

import pytest
from aiohttp import ClientSession
from prometheus_client import CollectorRegistry, Counter

from worker.errors import ConfigurationError
from worker.health import Condition, serve_health
from worker.settings import Health


async def test_readiness_follows_the_parts() -> None:
    state = {"responses": Condition.ok(), "labels": Condition.not_ready("waiting for Postgres")}
    conditions = {name: lambda name=name: state[name] for name in state}
    async with serve_health(Health(port=0), conditions, CollectorRegistry()) as address, ClientSession(address) as client:
        async with client.get("/ready") as response:
            assert response.status == 503
            assert await response.json() == {"ready": False, "waiting_for": {"labels": "waiting for Postgres"}}
        async with client.get("/live") as response:
            assert response.status == 200
        state["labels"] = Condition.ok()
        async with client.get("/ready") as response:
            assert response.status == 200


async def test_a_port_that_is_taken_is_named_with_its_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=r"health\.port"):
            async with serve_health(Health(port=port), {}, CollectorRegistry()):
                pass


async def test_metrics_are_prometheus_text() -> None:
    registry = CollectorRegistry()
    Counter("things", "Things.", registry=registry).inc(3)
    async with serve_health(Health(port=0), {}, registry) as address, ClientSession(address) as client, client.get("/metrics") as response:
        assert response.content_type == "text/plain"
        assert "things_total 3.0" in await response.text()
