"""The real worker among services that ask who is there: what works, what is said when it does not, and that no secret shows."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import orjson
import pytest

from tests.acceptance.command import Ran, groundwatch
from tests.acceptance.secrets import assert_hidden, inherited, titles
from tests.acceptance.worker_process import WorkerProcess
from tests.real_kafka import fresh_names
from tests.secure_kafka import LEAST, USER, SecureKafka, unsecured_token
from tests.secure_kafka import PASSWORD as KAFKA_PASSWORD
from tests.secure_postgres import PASSWORD as POSTGRES_PASSWORD
from tests.secure_postgres import SecurePostgres
from tests.waiting import until
from worker.settings import Kafka, Topics

pytestmark = [pytest.mark.services, pytest.mark.kafka, pytest.mark.timeout(240)]

WRONG = "Recognise-This-Wrong-Secret"
TOKEN = unsecured_token(USER, marker="Recognise-This-Token")
EXPIRED_TOKEN = unsecured_token(USER, -60, marker="Recognise-This-Token")
SECRETS = (KAFKA_PASSWORD, POSTGRES_PASSWORD, WRONG, TOKEN, EXPIRED_TOKEN)
EVENTS = (
    {"response_id": "r-1", "dataset": "d", "model": "m", "contexts": ["The battery lasts nine hours."], "response": "It lasts nine hours."},
    {"response_id": "r-1", "label": 1},
)


@dataclass(frozen=True)
class Services:
    """Kafka by SASL_SSL and SCRAM, Postgres by verify-full as the least that a worker needs."""

    kafka: SecureKafka
    postgres: SecurePostgres
    database: str
    role: str

    def environment(self, listener: str = "SASL_SSL", **kafka: Any) -> dict[str, str]:
        """Settings of the command; `kafka` goes over the listener's. Of a file a text is the content, a path is beside Kafka's own."""
        files = {name: value for name, value in kafka.items() if name.endswith("_file") and value}
        placed = {name: self.kafka.directory / of if isinstance(of, Path) else self.kafka.file(of) for name, of in files.items()}
        names = fresh_names()
        topics = {f"GROUNDWATCH_KAFKA__TOPICS__{field.upper()}": name for field, name in names["topics"].items()}
        return {
            **self.kafka.environment(listener, **(kafka | placed)),
            **topics,
            "GROUNDWATCH_KAFKA__GROUP": names["group"],
            "GROUNDWATCH_KAFKA__LAG_SECONDS": "0.5",
            "GROUNDWATCH_STORE__DSN": self.postgres.tls_address(self.database, self.role),
            "GROUNDWATCH_STORE__PASSWORD_FILE": str(self.kafka.file(POSTGRES_PASSWORD)),
            "GROUNDWATCH_STORE__SSLMODE": "verify-full",
            "GROUNDWATCH_STORE__CA_FILE": str(self.postgres.authority.file),
            "GROUNDWATCH_LOG_LEVEL": "debug",
        }

    def permit(self, environment: dict[str, str]) -> None:
        """Let LEAST work on the topics that these settings name."""
        start = "GROUNDWATCH_KAFKA__TOPICS__"
        topics = {name.removeprefix(start).lower(): topic for name, topic in environment.items() if name.startswith(start)}
        self.kafka.permit(Kafka(group=environment["GROUNDWATCH_KAFKA__GROUP"], topics=Topics(**topics)))

    async def count(self, table: str) -> int:
        """Rows of a table, as superuser."""
        connection = await asyncpg.connect(self.postgres.address(self.database))
        try:
            return int(await connection.fetchval(f"SELECT count(*) FROM groundwatch.{table}"))
        finally:
            await connection.close()


@pytest.fixture
def services(secure_kafka: SecureKafka, secure_postgres: SecurePostgres) -> Iterator[Services]:
    database, role = secure_postgres.create_database(), f"writer{uuid4().hex[:8]}"
    secure_postgres.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{POSTGRES_PASSWORD}'")
    ran = groundwatch("db", "grant", "--writer", role, env={"GROUNDWATCH_STORE__DSN": secure_postgres.address(database)})
    assert (ran.code, ran.out.decode()) == (0, f"{role} is writer\n"), ran.err
    yield Services(secure_kafka, secure_postgres, database, role)
    secure_postgres.drop_database(database)
    secure_postgres.execute(f"DROP ROLE {role}")


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Any]:
    """Starts the worker with these settings; it is killed in the end."""
    started: list[WorkerProcess] = []

    def worker(environment: dict[str, str]) -> WorkerProcess:
        known = {"GROUNDWATCH_KAFKA__BOOTSTRAP_SERVERS", "GROUNDWATCH_STORE__DSN"}
        settings = {name: value for name, value in environment.items() if name not in known}
        addresses = [environment[name] for name in sorted(known)]
        process = WorkerProcess(tmp_path, kafka=addresses[0], database=addresses[1], **settings)
        started.append(process)
        process.start()
        return process

    yield worker
    for process in started:
        process.kill()


def checks(ran: Ran) -> dict[str, Any]:
    assert ran.out, ran.err
    return {check["name"]: check for check in json.loads(ran.out)}


WAYS = {
    "least": ("SASL_SSL", {"user": LEAST}),
    "token": ("SASL_SSL", {"sasl_mechanism": "OAUTHBEARER", "user": None, "password_file": None, "token_file": TOKEN}),
    "certificate": ("MUTUAL", {"certificate_file": Path("client.pem"), "key_file": Path("client.key")}),
}


@pytest.mark.parametrize("way", WAYS)
async def test_it_decides_an_event_with_the_least_that_it_needs(services: Services, start: Any, tmp_path: Path, way: str) -> None:
    listener, changes = WAYS[way]
    environment = services.environment(listener, **changes)
    if way == "least":
        assert groundwatch("topics", "create", env=environment | {"GROUNDWATCH_KAFKA__USER": USER}).code == 0
        await asyncio.to_thread(services.permit, environment)
    worker = start(environment)
    await worker.until_ready()
    events = tmp_path / "events.jsonl"
    events.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in EVENTS))
    sender = {"GROUNDWATCH_KAFKA__USER": USER} if way == "least" else {}
    shown = [groundwatch("emit", events, env=environment | sender)]
    assert shown[0].code == 0, shown[0].err
    await until(lambda: services.count("decisions"), timeout=60)
    await until(lambda: services.count("pairs"), timeout=60)
    await until(lambda: services.count("auroc_snapshots"), timeout=60)
    commands = [["ledger"], ["topics", "list"], ["auroc"], ["doctor", "--json"]] if way == "least" else [["ledger"]]
    shown += [groundwatch(*command, env=environment) for command in commands]
    assert {ran.code for ran in shown} == {0}, [ran.err for ran in shown]
    if way == "least":
        assert {name: check["detail"] for name, check in checks(shown[-1]).items() if check["status"] != "ok"} == {}
    assert await services.count("dead_letters") == 0
    assert_hidden(SECRETS, worker.log.read_bytes(), worker.health("/metrics")[1], titles(worker.pid), inherited(worker.pid))
    assert b"GROUNDWATCH_" not in inherited(worker.pid)
    assert_hidden(SECRETS, *(text for ran in shown for text in (ran.out, ran.err)))
    assert worker.stop() == 0


TURNED_AWAY: dict[str, tuple[str, dict[str, Any], str]] = {
    "wrong password": ("SASL_SSL", {"password_file": WRONG}, "mend kafka.user and kafka.password_file"),
    "wrong password in the environment": (
        "SASL_SSL",
        {"password_file": None, "password": WRONG},
        f"it refuses user {USER}",
    ),
    "wrong token": ("SASL_SSL", {"sasl_mechanism": "OAUTHBEARER", "token_file": EXPIRED_TOKEN}, "it refuses the token in"),
    "wrong authority": ("SASL_SSL", {"ca_file": Path("stranger-ca.pem")}, "its certificate is signed by nobody in kafka.ca_file"),
    "expired certificate": ("EXPIRED", {}, "its certificate has expired; renew it"),
    "plaintext to tls": (
        "SASL_SSL",
        {"security_protocol": "PLAINTEXT", "ca_file": None, "user": None, "password_file": None},
        "look at kafka.security_protocol",
    ),
}


@pytest.mark.parametrize("way", TURNED_AWAY)
async def test_worker_and_doctor_say_in_one_line_what_to_mend_of_kafka(services: Services, start: Any, way: str) -> None:
    listener, changes, says = TURNED_AWAY[way]
    await assert_said(start, services.environment(listener, **changes), "broker", says, ["topics", "list"])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"PASSWORD_FILE": None, "PASSWORD": WRONG}, "Postgres refuses the login"),
        ({"PASSWORD_FILE": None, "DSN": f"postgresql://ROLE:{WRONG}@127.0.0.1:PORT/DATABASE"}, "Postgres refuses the login"),
        ({"CA_FILE": "stranger-ca.pem"}, "its certificate is signed by nobody in store.ca_file"),
    ],
    ids=["password", "password in the address", "authority"],
)
async def test_worker_and_doctor_say_in_one_line_what_to_mend_of_postgres(
    services: Services, start: Any, changes: dict[str, str | None], says: str
) -> None:
    environment = services.environment()
    for name, value in changes.items():
        environment.pop(f"GROUNDWATCH_STORE__{name}", None)
        if name == "CA_FILE":
            environment["GROUNDWATCH_STORE__CA_FILE"] = str(services.postgres.directory / str(value))
        elif name == "DSN":
            right = services.postgres.tls_address(services.database, services.role)
            environment["GROUNDWATCH_STORE__DSN"] = right.replace("@", f":{WRONG}@")
        elif value:
            environment[f"GROUNDWATCH_STORE__{name}"] = value
    await assert_said(start, environment, "database", says, ["db", "upgrade"])


async def assert_said(start: Any, environment: dict[str, str], check: str, says: str, command: list[str]) -> None:
    """The worker by its readiness and its log, doctor and the command say it, each in a line, and none shows a secret."""
    worker = start(environment)

    def reasons() -> str:
        listening = any(line["action"] == "health_listening" for line in worker.actions())
        return " ".join(json.loads(worker.health("/ready")[1])["waiting_for"].values()) if listening else ""

    await until(lambda: says in reasons(), timeout=60, every=0.3)
    assert "\n" not in reasons()
    assert any(says in line["message"] for line in worker.actions() if line["action"] == "infrastructure_wait")
    quick = {**environment, "GROUNDWATCH_SCORER__PROFILE": "absent"}  # the models have nothing to do with it
    doctor, ran = groundwatch("doctor", "--json", env=quick), groundwatch(*command, "--traceback", env=environment)
    assert (checks(doctor)[check]["status"], doctor.code, ran.code) == ("failed", 1, 1)
    for said in (checks(doctor)[check]["detail"], ran.err.rstrip("\n")):
        assert says in said
        assert "\n" not in said
    assert_hidden(SECRETS, worker.log.read_bytes(), *worker.health("/ready")[1:], titles(worker.pid), inherited(worker.pid))
    assert_hidden(SECRETS, doctor.out, doctor.err, ran.out, ran.err)


@pytest.mark.parametrize(
    "variables",
    [
        {"GROUNDWATCH_STORE__DSN": f"postgresql://u:{WRONG}@h:port/d"},
        {"GROUNDWATCH_STORE__DSN": f"mysql://u:{WRONG}@h/d"},
        {"GROUNDWATCH_STORE": f'{{"dsn": "postgresql://u:{WRONG}@h/d"'},
        {"GROUNDWATCH_KAFKA__PASSWORD": WRONG},
        {"GROUNDWATCH_KAFKA__PASSWRD": WRONG},
        {"GROUNDWATCH_KAFKA": f'["{WRONG}"]'},
    ],
    ids=str,
)
@pytest.mark.parametrize("command", [("db", "upgrade"), ("worker",)], ids=" ".join)
def test_a_wrong_setting_with_a_secret_in_it_is_refused_without_it(command: tuple[str, ...], variables: dict[str, str]) -> None:
    ran = groundwatch(*command, "--traceback", env={"GROUNDWATCH_HEALTH__PORT": "0", **variables})
    assert ran.code in {1, 2}
    assert_hidden(SECRETS, ran.out, ran.err)
