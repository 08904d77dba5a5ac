"""The HTTP endpoint: `/live`, `/ready` (with what is wrong) and `/metrics`."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

import orjson
from aiohttp import web
from prometheus_client import CollectorRegistry, generate_latest

from worker.errors import ConfigurationError
from worker.settings import Health

log = logging.getLogger("groundwatch")


@dataclass(frozen=True)
class Condition:
    """Whether a part of the worker can work, and if not, why."""

    ready: bool
    reason: str = ""

    @classmethod
    def ok(cls) -> Self:
        """It can."""
        return cls(ready=True)

    @classmethod
    def not_ready(cls, reason: str) -> Self:
        """It cannot."""
        return cls(ready=False, reason=reason)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

Conditions = Mapping[str, Callable[[], Condition]]
"""Each part's name and the question how it is."""


@asynccontextmanager
async def serve_health(settings: Health, conditions: Conditions, registry: CollectorRegistry) -> AsyncIterator[str]:
    """Answer while the block runs; gives the endpoint's address. A request for readiness asks every part anew."""
    app = web.Application()
    app.router.add_get("/live", _live)
    app.router.add_get("/ready", _readiness(conditions))
    app.router.add_get("/metrics", _metrics(registry))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await _listen(runner, settings)
        host, port = runner.addresses[0][:2]
        log.info("health endpoint on http://%s:%s", host, port, extra={"action": "health_listening", "port": port})
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, settings: Health) -> None:
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as taken:
        where = f"{settings.host}:{settings.port}"
        raise ConfigurationError(
            f"the health endpoint cannot listen on {where} ({taken.strerror}); set health.port to a free one, 0 takes any"
        ) from None


async def _live(_: web.Request) -> web.Response:
    return _json({"live": True}, 200)


def _readiness(conditions: Conditions) -> Handler:
    async def ready(_: web.Request) -> web.Response:
        wrong = {name: condition.reason for name, ask in conditions.items() if not (condition := ask()).ready}
        return _json({"ready": not wrong, "waiting_for": wrong}, 503 if wrong else 200)

    return ready


def _metrics(registry: CollectorRegistry) -> Handler:
    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(registry), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    return metrics


def _json(content: object, status: int) -> web.Response:
    return web.Response(body=orjson.dumps(content), status=status, content_type="application/json")
