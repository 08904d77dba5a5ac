"""The one settings object: file, then environment (`GROUNDWATCH_…`, `__` between levels), then flags.

Read in the command line and passed down.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from rapidfuzz import process

from schemas import Limits
from worker.errors import ConfigurationError

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(gt=0)]


class Section(BaseModel):
    """A group of settings: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


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
    timeout_seconds: Seconds = 120
    """Longest time for one batch before the scorer process counts as hung."""
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
    check_seconds: Seconds = 30
    """Time between two comparisons of the windows with Postgres."""


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
        env_prefix="GROUNDWATCH_", env_nested_delimiter="__", frozen=True, extra="forbid", use_attribute_docstrings=True
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
        """Environment over file: the file's values come in as initial values."""
        return env_settings, init_settings


def load_settings(file: Path | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Settings from `file` (YAML), the environment and `flags` (dotted keys), later ones winning.

    Raises ConfigurationError naming the key, for an unknown one the nearest known one too.
    """
    try:
        settings = Settings(**_read(file))
        if not flags:
            return settings
        return Settings.model_validate(_merged(settings.model_dump(), flags))
    except ValidationError as invalid:
        raise ConfigurationError(_explain(invalid)) from None


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as unreadable:
        raise ConfigurationError(f"{file}: cannot be read ({unreadable.strerror}); name a YAML file with --config") from None
    except (yaml.YAMLError, UnicodeDecodeError) as broken:
        raise ConfigurationError(f"{file}: not YAML ({' '.join(str(broken).split())})") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigurationError(f"{file}: a mapping of settings is expected")
    return content


def _merged(base: dict[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    for dotted, value in flags.items():
        *sections, key = dotted.split(".")
        target = base
        for section in sections:
            target = target[section]
        target[key] = value
    return base


def _explain(invalid: ValidationError) -> str:
    first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"setting {key}: {first['msg']}"
    nearest = process.extractOne(key, known_keys())
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return f"setting {key} is unknown{hint}"


def known_keys(section: type[BaseModel] = Settings, prefix: str = "") -> list[str]:
    """Every settable key, dotted."""
    keys: list[str] = []
    for name, field in section.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            keys += known_keys(inner, f"{prefix}{name}.")
        else:
            keys.append(prefix + name)
    return keys
