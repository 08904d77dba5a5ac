"""Roles in a real Postgres."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from pydantic import SecretStr

from tests.postgres_server import PostgresServer
from worker.settings import Store
from worker.store.roles import Kind, grant

MakeRole = Callable[..., str]


@pytest.fixture
def make_role(postgres_server: PostgresServer, database: str) -> Iterator[MakeRole]:
    """Makes a role; gives its name, which no other test has."""
    made: list[str] = []

    def make(suffix: str = "", *, options: str = "LOGIN") -> str:
        made.append(f"r{uuid4().hex[:8]}{suffix}")
        postgres_server.execute(f"CREATE ROLE {_quoted(made[-1])} {options}")
        return made[-1]

    yield make
    postgres_server.drop_database(urlsplit(database).path.removeprefix("/"))
    for role in made:
        postgres_server.execute(f"DROP ROLE {_quoted(role)}")


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def as_role(database: str, role: str) -> str:
    return database.replace("//postgres:@", f"//{role}:@")


def owner(database: str) -> Store:
    return Store(dsn=SecretStr(database))


async def granted(database: str, make_role: MakeRole, kind: Kind) -> str:
    """The address of the database for a fresh role of that kind."""
    role = make_role()
    await grant(owner(database), {kind: role})
    return as_role(database, role)


@pytest.fixture
async def reader(database: str, make_role: MakeRole) -> str:
    """The address of the database for who plots from it."""
    return await granted(database, make_role, "reader")
