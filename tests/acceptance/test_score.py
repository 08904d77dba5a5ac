"""`groundwatch score`: a decision or a named reject for every line, whatever the file holds."""

import json
import signal
import subprocess

import orjson
import pytest

from tests.acceptance.command import COMMAND, Ran, assert_one_line, environment, groundwatch

pytestmark = pytest.mark.timeout(150)

GOOD = {
    "question": "When does the ferry to the island leave?",
    "contexts": ["The ferry to the island leaves at nine from pier four."],
    "response": "The ferry leaves at nine.",
}
HOSTILE = [
    ("plain", GOOD | {"response_id": "plain"}),
    ("malformed", b'{"response_id": "cut'),
    ("empty line", b"   "),
    ("a NUL in a text", GOOD | {"response_id": "nul", "response": "The ferry\x00leaves at nine.", "contexts": ["At \x00 nine."]}),
    ("2 MB of answer", GOOD | {"response_id": "long", "response": "The ferry leaves at nine. " * 80_000}),
    ("200 contexts", GOOD | {"response_id": "many", "contexts": [f"Pier {number} has {number} berths." for number in range(200)]}),
    ("a refusal", GOOD | {"response_id": "refusal", "response": "I cannot answer that from the documents I was given."}),
    ("no contexts", GOOD | {"response_id": "bare", "contexts": []}),
    ("an empty answer", GOOD | {"response_id": "empty", "response": ""}),
    ("hidden", GOOD | {"response_id": "hidden", "response": "__REDACTED__"}),
    ("a list", [1, 2]),
    ("broken UTF-8", b'{"response": "\xff"}'),
    ("a wrong type", GOOD | {"response_id": "typed", "contexts": [5]}),
    ("a later major version", GOOD | {"response_id": "later", "schema_version": "2.0"}),
    ("without an id", GOOD),
    ("another tool's names", {"user_input": "When?", "retrieved_contexts": ["At nine."], "response": "At nine.", "id": "ragas"}),
]


def lines(*payloads: object) -> bytes:
    return b"".join((payload if isinstance(payload, bytes) else orjson.dumps(payload)) + b"\n" for payload in payloads)


