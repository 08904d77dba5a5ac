"""Whatever the command line is called with, a wrong use is one line on stderr that a terminal only shows, and exit code 2."""

from itertools import pairwise
from pathlib import Path

import pytest

from worker.cli.app import run
from worker.cli.output import print_table, say

NAMES = ("a", *(f"b{n}" for n in range(9)))
ALIASES = "a: &a [x, x, x]\n" + "".join(f"{name}: &{name} [{', '.join([f'*{of}'] * 9)}]\n" for of, name in pairwise(NAMES))
FILES = {
    "tabs": b"kafka:\n\tgroup: x\n",
    "binary": bytes(range(256)) * 100,
    "deep": b"[" * 10_000,
    "deep mappings": b"{a: " * 2000,
    "a billion laughs": ALIASES.encode(),
    "a mapping that holds itself": b"kafka: &k\n  topics: *k\n",
    "a list that holds itself": b"privacy:\n  redact: &r [*r]\n",
    "an object": b"kafka: !!python/object/apply:os.system ['echo']\n",
    "keys that are lists": b"kafka:\n  ? [a]\n  : 1\n",
    "no key": b"kafka:\n  ~: 1\n",
    "a day that is none": b"kafka: {group: 2020-13-45}\n",
    "an integer too long": b"kafka: {partitions: " + b"9" * 10_000 + b"}\n",
    "not the integer that it says": b"kafka: {group: !!int 'x'}\n",
    "not the truth that it says": b"kafka: {group: !!bool 'x'}\n",
    "not the time that it says": b"kafka: {group: !!timestamp 'x'}\n",
    "not a number": b"retry: {first_seconds: .nan}\n",
    "several documents": b"kafka: {}\n---\nkafka: {}\n",
    "a key twice": b"kafka: {group: a}\nkafka: {group: b}\n",
    "an escape": b'"\\e[31mkafka": 1\n',
    "a list": b"- kafka\n",
}
SETTINGS = (
    *("", "=", "kafka", ".=1", "kafka..group=1", "a.b.c.d=1", "kafka=*a", "kafka=&a {topics: *a}", "kafka.group=2020-13-45", "x=[[[["),
    *("kafka=" + "[" * 1000, "kafka.partitions=" + "9" * 10_000, "kafka.group=\x00", "kafka.group=\udcff", "x" * 5000 + "=1", "\x1b[31m=1"),
    *("kafka.partitions=1e400", "privacy.patterns={a: '((('}", "kafka.group=!!python/name:os.system", "scorer.profile=../../etc/passwd"),
)
VARIABLES = {
    "KAFKA": "[[[[",
    "SAMPLING": "[" * 100_000,
    "SAMPLING__DATASETS": '{"a": 1e400}',
    "KAFKA__PARTITIONS": "9" * 10_000,
    "KAFKA__TOPICS": "{}x",
    "RETRY__FIRST_SECONDS": "nan",
    "LOG_LEVEL": "\x1b[31m",
    "X\x1b[1m": "1",
    "__": "1",
    "CONFIG": "\x1b",
    "HEALTH__PORT": "٣",
    "SCORER__PROFILE": "\udcff",
}
ARGUMENTS = (
    *(["\x00"], ["\x1b[31mscore"], ["--"], ["score"], ["score", "\x00"], ["score", "\udcff\x1b[31m"], ["score", "IN", "--json=1"]),
    *(["score", "IN", "--out", ""], ["score", "IN", "--rejects", "/"], ["score", "IN", "--format", "\x1b"]),
    ["score", "IN", "--config", "\x00"],
    *(["score", "IN", "--profile", name] for name in ("\x00", "\x00.yaml", "../../etc/passwd", "a" * 5000, "a" * 5000 + ".yaml")),
    *(["dead-letters", "show", place] for place in ("../../x", "a/0/" + "9" * 5000, "a/-1/0", "\x1b/x/1", "'; DROP TABLE decisions; --")),
    *(["calibrate", "IN", "--out", "x.json", "--alpha", value] for value in ("nan", "1e400", "-0")),
    *(["dead-letters", "list", "--limit", "9" * 5000], ["schema", "export", "\x00"], ["emit", "\x00"]),
)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.touch()
    return path


def assert_used_wrongly(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("groundwatch: ") and said.err.count("\n") == 1 and said.err.endswith("\n")
    assert len(said.err) < 1100
    assert "unexpected" not in said.err.split(":")[1]
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in said.err[:-1])


@pytest.mark.parametrize("option", ["--config", "--profile"])
@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_file_of_settings_that_is_none(content: bytes, option: str, answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (answers.parent / "odd.yaml").write_bytes(content)
    assert_used_wrongly(["score", str(answers), option, str(answers.parent / "odd.yaml")], capsys)


@pytest.mark.parametrize("setting", SETTINGS, ids=range(len(SETTINGS)))
def test_a_setting_that_is_none(setting: str, answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_used_wrongly(["score", str(answers), "--set", setting], capsys)


@pytest.mark.parametrize("name", VARIABLES, ids=range(len(VARIABLES)))
def test_a_variable_that_sets_nothing(
    name: str, answers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"GROUNDWATCH_{name}", VARIABLES[name])
    assert_used_wrongly(["score", str(answers)], capsys)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_arguments_that_mean_nothing(arguments: list[str], answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_used_wrongly([str(answers) if argument == "IN" else argument for argument in arguments], capsys)


ODD = {
    "../../etc/passwd": "../../etc/passwd",
    "'; DROP TABLE decisions; --": "'; DROP TABLE decisions; --",
    "<script>alert(1)</script>": "<script>alert(1)</script>",
    "[bold red]x[/bold red]": "[bold red]x[/bold red]",
    "%s{0}{x!r}$(id)`id`": "%s{0}{x!r}$(id)`id`",
    ":smile: http://x": ":smile: http://x",
    "\x1b[31mred\x1b]0;title\x07": "\\x1b[31mred\\x1b]0;title\\x07",
    "a\rb\nc\x9b31m": "a\\rb\\nc\\x9b31m",
    "\u202egnp.exe\u2066": "\\u202egnp.exe\\u2066",
    "\ud800": "\\ud800",
}


@pytest.mark.parametrize(("name", "shown"), ODD.items(), ids=range(len(ODD)))
def test_what_others_have_named_is_shown_and_not_obeyed(name: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("id",), [(name,)], empty="")
    assert shown in capsys.readouterr().out
    say(name)
    assert capsys.readouterr().out == shown + "\n"
