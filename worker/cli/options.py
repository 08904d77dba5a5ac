"""Options that every command shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from worker.errors import ConfigurationError, GroundwatchError

if TYPE_CHECKING:
    from worker.settings import Scorer, Settings

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of text for people.")]

GLOBAL: Final = ("--config", "--set")
"""Global options that take a value."""

UNKNOWN: Final = 3
"""Exit code of a check whose labels do not tell."""

GLOBAL_NOTE: Final = "Every command also takes --config FILE, --set KEY=VALUE (repeatable) and --traceback."


class WrongUse(GroundwatchError):
    """The command was used wrongly; the message says how to use it."""


@dataclass(frozen=True)
class Options:
    """The global options."""

    config: str | None
    flags: Mapping[str, Any]


def scorer_of(settings: Settings, profile: str | None) -> Scorer:
    """The scorer's settings, with the profile that an option names."""
    return settings.scorer.model_copy(update={"profile": profile or settings.scorer.profile})


def settings_of(context: typer.Context) -> Settings:
    """The settings of this call. Raises WrongUse for a wrong setting."""
    try:
        return load(context)
    except ConfigurationError as wrong:
        raise WrongUse(str(wrong)) from None


def load(context: typer.Context) -> Settings:
    """The settings of this call. Raises ConfigurationError."""
    from worker.configuration import load_settings

    options = context.find_object(Options) or Options(None, {})
    return load_settings(Path(options.config) if options.config else None, options.flags)


def parse_flags(pairs: Sequence[str]) -> dict[str, Any]:
    """`key=value` pairs, each value read as a YAML scalar."""
    return dict(_parse_flag(pair) for pair in pairs)


def hoisted(arguments: Sequence[str]) -> list[str]:
    """`arguments` with the global options in front, so that they may stand anywhere before `--`."""
    front: list[str] = []
    rest = list(arguments)
    at = 0
    while at < len(rest) and rest[at] != "--":
        if rest[at] in GLOBAL:
            front += rest[at : at + 2]
            del rest[at : at + 2]
        elif rest[at] == "--traceback" or rest[at].startswith(tuple(f"{name}=" for name in GLOBAL)):
            front.append(rest.pop(at))
        else:
            at += 1
    return front + rest


def _parse_flag(pair: str) -> tuple[str, Any]:
    import yaml

    from detectors.settings_file import load_yaml

    key, equals, value = pair.partition("=")
    if not equals or not key:
        raise typer.BadParameter("give it as --set key=value, such as --set kafka.group=staging", param_hint="--set")
    try:
        return key, load_yaml(value)
    except (yaml.YAMLError, RecursionError):
        raise typer.BadParameter(f"the value of {key} is not YAML; quote it", param_hint="--set") from None
