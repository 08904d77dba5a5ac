"""The command line: help with examples, exit codes, errors in one line."""

import json
import socket
import subprocess
import sys

import pytest

from tests.acceptance.command import assert_one_line, environment, groundwatch

LEAVES = [
    ("score",),
    ("worker",),
    ("emit",),
    ("auroc",),
    ("ledger",),
    ("expire",),
    ("erase",),
    ("doctor",),
    ("topics", "create"),
    ("topics", "list"),
    ("db", "upgrade"),
    ("db", "grant"),
    ("dead-letters", "list"),
    ("dead-letters", "show"),
    ("dead-letters", "replay"),
    ("schema", "export"),
]
SERVICES = [
    ("topics", "create"),
    ("topics", "list"),
    ("ledger",),
    ("auroc",),
    ("expire",),
    ("erase", "--response-id", "r-1"),
    ("db", "upgrade"),
    ("dead-letters", "list"),
    ("dead-letters", "show", "llm.responses/0/1"),
    ("dead-letters", "replay", "llm.responses/0/1"),
]


@pytest.fixture
def nobody():
    """A port of the loopback on which nothing answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_every_command_explains_itself_with_an_example(command):
    ran = groundwatch(*command, "--help")
    text = " ".join(ran.out.decode().split())
    assert ran.code == 0
    assert f"groundwatch {' '.join(command)}" in text.split("Example")[1]
    assert "--json" in text


def test_help_loads_neither_models_nor_clients():
    heavy = {"torch", "spacy", "faust", "aiokafka", "asyncpg", "pydantic", "numpy"}
    probe = f"import sys; from worker.cli.app import run; run(['--help']); print(sorted({heavy!r} & sys.modules.keys()))"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, env=environment(), timeout=30, check=True)
    assert ran.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "No such command"),
        (["score"], "Missing argument"),
        (["score", "/absent.jsonl"], "does not exist"),
        (["score", "/dev/null", "--format", "xml"], "otel"),
        (["doctor", "--bogus"], "--bogus"),
        (["topics", "list", "--set", "kafka"], "--set key=value"),
        (["topics", "list", "--set", "kafka.grup=x"], "did you mean kafka.group?"),
        (["topics", "list", "--config", "/absent.yaml"], "/absent.yaml: cannot be read"),
        (["dead-letters", "show", "here"], "TOPIC/PARTITION/OFFSET"),
        (["dead-letters", "list", "--kind", "odd"], "poison"),
        (["dead-letters", "replay"], "--all"),
        (["dead-letters", "replay", "llm.responses/0/1", "--all"], "name one message, or several"),
        (["dead-letters", "replay", "--all", "--with", "/etc/hostname"], "--with mends one"),
        (["erase"], "--subject SUBJECT"),
        (["erase", "--subject", "jo", "--list"], "--subject SUBJECT"),
        (["erase", "--response-id", ""], "--response-id ID"),
        (["expire", "--set", "retention.days.texts=-1"], "retention.days.texts"),
        (["expire", "--set", "retention.days.decisions=1"], "kafka.retention_days.responses"),
        (["expire", "--set", "privacy.redact=[mail]"], "no pattern is called mail"),
        (["emit", "--dataset", "odd", "/"], "odd"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_use_is_exit_2_and_one_line(arguments, says):
    ran = groundwatch(*arguments)
    assert ran.code == 2
    assert_one_line(ran, says)


def test_a_wrong_variable_is_wrong_use():
    ran = groundwatch("topics", "list", env={"GROUNDWATCH_KAFKA__GRUP": "x"})
    assert ran.code == 2
    assert_one_line(ran, "kafka.group")


@pytest.mark.parametrize("command", SERVICES, ids=" ".join)
def test_an_absent_service_is_exit_1_and_one_line_without_the_password(command, nobody):
    ran = groundwatch(
        *command,
        "--set",
        f"kafka.bootstrap_servers=127.0.0.1:{nobody}",
        env={"GROUNDWATCH_STORE__DSN": f"postgresql://u:geheim@127.0.0.1:{nobody}/d"},
    )
    assert ran.code == 1
    assert_one_line(ran, "does not answer")
    assert "geheim" not in ran.err + ran.out.decode()


def test_doctor_names_what_is_wrong_and_how_to_mend_it(nobody):
    address = {"GROUNDWATCH_STORE__DSN": f"postgresql://u:geheim@127.0.0.1:{nobody}/d"}
    ran = groundwatch("doctor", "--json", "--set", f"kafka.bootstrap_servers=127.0.0.1:{nobody}", env=address)
    checks = {check["name"]: check for check in json.loads(ran.out)}
    assert ran.code == 1
    assert {name for name, check in checks.items() if check["status"] == "failed"} == {"broker", "topics", "database", "privileges"}
    assert "kafka.bootstrap_servers" in checks["broker"]["detail"]
    assert "store.dsn" in checks["database"]["detail"]
    assert b"geheim" not in ran.out
    assert "Traceback" not in ran.err


def test_doctor_reports_a_wrong_configuration_as_a_failed_check():
    ran = groundwatch("doctor", "--set", "kafka.grup=x")
    assert ran.code == 1
    assert ran.out.decode().startswith("failed  configuration")


def test_schema_export_writes_what_is_committed(tmp_path):
    from schemas.export import GENERATED

    ran = groundwatch("schema", "export", tmp_path / "out", "--json")
    assert ran.code == 0
    for path in GENERATED.iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()
    assert len(json.loads(ran.out)["written"]) == 7


def test_schema_export_without_a_place_prints_and_writes_nothing():
    from schemas.export import GENERATED

    before = {path: path.stat().st_mtime_ns for path in GENERATED.iterdir()}
    ran = groundwatch("schema", "export")
    assert ran.code == 0
    assert json.loads(ran.out) == {path.name: json.loads(path.read_bytes()) for path in GENERATED.iterdir()}
    assert {path: path.stat().st_mtime_ns for path in GENERATED.iterdir()} == before


def test_a_place_that_cannot_be_written_is_exit_1_and_one_line():
    ran = groundwatch("schema", "export", "/dev/null/here")
    assert ran.code == 1
    assert_one_line(ran, "/dev/null/here")
