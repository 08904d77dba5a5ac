"""The alerts: well-formed PromQL over metrics that exist, each with a line in the operations manual."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.deploy.promql import check_metrics, exported
from worker.settings import Gate

ROOT = Path(__file__).parents[3]
FILE = ROOT / "deploy" / "prometheus" / "alerts.yaml"
RULES = [rule for group in yaml.safe_load(FILE.read_text())["groups"] for rule in group["rules"]]
MANUAL = (ROOT / "docs" / "operations.md").read_text()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
class TestAlert:
    def test_its_metrics_and_their_labels_exist(self, rule: dict[str, Any]) -> None:
        assert "groundwatch_" in rule["expr"]
        shown = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        assert shown <= check_metrics(rule["expr"])

    def test_it_says_what_to_look_up(self, rule: dict[str, Any]) -> None:
        assert set(rule["annotations"]) == {"summary", "action"}
        assert rule["labels"]["severity"] in {"warning", "critical"}
        looked_up = re.search(r'[Ss]ee "([^"]+)"', rule["annotations"]["action"])
        assert looked_up
        assert looked_up[1] in MANUAL


@pytest.mark.parametrize(
    "expression",
    [
        "groundwatch_absent",
        "groundwatch_outcomes",
        'groundwatch_auroc{scores="final"}',
        "sum by (topic) (rate(groundwatch_decisions_total[5m]))",
        "sum by (topic) (groundwatch_consumer_lag) / on (instance) groundwatch_shed_steps",
        "groundwatch_auroc < groundwatch_window_pairs",
        "histogram_quantile(0.5, sum(rate(groundwatch_decision_seconds_bucket[5m])))",
    ],
)
def test_a_metric_or_label_that_does_not_exist_is_found(expression: str) -> None:
    with pytest.raises(AssertionError):
        check_metrics(expression)


def test_all_metrics_of_a_worker_are_known() -> None:
    assert {"groundwatch_outcomes_total", "groundwatch_auroc_low", "groundwatch_decision_seconds_bucket"} <= exported().keys()


def test_the_floor_is_the_one_of_the_gate() -> None:
    (rule,) = [rule for rule in RULES if rule["alert"] == "GroundwatchAurocBelowFloor"]
    assert f"< {Gate().minimum} " in rule["expr"]


def test_prometheus_takes_the_rules() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not on PATH; it comes with Prometheus")
    checked = subprocess.run([promtool, "check", "rules", str(FILE)], capture_output=True, text=True, timeout=30, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{len(RULES)} rules found" in checked.stdout
