"""The gate's report as a table, JSON, Markdown and JUnit XML."""

from typing import Any
from xml.etree import ElementTree as Xml  # writes only

from worker.gate.judgement import Outcome, Report, Result
from worker.measurement.grouped import Figure

HEADINGS = ("dataset", "baseline", "candidate", "difference", "p", "answers", "outcome", "why")
_MARKS = {Outcome.OK: "✅", Outcome.WORSE: "❌", Outcome.NOT_ENOUGH: "⚠️"}


def rows(report: Report) -> list[tuple[object, ...]]:
    """A dataset a row, under HEADINGS; figures with their 95 % intervals."""
    return [_row(result) for result in report.results]


def as_json(report: Report) -> dict[str, Any]:
    """`outcome`, `reasons`, and for each dataset its figures."""
    return {"outcome": report.outcome, "reasons": report.reasons, "datasets": {one.dataset: _as_json(one) for one in report.results}}


def as_markdown(report: Report) -> str:
    """For the comment on a change."""
    lines = [f"### {_MARKS[report.outcome]} groundwatch gate: {report.outcome.replace('_', ' ')}", ""]
    lines += [f"- {_escaped(reason)}" for reason in report.reasons] + [""] * bool(report.reasons)
    lines += [f"| {' | '.join(HEADINGS)} |", "|---" * len(HEADINGS) + "|"]
    lines += [f"| {' | '.join(_escaped('–' if cell is None else str(cell)) for cell in row)} |" for row in rows(report)]
    return "\n".join(lines) + "\n"


def as_junit(report: Report) -> str:
    """A test case a dataset: `failure` where it is worse, `error` where the labels do not tell, the same for the gate as a whole."""
    suite = Xml.Element("testsuite", name="groundwatch gate")
    for result in report.results:
        _case(suite, result.dataset, result.outcome, result.reason)
    whole = Outcome.NOT_ENOUGH if report.reasons else Outcome.OK
    _case(suite, "enough datasets", whole, "; ".join(report.reasons))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _row(result: Result) -> tuple[object, ...]:
    one = result.compared
    difference = None if one.difference is None else f"{one.difference:+.3f} ({one.low:+.3f} – {one.high:+.3f})"
    answers = f"{one.first.n:,}" if result.paired else f"{one.first.n:,} / {one.second.n:,}"
    p = None if one.p is None else f"{one.p:.3g}"
    return result.dataset, _figure(one.first), _figure(one.second), difference, p, answers, result.outcome, result.reason


def _figure(figure: Figure) -> str | None:
    return None if figure.auroc is None else f"{figure.auroc:.3f} ({figure.low:.3f} – {figure.high:.3f})"


def _as_json(result: Result) -> dict[str, Any]:
    one = result.compared
    return {
        "outcome": result.outcome,
        "reason": result.reason,
        "paired": result.paired,
        "baseline": _counted(one.first),
        "candidate": _counted(one.second),
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "p": one.p,
    }


def _counted(figure: Figure) -> dict[str, Any]:
    return figure.as_json() | {"grounded": figure.grounded, "hallucinated": figure.hallucinated}


def _case(suite: Xml.Element, name: str, outcome: Outcome, reason: str) -> None:
    case = Xml.SubElement(suite, "testcase", classname="groundwatch.gate", name=name)
    if outcome is not Outcome.OK:
        Xml.SubElement(case, "failure" if outcome is Outcome.WORSE else "error", message=reason, type=outcome.value)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