def decisions(path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The hostile file, scored once: what the command said, and the folder with what it wrote."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "in.jsonl").write_bytes(lines(*(payload for _, payload in HOSTILE)))
    ran = groundwatch("score", folder / "in.jsonl", "--out", folder / "out.jsonl", timeout=100)
    return ran, folder


def test_every_line_gets_a_decision_or_a_named_reject(hostile):
    ran, folder = hostile
    by_line = {reject["line"]: reject for reject in decisions(folder / "in.rejects.jsonl")}
    assert sorted(by_line) == [2, 11, 12, 13, 14]
    assert {line: reject["field"] for line, reject in by_line.items()} == {2: "", 11: "", 12: "", 13: "contexts.0", 14: "schema_version"}
    assert all(reject["reason"] for reject in by_line.values())
    assert [one["response_id"] for one in decisions(folder / "out.jsonl")] == [
        "plain", "nul", "long", "many", "refusal", "bare", "empty", "hidden", "line-15", "ragas",
    ]  # fmt: skip
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert len([line for line in ran.err.splitlines() if not line.startswith("scoring: ")]) == 2  # a slow machine is told how far it is


def test_every_decision_is_a_score_or_a_typed_absence(hostile):
    _, folder = hostile
    statuses = {one["response_id"]: one["score_status"] for one in decisions(folder / "out.jsonl")}
    assert statuses == {
        "plain": "scored", "nul": "scored", "long": "scored", "many": "scored", "refusal": "abstained", "bare": "no_context",
        "empty": "abstained", "hidden": "redacted", "line-15": "scored", "ragas": "scored",
    }  # fmt: skip
    for one in decisions(folder / "out.jsonl"):
        assert (one["scores"]["final"] is not None) == (one["score_status"] == "scored")
        assert one["explanations"]["reason"]


def test_low_confidence_sentences_are_text(hostile):
    _, folder = hostile
    for one in decisions(folder / "out.jsonl"):
        assert all(isinstance(sentence, str) for sentence in one["explanations"]["low_confidence_sentences"])


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_empty_file_gives_an_empty_output(tmp_path, content):
    (tmp_path / "in.jsonl").write_bytes(content)
    (tmp_path / "in.rejects.jsonl").write_text("of an earlier run")
    ran = groundwatch("score", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl")
    assert ran.code == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    assert not (tmp_path / "in.rejects.jsonl").exists()


def test_stdin_to_stdout_with_the_rejects_on_stderr():
    ran = groundwatch("score", "-", "--json", "--format", "otel", stdin=lines(GOOD, b"{"))
    reject, summary = map(json.loads, ran.err.splitlines())
    (event,) = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert reject["line"] == 2
    assert (summary["lines"], summary["rejects"], sum(summary["decisions"].values())) == (2, 1, 1)
    assert event["eventName"] == "gen_ai.evaluation.result"
    assert event["attributes"]["gen_ai.response.id"] == "line-1"


def test_the_rejects_go_where_they_are_asked(tmp_path):
    ran = groundwatch("score", "-", "--rejects", tmp_path / "r.jsonl", stdin=b"{\n")
    assert ran.code == 1
    assert decisions(tmp_path / "r.jsonl")[0]["line"] == 1


def test_the_input_is_never_overwritten(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(lines(GOOD))
    ran = groundwatch("score", tmp_path / "in.jsonl", "--out", tmp_path / "in.jsonl")
    assert ran.code == 2
    assert_one_line(ran, "is the input")
    assert (tmp_path / "in.jsonl").read_bytes() == lines(GOOD)


@pytest.mark.parametrize(
    "command",
    [
        ("score", "-", "--profile", "nonesuch"),
        ("score", "-", "--set", "scorer.profile=nonesuch"),
        ("worker", "--role", "triage", "--set", "scorer.profile=nonesuch"),
    ],
    ids=" ".join,
)
def test_an_unknown_profile_is_wrong_use(command):
    ran = groundwatch(*command)
    assert ran.code == 2
    assert_one_line(ran, "nonesuch: not in configs/profiles; use one of default, seed")


def test_a_wrong_value_in_a_profile_is_wrong_use(tmp_path):
    (tmp_path / "mine.yaml").write_text("name: mine\npolicy: nonesuch\n")
    ran = groundwatch("score", "-", "--profile", tmp_path / "mine.yaml")
    assert ran.code == 2
    assert_one_line(ran, "mine.yaml: policy: nonesuch: not in configs/policies; use one of claims, gatekeeper")


def test_a_response_id_stands_for_one_answer(tmp_path):
    answer, other = GOOD | {"response_id": "a"}, GOOD | {"response_id": "a", "response": "The ferry leaves at ten."}
    (tmp_path / "in.jsonl").write_bytes(lines(answer, other, answer))
    ran = groundwatch("score", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--json", timeout=100)
    assert ran.code == 1
    assert len(decisions(tmp_path / "out.jsonl")) == 1
    (reject,) = decisions(tmp_path / "in.rejects.jsonl")
    assert (reject["line"], reject["field"]) == (2, "response_id")
    assert reject["reason"].startswith("stands for another answer already")
    summary = json.loads(ran.err)
    assert (summary["lines"], summary["rejects"], summary["duplicates"]) == (3, 1, 1)


def test_a_reader_that_goes_away_is_no_error():
    with subprocess.Popen(
        [COMMAND, "score", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as running:
        running.stdout.close()
        running.stdin.write(lines(GOOD))
        running.stdin.close()
        running.stdin = None
        err = running.stderr.read()
        assert running.wait(timeout=50) == 141
    assert err == b""


def test_an_interrupt_is_quiet():
    """The first decision shows that the command is at work; more lines never come."""
    with subprocess.Popen(
        [COMMAND, "score", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as running:
        running.stdin.write(lines(*[GOOD] * 64))
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
        assert running.returncode == 130
    assert err == b""


def test_the_seed_profile_scores_too() -> None:
    ran: Ran = groundwatch("score", "-", "--profile", "seed", "--format", "openinference", stdin=lines(GOOD))
    assert ran.code == 0
    assert json.loads(ran.out)["evaluations.0.evaluation.name"] == "groundedness"
