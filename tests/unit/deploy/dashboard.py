"""The dashboard as Grafana reads it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "groundwatch.json").read_text(encoding="utf-8"))
PANELS: list[dict[str, Any]] = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
PROMETHEUS = "${prometheus}"
POSTGRES = "${postgres}"
TARGETS = {
    source: [
        pytest.param(target, id=f"{panel['title']} {target['refId']}")
        for panel in PANELS
        for target in panel["targets"]
        if target["datasource"]["uid"] == source
    ]
    for source in (PROMETHEUS, POSTGRES)
}
"""Every query by its data source, as a test's parameter."""


def as_sent(statement: str, since: str, until: str, **variables: str) -> str:
    """The SQL that Grafana sends for a panel: macros and variables replaced."""
    within = re.sub(r"\$__timeFilter\((\w+)\)", rf"\1 BETWEEN '{since}' AND '{until}'", statement)
    return re.sub(r"\$\{(\w+):sqlstring\}", lambda found: f"'{variables[found[1]]}'", within)
