"""Pairs are right when the grounded answer scores strictly higher, edge cases by status or decision, decisions stay put."""

import json
from pathlib import Path
from typing import Any

import pytest
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


@pytest.mark.parametrize(("count", "shared", "answers"), [(1, [], 0), (4, [], 8), (10, ["One shared passage."], 0)])
def test_with_few_cases_what_there_is_is_added_and_a_note_says_what_was_not_measured_fully(
    tmp_path: Path, detectors: list[WordDetector], count: int, shared: list[str], answers: int
) -> None:
    cases = [case(number, **({"contexts": shared} if shared else {})) for number in range(count)]
    (tmp_path / "contrast.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))

    ran = runner.invoke(app, ["--cases", str(tmp_path), "--json", str(tmp_path / "c.json"), "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 0, ran.output
    assert "nine unrelated passages added: not measured fully" in ran.stderr
    written = json.loads((tmp_path / "c.json").read_bytes())
    assert written["same_decision"]["nine unrelated passages added"]["of"] == answers
    assert written["same_decision"]["contexts reversed"]["of"] == 2 * count
    assert written["edge"] == {}


@pytest.mark.parametrize(
    ("name", "row", "complaint"),
    [
        ("contrast", {key: value for key, value in case(1).items() if key != "grounded"}, "contrast.jsonl, line 2: grounded is missing"),
        ("contrast", case(1, contexts=[]), "contrast.jsonl, line 2: contexts"),
        ("contrast", case(1, contexts="One."), "contrast.jsonl, line 2: contexts"),
        ("contrast", [1], "contrast.jsonl, line 2: the line should be a valid dict"),
        ("contrast", "{", "contrast.jsonl, line 2: the line is not JSON"),
        ("edge", edge("a", "accepted", "One."), "edge.jsonl, line 2: expect should be 'not_measurable', 'no_context', 'accept'"),
        ("edge", {"id": "a", "expect": "accept", "response": "One."}, "edge.jsonl, line 2: contexts is missing"),
    ],
)
def test_a_wrong_line_is_refused_before_anything_is_scored(
    tmp_path: Path, detectors: list[WordDetector], name: str, row: object, complaint: str
) -> None:
    for file, right in (("contrast", case(0)), ("edge", edge("e", "no_context", "One."))):
        wrong = row if isinstance(row, str) else json.dumps(row)
        (tmp_path / f"{file}.jsonl").write_text(json.dumps(right) + "\n" + (wrong if file == name else ""))

    ran = runner.invoke(app, ["--cases", str(tmp_path), "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 2
    assert complaint in ran.output
    assert len(ran.output.splitlines()) == 1
    assert detectors == []


def test_a_wrong_profile_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "contrast.jsonl").write_text(json.dumps(case(0)) + "\n")

    ran = runner.invoke(app, ["--cases", str(tmp_path), "--profile", "nonesuch", "--cache", str(tmp_path / "cache")])

    assert ran.exit_code == 2
    assert "nonesuch: not in configs/profiles" in ran.output


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    ran = runner.invoke(app, ["--cases", str(tmp_path)])

    assert ran.exit_code == 2
    assert "contrast.jsonl is missing" in ran.output
