"""Every regular expression of the product, found by looking."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from detectors import load_profile
from detectors.absence import AbsenceRule

PACKAGES = ("schemas", "detectors", "worker")
DEEPEST = 6
INLINE = {"search", "match", "fullmatch", "split", "findall", "finditer", "sub"}


class Found(NamedTuple):
    """A pattern."""

    place: str
    pattern: re.Pattern[str]
    anchored: bool
    """Only ever tried at one place of a text, never searched for."""


def modules() -> Iterator[ModuleType]:
    for name in PACKAGES:
        package = importlib.import_module(name)
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def compiling() -> set[str]:
    """Names of the modules that compile patterns."""
    return {module.__name__ for module in modules() for call, _ in _calls(module) if call.attr == "compile"}


def product_patterns() -> list[Found]:
    """Those of module attributes, of functions without parameters that keep what they made, of attributes of objects that those
    hold, and those written where they are used.
    """
    walk = _Walk()
    for module in modules():
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern) or getattr(value, "__module__", module.__name__) == module.__name__:
                walk.into(value, f"{module.__name__}.{name}", anchored=_anchored(module, name))
        for call, argument in _calls(module):
            if call.attr in INLINE and isinstance(argument, ast.Constant):
                place = f"{module.__name__}:{call.lineno}"
                walk.into(re.compile(argument.value), place, anchored=call.attr in ("match", "fullmatch"))
    for profile in ("default", "seed"):
        walk.into(load_profile(profile), profile)
        walk.into(AbsenceRule(load_profile(profile).abstention), f"detectors.patterns.Phrases in {profile}")
    return list(walk.found.values())


def _calls(module: ModuleType) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Calls of functions of `re` with their first argument."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re")) as function, args=[first, *_]):
                yield function, first


def _anchored(module: ModuleType, name: str) -> bool:
    used = set(re.findall(rf"\b{name}(?:\(\))?\.(\w+)\(", inspect.getsource(module)))
    return bool(used) and used <= {"match", "fullmatch"}


class _Walk:
    def __init__(self) -> None:
        self.found: dict[re.Pattern[str], Found] = {}
        self._seen: dict[int, Any] = {}

    def into(self, value: Any, place: str, depth: int = 0, *, anchored: bool = False) -> None:
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                self.found.setdefault(value, Found(place, value, anchored))
        elif depth < DEEPEST and id(value) not in self._seen and not isinstance(value, str | bytes | int | float | type):
            self._seen[id(value)] = value
            for inner, where in self._parts(value, place):
                self.into(inner, where, depth + 1, anchored=anchored)

    def _parts(self, value: Any, place: str) -> Iterator[tuple[Any, str]]:
        if hasattr(value, "cache_info"):
            if _own(value) and not inspect.signature(value).parameters:
                yield value(), f"{place}()"
        elif isinstance(value, list | tuple | set | frozenset):
            yield from ((inner, place) for inner in value)
        elif isinstance(value, dict):
            yield from ((inner, f"{place}.{name}") for name, inner in value.items())
        elif _own(type(value)):
            kept = [name for kind in type(value).__mro__ for name, made in vars(kind).items() if isinstance(made, cached_property)]
            yield from ((getattr(value, name), f"{place}.{name}") for name in [*kept, *getattr(value, "__dict__", ())])


def _own(thing: Any) -> bool:
    return thing.__module__.split(".")[0] in PACKAGES
