"""The container's description: who runs, what is in it, and that no secret is. (Building it takes a container engine.)"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]


class Instruction(NamedTuple):
    """One line of the Dockerfile, continuations joined."""

    name: str
    rest: str


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, FROM first."""
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = [line.split(maxsplit=1) for line in re.sub(r"\\\n\s*", "", text).splitlines() if line.strip()]
    found: list[list[Instruction]] = []
    for name, rest in lines:
        if name == "FROM":
            found.append([])
        found[-1].append(Instruction(name, rest))
    return found


def of(name: str) -> list[str]:
    """What the instructions of that name in the last stage say."""
    return [rest for each, rest in stages()[-1] if each == name]


def test_it_runs_as_a_numbered_user_who_is_not_root() -> None:
    assert of("USER")[-1] == "10001:10001"
    names = [name for name, _ in stages()[-1]]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert not [name for name in names[names.index("USER") :] if name in {"RUN", "COPY", "ADD"}]


def test_no_tool_to_build_with_stays_in_it() -> None:
    commands = " ".join(of("RUN"))
    assert not re.search(r"install\b(?<!uninstall)|\b(apt-get|gcc|git|curl|wget)\b", commands)
    for built in stages():
        assert "pip uninstall --yes pip setuptools" in " ".join(rest for name, rest in built if name == "RUN")


def test_what_is_copied_is_named_and_exists() -> None:
    copied = [shlex.split(rest)[:-1] for stage in stages() for name, rest in stage if name == "COPY" and not rest.startswith("--from")]
    sources = {source for sources in copied for source in sources}
    assert "." not in sources
    assert {source for source in sources if not (ROOT / source).exists()} == set()
    assert not [rest for stage in stages() for name, rest in stage if name == "ADD"]


def test_it_holds_no_secret() -> None:
    set_here = " ".join(rest for stage in stages() for name, rest in stage if name in {"ENV", "ARG"})
    assert not re.search(r"password|secret|token|dsn|key", set_here, flags=re.IGNORECASE)


def test_its_health_is_its_readiness_and_signals_reach_the_worker() -> None:
    assert "/ready" in of("HEALTHCHECK")[0]
    assert of("ENTRYPOINT") == ['["groundwatch"]']
    assert of("CMD") == ['["worker"]']
