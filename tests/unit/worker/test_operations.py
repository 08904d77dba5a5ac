"""The operators' page names every log action and every metric that the code has."""

import re
from pathlib import Path

from prometheus_client import CollectorRegistry

from worker.monitor.metrics import MonitorMetrics
from worker.telemetry import Telemetry

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_every_log_action_is_explained() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "worker").rglob("*.py"))
    actions = set(re.findall(r'"action": "([a-z_]+)"', code))
    assert len(actions) > 20
    assert {action for action in actions if f"`{action}`" not in PAGE} == set()


def test_every_metric_is_explained() -> None:
    registry = CollectorRegistry()
    Telemetry(registry)
    MonitorMetrics(registry)
    names = {metric.name + ("_total" if metric.type == "counter" else "") for metric in registry.collect()}
    assert {name for name in names if f"`{name}" not in PAGE} == set()
