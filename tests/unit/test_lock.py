"""What is installed is what constraints.txt pins, version by version."""

import re
from importlib.metadata import distributions
from pathlib import Path

LOCK = Path(__file__).parents[2] / "constraints.txt"
OWN = {"groundwatch", "pip", "setuptools", "wheel"}
"""Itself, and what makes the environment."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Exact version by canonical name. Fails for a line that is no exact pin."""
    lines = [line.split("#")[0].strip() for line in LOCK.read_text(encoding="utf-8").splitlines()]
    matched = [re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.!+_-]+)", line) for line in lines if line]
    assert None not in matched
    return {canonical(match[1]): match[2] for match in matched if match}


def test_every_installed_distribution_is_pinned_exactly() -> None:
    installed = {canonical(each.name): each.version for each in distributions()}
    assert {name: version for name, version in installed.items() if name not in OWN and pins().get(name) != version} == {}
