"""The SQL beside this module: named queries and migrations."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_NAMED = re.compile(r"^-- name: (\w+)\n(.*?)(?=^-- name: |\Z)", re.MULTILINE | re.DOTALL)


@cache
def queries() -> Mapping[str, str]:
    """The blocks of queries.sql by name. A block starts with `-- name: …` and ends at the next one."""
    return {name: text.strip() for name, text in _NAMED.findall(_read("queries.sql"))}


@cache
def migrations() -> Mapping[str, str]:
    """The migrations by name, in the order in which they apply."""
    names = sorted(entry.name for entry in (files(__package__) / "migrations").iterdir() if entry.name.endswith(".sql"))
    return {name.removesuffix(".sql"): _read(f"migrations/{name}") for name in names}


def schema() -> str:
    """The whole schema as one script, for reading and for proving the migrations."""
    return _read("schema.sql")


def _read(path: str) -> str:
    return (files(__package__) / path).read_text(encoding="utf-8")
