"""The alerts: well-formed PromQL over metrics that exist, each with a line in the operations manual."""

import re
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry

from worker.monitor.metrics import MonitorMetrics
from worker.telemetry import Telemetry

ROOT = Path(__file__).parents[3]
RULES = [rule for group in yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())["groups"] for rule in group["rules"]]
MANUAL = (ROOT / "docs" / "operations.md").read_text()


def exported() -> dict[str, set[str]]:
    """Every metric of a worker with the names of its labels."""
    registry = CollectorRegistry()
    Telemetry(registry)
    MonitorMetrics(registry)
    return {
        name: set(collector._labelnames)
        for collector, names in registry._collector_to_names.items()
        for name in names
        if not name.endswith("_created")
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
class TestAlert:
    def test_its_expression_is_promql(self, rule: dict[str, Any]) -> None:
        promql_parser.parse(rule["expr"])

    def test_its_metrics_and_their_labels_exist(self, rule: dict[str, Any]) -> None:
        metrics = exported()
        used = re.findall(r"(groundwatch_\w+)(?:\{([^}]*)\})?", rule["expr"])
        assert used
        for name, matchers in used:
            assert name in metrics
            assert set(re.findall(r"(\w+)=", matchers)) <= metrics[name]

    def test_it_says_what_to_look_up(self, rule: dict[str, Any]) -> None:
        assert set(rule["annotations"]) == {"summary", "action"}
        assert rule["labels"]["severity"] in {"warning", "critical"}
        looked_up = re.search(r'[Ss]ee "([^"]+)"', rule["annotations"]["action"])
        assert looked_up
        assert looked_up[1] in MANUAL
