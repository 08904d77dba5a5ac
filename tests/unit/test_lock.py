"""What groundwatch needs, down to the last dependency of a dependency, is what constraints.txt pins."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).parents[2] / "constraints.txt"


def pins() -> dict[str, str]:
    """Exact version by canonical name. Fails for a line that is no exact pin."""
    lines = [line.split("#")[0].strip() for line in LOCK.read_text(encoding="utf-8").splitlines()]
    matched = [re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.!+_-]+)", line) for line in lines if line]
    assert None not in matched
    return {canonicalize_name(match[1]): match[2] for match in matched if match}


def installed(name: str, extra: str, found: dict[str, str]) -> dict[str, str]:
    """Versions, less the build (+cpu), of all that `name` with its `extra` requires; what is not for this machine is not installed."""
    for required in map(Requirement, distribution(name).requires or ()):
        if required.marker and not required.marker.evaluate({"extra": extra}):
            continue
        needed = canonicalize_name(required.name)
        try:
            version = distribution(needed).version.partition("+")[0]
        except PackageNotFoundError:
            continue
        if needed not in found:
            found[needed] = version
            for inner in ("", *required.extras):
                installed(needed, inner, found)
    return found


def test_every_dependency_that_is_installed_is_pinned_exactly() -> None:
    needed = installed("groundwatch", "dev", {}) | installed("groundwatch", "demo", {})
    needed = {name: version for name, version in needed.items() if name not in {"groundwatch", "setuptools", "pip"}}
    assert len(needed) > 80
    assert {name: version for name, version in needed.items() if pins().get(name) != version} == {}
