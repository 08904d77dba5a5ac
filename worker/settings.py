"""The one settings object, with everything that can be set. Read in the command line (see worker.configuration) and passed down."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from schemas import Limits
from schemas.base import Moment
from worker.patterns import patterns
from worker.segments import MOST_SEGMENTS

PREFIX: Final = "GROUNDWATCH_"

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(gt=0, le=31_536_000)]
Days = Annotated[float, Field(gt=0, le=36_500)]
Hours = Annotated[float, Field(gt=0, le=876_000)]


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


class RetentionDays(Section):
    """Days that a topic which `topics create` makes keeps its messages; those that exist stay as they are.

    Answers, which carry private text, go first: the truth is in Postgres.
    """

    responses: Days = 7
    labels: Days = 30
    decisions: Days = 30
    pairs: Days = 7
    auroc: Days = 30
    dead_letters: Days = 30


class Kafka(Section):
    """Where the events are."""

    bootstrap_servers: str = "127.0.0.1:9092"
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    """Whether connections are encrypted (SSL) and whether groundwatch says who it is (SASL)."""
    ca_file: Path | None = None
    """PEM file of the authorities that may have signed the brokers' certificates; the system's where it is not set."""
    certificate_file: Path | None = None
    """PEM file of the certificate that groundwatch shows the brokers …"""
    key_file: Path | None = None
    """… and of its private key, unencrypted."""
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"] = "SCRAM-SHA-512"
    user: str | None = None
    """The user for SASL; OAUTHBEARER takes the one that the token names."""
    password: SecretStr | None = None
    """From the environment only."""
    password_file: Path | None = None
    """File with the password, read whenever a client is made."""
    token_file: Path | None = None
    """File with the token for OAUTHBEARER, read at every connection, so that another process may renew it."""
    group: str = "groundwatch"
    """Prefix of the consumer groups' names."""
    topics: Topics = Topics()
    partitions: int = Field(4, gt=0)
    """Partitions of topics that `topics create` makes."""
    replication_factor: int = Field(1, gt=0)
    """Replicas of topics that `topics create` makes."""
    retention_days: RetentionDays = RetentionDays()
    manage_topics: bool = True
    """False for a broker that makes topics by itself and has no CreateTopics (the embedded one)."""
    session_timeout_seconds: Seconds = 10
    batch_events: int = Field(512, gt=0)
    """Most events taken in hand at once."""
    batch_wait_seconds: Seconds = 0.1
    """Longest wait for a batch's first event before the loop turns."""
    lag_seconds: Seconds = 2
    """Time between two measurements of the lag."""

    @property
    def encrypted(self) -> bool:
        """Whether connections are."""
        return self.security_protocol.endswith("SSL")

    @property
    def authenticated(self) -> bool:
        """Whether groundwatch says who it is."""
        return self.security_protocol.startswith("SASL")

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        if (self.ca_file or self.certificate_file or self.key_file) and not self.encrypted:
            raise ValueError("ca_file, certificate_file and key_file need security_protocol SSL or SASL_SSL")
        if bool(self.certificate_file) != bool(self.key_file):
            raise ValueError("certificate_file and key_file go together")
        by_token = self.sasl_mechanism == "OAUTHBEARER"
        known = self.token_file if by_token else self.user and (self.password or self.password_file)
        if self.authenticated and not known:
            needs = "token_file" if by_token else "user and password_file (or password, in the environment)"
            raise ValueError(f"{self.security_protocol} with {self.sasl_mechanism} needs {needs}")
        if not self.authenticated and any((self.user, self.password, self.password_file, self.token_file)):
            raise ValueError("user, password and token are sent with security_protocol SASL_SSL or SASL_PLAINTEXT only")
        return self

    def group_of(self, topic: str) -> str:
        """The consumer group that reads `topic`: each topic has its own, so that one's rebalance leaves the other alone."""
        return f"{self.group}.{topic}"


