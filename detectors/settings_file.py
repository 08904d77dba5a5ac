"""Reading a YAML file of configs/ into a frozen model."""

from collections.abc import Container, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError
from rapidfuzz import fuzz, process

from detectors.errors import ProfileError
from schemas.faults import first_fault

M = TypeVar("M", bound=BaseModel)

Weight = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(gt=0)]


class _Twice(yaml.MarkedYAMLError):
    """A key stands twice in one mapping."""


class _Loader(yaml.SafeLoader):
    """YAML itself would take the last of two entries."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        seen = set[tuple[str, str]]()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if (key.tag, key.value) in seen:
                raise _Twice(problem=f"{key.value} stands twice", problem_mark=key.start_mark)
            seen.add((key.tag, key.value))
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """At once: a mapping that holds itself is refused. PyYAML lets the errors of conversions through, such as of a 31 February."""
        try:
            return super().construct_object(node, deep=True)
        except (ValueError, LookupError, AttributeError, TypeError, OverflowError):
            raise yaml.constructor.ConstructorError(problem="found a value that cannot be read", problem_mark=node.start_mark) from None


def load_yaml(text: str | bytes) -> Any:
    """What a YAML document holds. Raises yaml.YAMLError, UnicodeDecodeError and, where it is nested too deeply, RecursionError."""
    return _Loader(text).get_single_data()


class Section(BaseModel):
    """A group of settings: frozen, unknown keys refused with the one that may be meant."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or not (unknown := [key for key in given if key not in cls.model_fields]):
            return given
        faults = [InitErrorDetails(type=_unknown(str(key), tuple(cls.model_fields)), loc=(str(key),), input=None) for key in unknown]
        raise ValidationError.from_exception_data(cls.__name__, faults)


_LIKE: Final = 75
"""Likeness, of 100, of two keys one of which may be meant by the other. Below it all are listed: `at_min` is not `at_most`."""


def _unknown(key: str, known: Sequence[str]) -> PydanticCustomError:
    meant = process.extractOne(key, known, scorer=fuzz.ratio, score_cutoff=_LIKE)
    hint = f"did you mean {meant[0]}?" if meant else f"use one of {', '.join(known)}" if known else "there is nothing to set"
    return PydanticCustomError("extra_forbidden", "is unknown; {hint}", {"hint": hint})


def read(folder: str, name_or_path: str, kind: type[M], without: Container[str] = ()) -> M:
    """The model in `configs/<folder>/<name>.yaml`, or in the file at a path (a name has neither separator nor suffix).

    Top keys in `without` are passed over. Raises ProfileError naming file and key, entries of a list by their `name`.
    """
    try:
        content = load_yaml(_bytes(folder, name_or_path))
    except _Twice as twice:
        line = f"line {twice.problem_mark.line + 1}" if twice.problem_mark else "a line"
        raise ProfileError(f"{_named(folder, name_or_path)}: {line}: {twice.problem}; keep one of the two") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as broken:
        mark = getattr(broken, "problem_mark", None)
        line = f" (line {mark.line + 1})" if mark else ""
        raise ProfileError(f"{_named(folder, name_or_path)}: not YAML in UTF-8{line}; mend the file") from None
    if isinstance(content, dict):
        content = {key: value for key, value in content.items() if key not in without}
    try:
        return kind.model_validate(content)
    except ValidationError as invalid:
        place, reason = first_fault(invalid)
        said = ": ".join(part for part in (_named(folder, name_or_path), _place(place, content), reason) if part)
        raise ProfileError(said if ";" in said else f"{said}; mend the file") from None


def _is_path(name_or_path: str) -> bool:
    path = Path(name_or_path)
    return bool(path.suffix) or len(path.parts) > 1


def _named(folder: str, name_or_path: str) -> str:
    return name_or_path if _is_path(name_or_path) else f"configs/{folder}/{name_or_path}.yaml"


def _bytes(folder: str, name_or_path: str) -> bytes:
    """Also of what can be no file's name: with a NUL, or longer than any."""
    if _is_path(name_or_path):
        try:
            return Path(name_or_path).read_bytes()
        except (OSError, ValueError) as unreadable:
            reason = getattr(unreadable, "strerror", None) or "no file's name"
            raise ProfileError(f"{name_or_path}: cannot be read ({reason}); name an existing YAML file") from None
    shipped = {item.name.removesuffix(".yaml"): item for item in (files("configs") / folder).iterdir() if item.name.endswith(".yaml")}
    if name_or_path not in shipped:
        names = ", ".join(sorted(shipped))
        raise ProfileError(f"{name_or_path}: not in configs/{folder}; use one of {names} or the path of a YAML file")
    return shipped[name_or_path].read_bytes()


def _place(location: Sequence[int | str], content: Any) -> str:
    """Dotted. What pydantic adds to a path, such as the kinds that a value may have, is no part of the file."""
    parts: list[str] = []
    for part in location:
        if part == "[key]" or not isinstance(content, list if isinstance(part, int) else dict):
            break
        content = _entry(content, part)
        named = isinstance(part, int) and isinstance(content, dict) and "name" in content
        parts.append(str(content["name"] if named else part))
    return ".".join(parts)


def _entry(content: Any, key: int | str) -> Any:
    if isinstance(content, list) and isinstance(key, int):
        return content[key] if key < len(content) else None
    return content.get(key) if isinstance(content, dict) else None
