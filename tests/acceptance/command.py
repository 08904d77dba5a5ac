"""The real command, run as its users run it."""

import os
import subprocess
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

COMMAND = Path(sysconfig.get_path("scripts")) / "groundwatch"


@dataclass(frozen=True)
class Ran:
    """What came of it."""

    code: int
    out: bytes
    err: str


def environment() -> dict[str, str]:
    """This process's, without settings of groundwatch's own."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("GROUNDWATCH_")}


def groundwatch(*arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None, timeout: float = 55) -> Ran:
    """Run the command to its end."""
    command: Sequence[str] = [str(COMMAND), *map(str, arguments)]
    ran = subprocess.run(command, input=stdin, capture_output=True, env=environment() | (env or {}), timeout=timeout, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr.decode())


def assert_one_line(ran: Ran, *parts: str) -> None:
    """An error is one line that says what to do."""
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("groundwatch: ")
    for part in parts:
        assert part in ran.err
