"""Pairs are right when the grounded answer scores strictly higher, edge cases by status or decision, decisions stay put."""

import json
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from benchmarks import contrast
from detectors import Answer
from detectors.rules import load_rules
from tests.unit.benchmarks.stub_detector import WordDetector
from worker.policy import Policy

runner = CliRunner()
app = typer.Typer()
app.command()(contrast.main)


def case(number: int, **overrides: Any) -> dict[str, Any]:
    text = f"The pier {number} opened in June. It has four berths."
    return {
        "id": f"c{number}",
        "kind": "addition",
        "question": "When?",
        "contexts": [text],
        "grounded": f"The pier {number} opened in June.",
        "ungrounded": f"The tower {number} fell in March.",
        **overrides,
    }


def edge(name: str, expect: str, response: str, *contexts: str) -> dict[str, Any]:
    return {"id": name, "kind": name, "question": None, "contexts": contexts, "response": response, "expect": expect}


def test_a_tie_is_wrong_and_kinds_are_counted_apart() -> None:
    cases = [case(1), case(2, kind="tie", ungrounded="The pier 2 opened in June.")]

    found = contrast.contrast(cases, WordDetector().assess)

    assert found == {"addition": contrast.Share(1, 1, ()), "tie": contrast.Share(0, 1, ("c2",))}


def test_edge_cases_expect_a_status_or_a_decision() -> None:
    cases = [
        edge("a", "no_context", "One."),
        edge("b", "not_measurable", "One.", "One."),
        edge("c", "reject", "nothing at all", "One two."),
        edge("d", "accept", "nothing at all", "One two."),
    ]

    found = contrast.edge(cases, WordDetector().assess, Policy(load_rules("gatekeeper")))

    assert {name: one.right for name, one in found.items()} == {"no_context": 1, "not_measurable": 0, "reject": 1, "accept": 0}


def test_contexts_are_changed_without_changing_what_they_say() -> None:
    seen: list[Answer] = []

    def assess(answers: list[Answer]) -> list[Any]:
        seen.extend(answers)
        return WordDetector().assess(answers)

    cases = [case(number) for number in range(12)]
    found = contrast.invariance(cases, assess, Policy(load_rules("gatekeeper")))

    assert {name: (one.right, one.of) for name, one in found.items()} == dict.fromkeys(found, (24, 24))
    before, added, _, split = (seen[at] for at in (0, 24, 48, 72))
    assert len(added.contexts) == 10
    assert set(before.contexts) < set(added.contexts)
    assert "".join(split.contexts) == before.contexts[0]
    assert len(split.contexts) == 2


def test_the_command_prints_and_writes_every_share(tmp_path: Path, detectors: list[WordDetector]) -> None:
    (tmp_path / "contrast.jsonl").write_text("".join(json.dumps(case(number)) + "\n" for number in range(12)))
    (tmp_path / "edge.jsonl").write_text(json.dumps(edge("a", "no_context", "One.")) + "\n")

    ran = runner.invoke(app, ["--cases", str(tmp_path), "--json", str(tmp_path / "c.json"), "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 0, ran.output
    written = json.loads((tmp_path / "c.json").read_bytes())
    assert written["contrast"]["overall"]["right"] == 12
    assert written["edge"]["no_context"] == {"right": 1, "of": 1, "wrong": []}
    assert set(written["same_decision"]) == {"nine unrelated passages added", "contexts reversed", "contexts split"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    ran = runner.invoke(app, ["--cases", str(tmp_path)])

    assert ran.exit_code == 2
    assert "contrast.jsonl is missing" in ran.output
