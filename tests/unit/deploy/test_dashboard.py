"""The dashboard: every panel is fed by metrics that exist, whatever data sources it is imported with."""

import re
from typing import Any

import pytest

from tests.unit.deploy.dashboard import DASHBOARD, PANELS, POSTGRES, PROMETHEUS, TARGETS
from tests.unit.deploy.promql import check_metrics

VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
DATA_SOURCES = {PROMETHEUS: "prometheus", POSTGRES: "grafana-postgresql-datasource"}


@pytest.mark.parametrize("target", TARGETS[PROMETHEUS])
def test_the_metrics_of_a_panel_and_their_labels_exist(target: dict[str, Any]) -> None:
    shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
    assert "groundwatch_" in target["expr"]
    assert shown <= check_metrics(target["expr"])


@pytest.mark.parametrize("name", ["dataset", "model"])
def test_what_can_be_chosen_are_labels_that_exist(name: str) -> None:
    asked = re.fullmatch(r"label_values\((.+), (\w+)\)", VARIABLES[name]["definition"])
    assert asked
    assert VARIABLES[name]["query"]["query"] == VARIABLES[name]["definition"]
    assert asked[2] in check_metrics(asked[1])


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["title"])
class TestPanel:
    def test_its_data_sources_are_chosen_on_import(self, panel: dict[str, Any]) -> None:
        for source in (panel["datasource"], *(target["datasource"] for target in panel["targets"])):
            assert DATA_SOURCES[source["uid"]] == source["type"]
            assert VARIABLES[source["uid"].strip("${}")]["query"] == source["type"]

    def test_it_says_what_it_shows(self, panel: dict[str, Any]) -> None:
        assert panel["title"]
        assert panel["description"]
        assert panel["targets"]

    def test_its_variables_exist(self, panel: dict[str, Any]) -> None:
        for target in panel["targets"]:
            used = re.findall(r"\$\{?(\w+)", target.get("expr", "") + target.get("rawSql", ""))
            assert {name for name in used if not name.startswith("__")} <= VARIABLES.keys()


def test_every_panel_has_an_id_and_a_place_of_its_own() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not taken & cells, panel["title"]
        taken |= cells