class Store(Section):
    """Where decisions are kept."""

    dsn: SecretStr = SecretStr("postgresql://groundwatch@127.0.0.1:5432/groundwatch")
    """The address; one with a password from the environment only."""
    password: SecretStr | None = None
    """In place of one in the address; from the environment only."""
    password_file: Path | None = None
    """File with the password, read at every connection."""
    sslmode: Literal["disable", "prefer", "require", "verify-ca", "verify-full"] | None = None
    """As libpq's: verify-full is what protects. Where it is not set, what the address says, else prefer."""
    ca_file: Path | None = None
    """PEM file of the authorities that may have signed the server's certificate; the system's where it is not set."""
    certificate_file: Path | None = None
    """PEM file of the certificate that groundwatch shows the server …"""
    key_file: Path | None = None
    """… and of its private key, unencrypted."""
    pool: int = Field(4, gt=0)
    """Most connections of one process."""
    timeout_seconds: Seconds = 30
    """Longest wait for one statement."""

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        if bool(self.certificate_file) != bool(self.key_file):
            raise ValueError("certificate_file and key_file go together")
        if (self.ca_file or self.certificate_file) and self.sslmode in {None, "disable", "prefer"}:
            raise ValueError("ca_file, certificate_file and key_file need sslmode verify-full, verify-ca or require")
        return self


class Scorer(Section):
    """How answers are scored."""

    profile: str = "default"
    """A profile's name (in configs/profiles) or the path of a profile file."""
    encoder: str | None = None
    """A sentence-transformers model by name or path in place of the packaged all-MiniLM-L6-v2."""
    processes: int = Field(1, gt=0)
    """Scorer processes, best as many as there are cores for them. Each loads the models: about 750 MB."""
    threads: int = Field(1, gt=0)
    """Threads of a scorer process. Processes make better use of idle cores; a single answer is ready sooner with threads."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the embedding model runs: on a GPU if there is one, or as said."""
    memory_megabytes: int = Field(256, ge=0)
    """Memory of a scorer process for what was read of passages that may come again. Scores are the same with and without."""
    headroom_megabytes: int = Field(2000, gt=0)
    """Memory that a scorer process may take beside its models and what it remembers. An answer that needs more is dead-lettered."""
    timeout_seconds: Seconds = 60
    """Longest time for one batch before the scorer process counts as hung …"""
    timeout_seconds_per_million_chars: Seconds = 1500
    """… and what its text adds to that."""
    start_timeout_seconds: Seconds = 120
    """Longest time for the scorer process to load its models."""


class Load(Section):
    """What follows from how much there is to score and how fast that goes."""

    latency_seconds: Seconds = 2
    """Time that the answers in hand should take: so many are taken at once, up to kafka.batch_events for a batch."""
    shed_seconds: Seconds = 10
    """When it would take longer than this to score what waits, the next step of the profile's `shedding` is left out …"""
    resume_seconds: Seconds = 2
    """… and taken up again when with it what waits would take less than this."""

    @model_validator(mode="after")
    def _resumes_below(self) -> Self:
        if self.resume_seconds >= self.shed_seconds:
            raise ValueError("resume_seconds must be less than shed_seconds, else models come and go with every measurement")
        return self


class Sampling(Section):
    """Which share of the traffic is judged; the rest is skipped, with the reason counted."""

    default: Share = 1.0
    datasets: Mapping[str, Share] = {}
    """Share per dataset, chosen by hash of the response id."""
    audit: Share = 0.02
    """Share of what is judged that is marked `meta.audit`, by hash as well. Reviewers label it whatever was decided, so that there is an
    AUROC of all decisions and not of the flagged ones alone."""


