"""The one settings object: file, then environment (`GROUNDWATCH_…`, `__` between levels), then flags.

Read in the command line and passed down.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError
from rapidfuzz import process

from schemas import Limits
from schemas.faults import first_fault
from worker.errors import ConfigurationError
from worker.segments import MOST_SEGMENTS

PREFIX: Final = "GROUNDWATCH_"
CONFIG_VARIABLE: Final = "GROUNDWATCH_CONFIG"
"""Names the settings file where `--config` does not."""

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(gt=0)]


class Section(BaseModel):
    """A group of settings: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, coerce_numbers_to_str=True)


class Topics(Section):
    """Names of the topics."""

    responses: str = "llm.responses"
    labels: str = "llm.labels"
    decisions: str = "llm.decisions"
    pairs: str = "llm.pairs"
    auroc: str = "llm.auroc"
    dead_letters: str = "llm.dead-letters"

    def all(self) -> tuple[str, ...]:
        """Every topic that groundwatch reads or writes."""
        return (self.responses, self.labels, self.decisions, self.pairs, self.auroc, self.dead_letters)


class Kafka(Section):
    """Where the events are."""

    bootstrap_servers: str = "127.0.0.1:9092"
    group: str = "groundwatch"
    """Prefix of the consumer groups' names."""
    topics: Topics = Topics()
    partitions: int = Field(4, gt=0)
    """Partitions of topics that `topics create` makes."""
    replication_factor: int = Field(1, gt=0)
    """Replicas of topics that `topics create` makes."""
    manage_topics: bool = True
    """False for a broker that makes topics by itself and has no CreateTopics (the embedded one)."""
    session_timeout_seconds: Seconds = 10
    batch_events: int = Field(64, gt=0)
    """Most events taken in hand at once."""
    batch_wait_seconds: Seconds = 0.1
    """Longest wait for a batch's first event before the loop turns."""
    lag_seconds: Seconds = 2
    """Time between two measurements of the lag."""

    def group_of(self, topic: str) -> str:
        """The consumer group that reads `topic`: each topic has its own, so that one's rebalance leaves the other alone."""
        return f"{self.group}.{topic}"


class Store(Section):
    """Where decisions are kept."""

    dsn: SecretStr = SecretStr("postgresql://groundwatch@127.0.0.1:5432/groundwatch")
    pool: int = Field(4, gt=0)
    """Most connections of one process."""
    timeout_seconds: Seconds = 30
    """Longest wait for one statement."""


class Scorer(Section):
    """How answers are scored."""

    profile: str = "default"
    """A profile's name (in configs/profiles) or the path of a profile file."""
    encoder: str | None = None
    """A sentence-transformers model by name or path in place of the packaged all-MiniLM-L6-v2."""
    threads: int = Field(1, gt=0)
    """Threads of the scorer process. More help where whole cores are idle; beside a busy neighbour they cost more."""
    timeout_seconds: Seconds = 60
    """Longest time for one batch before the scorer process counts as hung …"""
    timeout_seconds_per_million_chars: Seconds = 300
    """… and what its text adds to that."""
    start_timeout_seconds: Seconds = 120
    """Longest time for the scorer process to load its models."""


class Sampling(Section):
    """Which share of the traffic is judged; the rest is skipped, with the reason counted."""

    default: Share = 1.0
    datasets: Mapping[str, Share] = {}
    """Share per dataset, chosen by hash of the response id."""


class Monitor(Section):
    """Rolling windows."""

    window: int = Field(1000, gt=0)
    """Pairs in a segment's window."""
    segments: int = Field(MOST_SEGMENTS, gt=0)
    """Most segments (dataset and model) that one process measures; further ones are judged and stored, without figures of their own."""
    check_seconds: Seconds = 30
    """Time between two comparisons of the windows with Postgres."""
    batch_events: int = Field(256, gt=0)
    """Most messages taken in hand at once."""
    batch_seconds: Seconds = 0.5
    """Longest wait for a batch to fill; a segment's snapshot is published at most once a batch."""


class Retry(Section):
    """Waiting for a service that does not answer."""

    first_seconds: Seconds = 0.2
    longest_seconds: Seconds = 10


class Watchdog(Section):
    """Ends a process that stands still."""

    stall_seconds: Seconds = 120
    """Lag, no back-pressure and no commit for this long count as a stall."""


