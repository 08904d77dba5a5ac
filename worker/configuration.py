"""Reading the settings: file, then environment (`GROUNDWATCH_…`, `__` between levels), then flags. Every complaint names its source."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_settings import EnvSettingsSource, SettingsError
from rapidfuzz import process

from detectors.settings_file import load_yaml
from schemas.faults import first_fault
from worker.credentials import has_password
from worker.errors import ConfigurationError
from worker.settings import PREFIX, Settings, known_keys, section_of

CONFIG_VARIABLE: Final = "GROUNDWATCH_CONFIG"
"""Names the settings file where `--config` does not."""


class _Source(NamedTuple):
    """What one file, variable or flag sets."""

    name: str
    tree: dict[str, Any]
    private: bool = False
    """Whether a secret may stand in it: not in a settings file, which is copied about, nor on a command line, which all see."""


def load_settings(file: Path | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Settings from `file` (YAML), the environment and `flags` (dotted keys), later ones winning.

    Raises ConfigurationError naming key and source (file, variable or flag), for an unknown key the nearest known one too.
    """
    sources = [*_read(file), *_environment(), *(_Source(f"--set {key}", _branch(key, value)) for key, value in (flags or {}).items())]
    merged: dict[str, Any] = {}
    for source in sources:
        _check_known(source.name, source.tree, Settings)
        if not source.private:
            _refuse_secrets(source)
        merged = _merged(merged, source.tree)
    try:
        return Settings.model_validate(merged)
    except ValidationError as invalid:
        place, reason = first_fault(invalid)
        setting = f"setting {'.'.join(map(str, place))}: " if place else ""
        raise ConfigurationError(f"{_origin(sources, place)}: {setting}{reason}") from None


def _read(file: Path | None) -> Iterator[_Source]:
    if file is None:
        return
    try:
        content = load_yaml(file.read_text(encoding="utf-8"))
    except OSError as unreadable:
        mend = f"name a YAML file with --config or {CONFIG_VARIABLE}"
        raise ConfigurationError(f"{file}: cannot be read ({unreadable.strerror}); {mend}") from None
    except yaml.MarkedYAMLError as broken:
        line = f" in line {broken.problem_mark.line + 1}" if broken.problem_mark else ""
        raise ConfigurationError(f"{file}: not YAML ({broken.problem}{line})") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        raise ConfigurationError(f"{file}: not YAML in UTF-8") from None
    except ValueError:
        raise ConfigurationError(f"{file}: is no file's name; name a YAML file with --config or {CONFIG_VARIABLE}") from None
    if not isinstance(content, dict | None):
        raise ConfigurationError(f"{file}: a mapping of settings is expected")
    yield _Source(str(file), content or {})


def _environment() -> Iterator[_Source]:
    """One source a variable; a group's (JSON) comes before those of its parts."""
    for variable in sorted(os.environ, key=str.upper):
        if variable.upper().startswith(PREFIX) and variable.upper() != CONFIG_VARIABLE:
            yield _Source(f"environment variable {variable}", _variable(variable), private=True)


def _variable(variable: str) -> dict[str, Any]:
    if variable[len(PREFIX) :].lower().split("__")[0] not in Settings.model_fields:
        known = process.extractOne(variable.upper(), [PREFIX + key.replace(".", "__").upper() for key in known_keys()])
        raise ConfigurationError(f"environment variable {variable} is unknown; did you mean {known[0]}?")
    source = EnvSettingsSource(Settings)
    source.env_vars = {variable.lower(): os.environ[variable]}
    try:
        return source()
    except (SettingsError, RecursionError):
        raise ConfigurationError(f"environment variable {variable}: not JSON; a group of settings is given as JSON") from None


def _refuse_secrets(source: _Source) -> None:
    """Raise for a secret, without quoting it."""
    for section, key in (("kafka", "password"), ("store", "password"), ("store", "dsn")):
        group = source.tree.get(section)
        given = group.get(key) if isinstance(group, dict) else None
        if given is not None and (key != "dsn" or has_password(str(given))):
            raise ConfigurationError(
                f"{source.name}: setting {section}.{key} holds a secret, which others may read there; put it into the environment "
                f"({PREFIX}{section.upper()}__{key.upper()}), or into a file of its own that {section}.password_file names"
            )


def _branch(dotted: str, value: Any) -> dict[str, Any]:
    """A dotted key as a tree. What follows the name of a mapping is one key, dots included."""
    *sections, key = _path(dotted.split("."), Settings)
    branch: dict[str, Any] = {key: value}
    for section in reversed(sections):
        branch = {section: branch}
    return branch


def _path(parts: list[str], section: type[BaseModel]) -> list[str]:
    first, *rest = parts
    field = section.model_fields.get(first)
    inner = section_of(field.annotation) if field else None
    if not rest or field is None:
        return parts
    return [first, *(_path(rest, inner) if inner else [".".join(rest)])]


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return both


def _origin(sources: Sequence[_Source], place: Sequence[Any]) -> str:
    """The source that set `place`: the last of those that reach furthest towards it."""
    return max(sources[::-1], key=lambda source: _depth(source.tree, place)).name


def _depth(tree: Any, place: Sequence[Any]) -> int:
    """How many steps of `place` the tree has."""
    if not place or not isinstance(tree, dict) or place[0] not in tree:
        return 0
    return 1 + _depth(tree[place[0]], place[1:])


def _check_known(source: str, tree: Mapping[Any, Any], section: type[BaseModel], prefix: str = "") -> None:
    """Raise for a key that no section has. Models that ignore unknown fields elsewhere (the limits) are strict here."""
    for name, value in tree.items():
        field = section.model_fields.get(name)
        if field is None:
            nearest = process.extractOne(f"{prefix}{_first_leaf(name, value)}", known_keys())[0]
            raise ConfigurationError(f"{source}: setting {prefix}{name} is unknown; did you mean {nearest}?")
        inner = section_of(field.annotation)
        if inner and isinstance(value, dict):
            _check_known(source, value, inner, f"{prefix}{name}.")


def _first_leaf(name: Any, value: Any) -> str:
    """The dotted key of a branch, down its first entries: a misspelt section is best known by what is in it."""
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        name = f"{name}.{key}"
    return str(name)