class Labels(Section):
    """Which of several labels of one answer counts."""

    precedence: tuple[str, ...] = ("adjudication", "human", "benchmark", "judge", "user_feedback")
    """Sources of labels, the weightiest first; those that are not named weigh least, all alike. Of labels of one weight the latest counts.
    A change holds for labels that are read from then on."""

    @field_validator("precedence")
    @classmethod
    def _once(cls, precedence: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(precedence)) < len(precedence):
            raise ValueError("names a source twice")
        return precedence

    ahead_seconds: Seconds = 86_400
    """How far in the future a label may be dated, since clocks differ. One beyond, which would outweigh all others until then, is
    dead-lettered."""

    def weight(self, source: str) -> int:
        """Of a label of that source: the greater, the more it counts; 0 for one that is not named."""
        return len(self.precedence) - self.precedence.index(source) if source in self.precedence else 0


class Rollout(Section):
    """A challenger judges the same answers beside the champion (`scorer.profile`), until `groundwatch promote` decides between the two."""

    challenger: str | None = None
    """Its profile, by name or file. It takes scorer processes of its own, and is left out while overload sheds cost."""
    share: Share = 0.05
    """Of the conversations (answers where there is none), by hash: where the challenger's decisions bind and the champion's are in shadow.
    With 0 all of the challenger's are in shadow."""
    wait_seconds: Seconds = 2
    """How long a batch waits for the challenger when the champion is done. What comes later is left out: the champion's decision binds."""
    check_seconds: Seconds = 30
    """Time between two looks at whether the challenger was promoted."""


class Baseline(Section):
    """A period whose AUROC is the one to hold later ones against."""

    since: Moment
    until: Moment
    """Exclusive."""

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        if self.until <= self.since:
            raise ValueError("until must be later than since")
        return self


class Drift(Section):
    """What is compared to find drift, without labels."""

    hours: Hours = 24
    """Answers served in the last so many hours …"""
    against_hours: Hours = 168
    """… are held against those of so many hours before."""
    alpha: Annotated[float, Field(gt=0, le=0.5)] = 0.01
    """Share of the drifts found in a segment that may be none."""


class Monitor(Section):
    """Rolling windows, periods and alarms."""

    window: int = Field(1000, gt=0)
    """Pairs in a segment's window."""
    segments: int = Field(MOST_SEGMENTS, gt=0)
    """Most segments (dataset and model) that one process measures; further ones are judged and stored, without figures of their own."""
    dimensions: tuple[str, ...] = ()
    """Names of attributes of response events (prompt_version, language, tenant …) that decisions keep, to tell figures apart by."""
    baselines: Mapping[str, Baseline] = {}
    """By segment, as DATASET/MODEL: the answers served in a period that was good, which later ones are compared with."""
    period_hours: tuple[Hours, ...] = (1, 24, 168)
    """Lengths of the periods until now whose AUROC is shown, by when answers were served and by when they were labelled."""
    drift: Drift = Drift()
    survey_seconds: Seconds = 300
    """Time between two measurements of the periods. Baselines and drift are checked with the first of a day (UTC)."""
    check_seconds: Seconds = 30
    """Time between two comparisons of the windows with Postgres."""
    batch_events: int = Field(256, gt=0)
    """Most messages taken in hand at once."""
    batch_seconds: Seconds = 0.5
    """Longest wait for a batch to fill; a segment's snapshot is published at most once a batch."""

    @model_validator(mode="after")
    def _names_segments(self) -> Self:
        if wrong := [name for name in self.baselines if not all(name.partition("/"))]:
            raise ValueError(f"baselines are named DATASET/MODEL, unlike {wrong[0]!r}")
        return self


class KeptDays(Section):
    """Days that Postgres keeps each kind of row; null for good.

    Private text goes first. Decisions and labels, which hold none, are what audits and AUROC rest on.
    """

    texts: Days | None = 30
    """Questions, answers and contexts."""
    originals: Days | None = 30
    """The messages of dead letters."""
    dead_letters: Days | None = 365
    """What was wrong with them, and what replaying did."""
    decisions: Days | None = None
    """Decisions with their pairs; those in a segment's newest `monitor.window` pairs stay, whatever their age."""
    labels: Days | None = None
    """Labels. Pairs keep the label that they were made with."""
    snapshots: Days | None = 365
    """The history of AUROC; each segment's newest stays."""