class Health(Section):
    """The HTTP endpoint for liveness, readiness and metrics."""

    host: str = "127.0.0.1"
    port: int = Field(8091, ge=0, le=65535)
    """0 takes a free port, which the log names."""


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid", use_attribute_docstrings=True, coerce_numbers_to_str=True
    )

    kafka: Kafka = Kafka()
    store: Store = Store()
    scorer: Scorer = Scorer()
    sampling: Sampling = Sampling()
    monitor: Monitor = Monitor()
    retry: Retry = Retry()
    watchdog: Watchdog = Watchdog()
    health: Health = Health()
    limits: Limits = Limits()
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Nothing but the given values: `load_settings` is what reads file and environment, and only when asked."""
        return (init_settings,)


def load_settings(file: Path | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Settings from `file` (YAML), the environment and `flags` (dotted keys), later ones winning.

    Raises ConfigurationError naming the key, for an unknown one the nearest known one too.
    """
    merged = _merged(_merged(_read(file), _environment()), _nested(flags or {}))
    _check_known(merged, Settings)
    try:
        return Settings.model_validate(merged)
    except ValidationError as invalid:
        place, reason = first_fault(invalid)
        raise ConfigurationError(f"setting {'.'.join(map(str, place))}: {reason}") from None


def known_keys(section: type[BaseModel] = Settings, prefix: str = "") -> list[str]:
    """Every settable key, dotted."""
    keys: list[str] = []
    for name, field in section.model_fields.items():
        inner = _section(field.annotation)
        keys += known_keys(inner, f"{prefix}{name}.") if inner else [prefix + name]
    return keys


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as unreadable:
        raise ConfigurationError(f"{file}: cannot be read ({unreadable.strerror}); name a YAML file with --config") from None
    except yaml.MarkedYAMLError as broken:
        line = f" in line {broken.problem_mark.line + 1}" if broken.problem_mark else ""
        raise ConfigurationError(f"{file}: not YAML ({broken.problem}{line})") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        raise ConfigurationError(f"{file}: not YAML in UTF-8") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigurationError(f"{file}: a mapping of settings is expected")
    return content


def _environment() -> dict[str, Any]:
    for variable in os.environ:
        if variable.upper().startswith(PREFIX) and variable.upper() != CONFIG_VARIABLE:
            top = variable[len(PREFIX) :].lower().split("__")[0]
            if top not in Settings.model_fields:
                known = process.extractOne(variable.upper(), [PREFIX + key.replace(".", "__").upper() for key in known_keys()])
                raise ConfigurationError(f"environment variable {variable} is unknown; did you mean {known[0]}?")
    try:
        return EnvSettingsSource(Settings)()
    except SettingsError as broken:
        raise ConfigurationError(f"environment: {broken}; a group of settings is given as JSON") from None


def _nested(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as a tree. What follows the name of a mapping is one key, dots included."""
    tree: dict[str, Any] = {}
    for dotted, value in flags.items():
        *sections, key = _path(dotted.split("."), Settings)
        branch: dict[str, Any] = {key: value}
        for section in reversed(sections):
            branch = {section: branch}
        tree = _merged(tree, branch)
    return tree


def _path(parts: list[str], section: type[BaseModel]) -> list[str]:
    first, *rest = parts
    field = section.model_fields.get(first)
    inner = _section(field.annotation) if field else None
    if not rest or field is None:
        return parts
    return [first, *(_path(rest, inner) if inner else [".".join(rest)])]


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return both


def _check_known(tree: Mapping[Any, Any], section: type[BaseModel], prefix: str = "") -> None:
    """Raise for a key that no section has. Models that ignore unknown fields elsewhere (the limits) are strict here."""
    for name, value in tree.items():
        field = section.model_fields.get(name)
        if field is None:
            raise ConfigurationError(f"setting {prefix}{name} is unknown; did you mean {_nearest(f'{prefix}{_first_leaf(name, value)}')}?")
        inner = _section(field.annotation)
        if inner and isinstance(value, dict):
            _check_known(value, inner, f"{prefix}{name}.")


def _first_leaf(name: Any, value: Any) -> str:
    """The dotted key of a branch, down its first entries: a misspelt section is best known by what is in it."""
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        name = f"{name}.{key}"
    return str(name)


def _nearest(key: str) -> str:
    return str(process.extractOne(key, known_keys())[0])


def _section(annotation: Any) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
