"""One report in four shapes."""

from xml.etree import ElementTree as Xml

from tests.unit.worker.gate.factories import answers
from worker.gate.judgement import Report, judge
from worker.gate.report import as_json, as_junit, as_markdown, rows
from worker.settings import Gate


def report() -> Report:
    """One dataset each that is fine, worse and unknown."""
    baseline = {"fine": answers(200, gap=3), "worse|<b>": answers(200, gap=3), "few": answers(10, gap=3)}
    return judge(baseline, {**baseline, "worse|<b>": answers(200, gap=0.5)}, Gate(datasets=4, domain_specific=("fine",)))


def test_a_table_has_a_dataset_a_row_with_its_figures() -> None:
    few, fine, worse = rows(report())

    assert (few[0], few[6]) == ("few", "not_enough_labels")
    assert fine[3:7] == ("+0.000 (+0.000 – +0.000)", "1", "200", "ok")
    assert str(worse[7]).startswith("AUROC 0.6")


def test_json_holds_the_figures_of_every_dataset() -> None:
    found = as_json(report())

    assert found["outcome"] == "worse"
    assert found["datasets"]["fine"]["candidate"]["grounded"] == 100
    assert found["datasets"]["fine"]["paired"] is True


def test_junit_has_a_case_for_every_dataset_and_one_for_the_whole() -> None:
    suite = Xml.fromstring(as_junit(report()))

    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {"few": ["error"], "fine": [], "worse|<b>": ["failure"], "enough datasets": ["error"]}
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "2")


def test_names_break_no_markdown_table() -> None:
    lines = as_markdown(report()).splitlines()

    assert lines[0] == "### ❌ groundwatch gate: worse"
    (worse,) = [line for line in lines if line.startswith("| worse\\|")]
    assert "worse\\|&lt;b>" in worse
    assert worse.replace("\\|", "").count("|") == 9