class Gate(Section):
    """When a candidate may be released."""

    minimum: Share = 0.85
    """AUROC that a critical dataset must reach."""
    critical: tuple[str, ...] = ()
    """The datasets that must; every one where none is named."""
    delta: Share = 0.03
    """How far below the baseline's a dataset's AUROC may lie. More is a failure when the labels bear out that it fell at all."""
    labels: int = Field(30, gt=0)
    """Fewest answers of each class, on each side, that a comparison takes."""
    datasets: int = Field(3, ge=0)
    """Fewest datasets that must have them; 0 for any number, of any domain."""
    domain_specific: tuple[str, ...] = ()
    """Which datasets are of your own domain: at least one must be among them."""
    strict: bool = False
    """Whether a fall by more than delta must be ruled out by the labels, rather than merely not seen."""

    def floor(self, dataset: str) -> float | None:
        """The AUROC that the dataset must reach."""
        return self.minimum if dataset in self.critical or not self.critical else None


class Ledger(Section):
    """The proof that every event has exactly one outcome."""

    check_seconds: Seconds = 60
    """Time between two audits against the broker's offsets."""


class Retention(Section):
    """How long Postgres keeps what. Workers see to it beside their work, one of them at a time."""

    days: KeptDays = KeptDays()
    pass_seconds: Seconds = 3600
    """Time between two passes over what is kept."""
    batch_rows: int = Field(500, gt=0)
    """Most rows deleted in one transaction …"""
    pause_seconds: Seconds = 0.1
    """… and the pause after it; longer when the batch itself took long."""


class Privacy(Section):
    """What is masked in texts and in the messages of dead letters before they are stored or published."""

    redact: tuple[str, ...] = ()
    """Names of patterns, applied in their order: email, phone, iban, credit_card, ip, or one of `patterns`."""
    patterns: Mapping[str, str] = {}
    """Patterns of your own by name, in RE2's syntax, every repetition with an end: {1,20} in place of +."""

    @model_validator(mode="after")
    def _known(self) -> Self:
        patterns(self.redact, self.patterns)
        return self


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
    load: Load = Load()
    sampling: Sampling = Sampling()
    labels: Labels = Labels()
    rollout: Rollout = Rollout()
    monitor: Monitor = Monitor()
    gate: Gate = Gate()
    ledger: Ledger = Ledger()
    retention: Retention = Retention()
    privacy: Privacy = Privacy()
    retry: Retry = Retry()
    watchdog: Watchdog = Watchdog()
    health: Health = Health()
    limits: Limits = Limits()
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def profiles(self) -> tuple[str, ...]:
        """The champion's, and the challenger's where there is one."""
        return (self.scorer.profile, *([self.rollout.challenger] if self.rollout.challenger else []))

    @model_validator(mode="after")
    def _remembers_what_may_come_again(self) -> Self:
        """Of an answer that has no decision any more nobody knows that it is a duplicate."""
        kept, topic = self.retention.days.decisions, self.kafka.retention_days.responses
        if kept is not None and kept < topic:
            raise ValueError(
                f"retention.days.decisions must be at least kafka.retention_days.responses ({topic:g}), else answers are judged again"
            )
        return self

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


def known_keys(section: type[BaseModel] = Settings, prefix: str = "") -> list[str]:
    """Every settable key, dotted."""
    keys: list[str] = []
    for name, field in section.model_fields.items():
        inner = section_of(field.annotation)
        keys += known_keys(inner, f"{prefix}{name}.") if inner else [prefix + name]
    return keys


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The group of settings that a field's annotation names; None for a single setting."""
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
