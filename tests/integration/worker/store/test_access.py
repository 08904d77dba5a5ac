"""Ways into a real Postgres with TLS, and ways to be turned away."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from tests.secure_postgres import CERTIFIED, PASSWORD, SecurePostgres
from tests.waiting import until
from worker.errors import StoreUnavailable
from worker.settings import Store
from worker.store.postgres import PostgresStore

pytestmark = [pytest.mark.services, pytest.mark.timeout(120)]

WRONG = "Recognise-This-Wrong-Secret"
ROLE = "app"


@pytest.fixture(scope="module")
def server(secure_postgres: SecurePostgres) -> SecurePostgres:
    secure_postgres.execute(f"CREATE ROLE {ROLE} SUPERUSER LOGIN PASSWORD '{PASSWORD}'", f"CREATE ROLE {CERTIFIED} SUPERUSER LOGIN")
    return secure_postgres


@pytest.fixture
def secure_database(server: SecurePostgres) -> Iterator[str]:
    name = server.create_database()
    yield name
    server.drop_database(name)


async def check(server: SecurePostgres, database: str, role: str = ROLE, **settings: Any) -> None:
    """Connect and look at the schema."""
    tls = {"sslmode": "verify-full", "ca_file": server.authority.file}
    store = await PostgresStore.connect(Store(**{"dsn": SecretStr(server.tls_address(database, role)), **tls, **settings}))
    try:
        await store.check()
    finally:
        await store.close()


async def test_a_password_from_a_file_or_the_environment_opens(server: SecurePostgres, secure_database: str, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n")
    await check(server, secure_database, password_file=file)
    await check(server, secure_database, password=SecretStr(PASSWORD))
    in_the_address = server.tls_address(secure_database, f"{ROLE}:{PASSWORD}")
    await check(server, secure_database, dsn=SecretStr(in_the_address))
    parameters = f"{in_the_address}?sslmode=verify-full&sslrootcert={server.authority.file}"
    await check(server, secure_database, dsn=SecretStr(parameters), sslmode=None, ca_file=None)
    await check(server, secure_database, dsn=SecretStr(in_the_address), sslmode="require", ca_file=None)


async def test_a_client_certificate_opens(server: SecurePostgres, secure_database: str) -> None:
    await check(server, secure_database, CERTIFIED, certificate_file=server.client.certificate, key_file=server.client.key)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"password": SecretStr(WRONG)}, "Postgres refuses the login"),
        ({"password_file": Path("/absent/password")}, "store.password_file: /absent/password cannot be read (No such file or directory)"),
        ({"ca_file": "stranger-ca.pem"}, "its certificate is signed by nobody in store.ca_file"),
        ({"ca_file": Path("/absent/ca.pem")}, "store.ca_file: /absent/ca.pem is no PEM file"),
        ({"dsn": "127.0.0.2"}, "use a name of the certificate in store.dsn"),
        ({"sslmode": "disable", "ca_file": None}, "Check user and store.password_file, store.sslmode and pg_hba.conf"),
        ({"certificate_file": "stranger.pem", "key_file": "server.key"}, "no certificate with its own, unencrypted key"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
async def test_the_reason_is_one_line_that_names_what_to_mend(
    server: SecurePostgres, secure_database: str, settings: dict[str, Any], says: str
) -> None:
    named = {
        name: server.directory / value if name.endswith("_file") and isinstance(value, str) else value for name, value in settings.items()
    }
    if "dsn" in named:
        named["dsn"] = SecretStr(server.tls_address(secure_database, ROLE).replace("127.0.0.1", settings["dsn"]))
    with pytest.raises(StoreUnavailable) as refused:
        await check(server, secure_database, **named)
    said = str(refused.value)
    assert says in said
    assert "\n" not in said
    assert WRONG not in said


async def test_an_expired_certificate_is_named_and_its_renewal_is_enough(server: SecurePostgres, secure_database: str) -> None:
    async def said() -> str:
        try:
            await check(server, secure_database, password=SecretStr(PASSWORD))
        except StoreUnavailable as refused:
            return str(refused)
        return "ok"

    server.show(days=-1)
    await until(lambda: _holds(said, "its certificate has expired; renew it"))
    server.show(days=2)
    await until(lambda: _holds(said, "ok"))
    server.execute("ALTER SYSTEM SET ssl = off", "SELECT pg_reload_conf()")
    await until(lambda: _holds(said, "Postgres does not answer with TLS"))
    server.execute("ALTER SYSTEM RESET ssl", "SELECT pg_reload_conf()")
    await until(lambda: _holds(said, "ok"))


async def _holds(said: Callable[[], Awaitable[str]], part: str) -> bool:
    return part in await said()
