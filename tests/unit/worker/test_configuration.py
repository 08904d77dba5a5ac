"""Settings come from the file, then the environment, then flags; what is unknown is refused with a hint."""

import os
from pathlib import Path

import pytest

from worker.configuration import load_settings
from worker.errors import ConfigurationError
from worker.settings import Settings, known_keys


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in list(os.environ):
        if name.upper().startswith("GROUNDWATCH_"):
            monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path):
    def write(text: str) -> Path:
        path = tmp_path / "groundwatch.yaml"
        path.write_text(text)
        return path

    return write


def test_without_any_source_the_defaults_stand():
    assert load_settings() == Settings()


def test_later_sources_win(file, monkeypatch):
    path = file("kafka: {group: from-file, partitions: 2, batch_events: 3}\n")
    monkeypatch.setenv("GROUNDWATCH_KAFKA__GROUP", "from-environment")
    monkeypatch.setenv("GROUNDWATCH_KAFKA__PARTITIONS", "7")
    kafka = load_settings(path, {"kafka.group": "from-flag"}).kafka
    assert (kafka.group, kafka.partitions, kafka.batch_events) == ("from-flag", 7, 3)


def test_an_empty_file_changes_nothing(file):
    assert load_settings(file("# nothing\n")) == Settings()


def test_a_flag_may_name_an_entry_of_a_mapping_with_dots_in_it():
    assert load_settings(flags={"sampling.datasets.my.app": 0.25}).sampling.datasets == {"my.app": 0.25}


def test_what_is_kept_may_be_kept_for_good(file):
    days = load_settings(file("retention: {days: {texts: null, decisions: 400}}")).retention.days
    assert (days.texts, days.originals, days.decisions) == (None, 30, 400)


def test_a_number_serves_where_a_name_is_expected():
    assert load_settings(flags={"kafka.group": 7}).kafka.group == "7"


def test_a_group_can_be_set_as_a_whole(monkeypatch):
    monkeypatch.setenv("GROUNDWATCH_HEALTH", '{"port": 0}')
    assert load_settings(flags={"retry": {"first_seconds": 1}}).retry.first_seconds == 1
    assert load_settings().health.port == 0


@pytest.mark.parametrize(
    ("flag", "nearest"),
    [
        ("kafka.bootstrap_server", "kafka.bootstrap_servers"),
        ("kafak.group", "kafka.group"),
        ("kafka.topics.response", "kafka.topics.responses"),
        ("limits.context", "limits.contexts"),
        ("log_levle", "log_level"),
        ("log_level.x.y", "log_level"),
    ],
)
def test_an_unknown_flag_is_refused_with_the_nearest_known_one(flag, nearest):
    with pytest.raises(ConfigurationError) as refused:
        load_settings(flags={flag: 1})
    assert nearest in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kafka: {grup: x}", "setting kafka.grup is unknown; did you mean kafka.group?"),
        ("limits: {context_char: 1}", "did you mean limits.context_chars?"),
        ("1: 2", "setting 1 is unknown"),
        ("kafka: 5", "setting kafka:"),
        ("kafka: {partitions: 0}", "setting kafka.partitions: should be greater than 0"),
        ("monitor: {window: many}", "setting monitor.window:"),
        ("retention: {days: {texts: 0}}", "setting retention.days.texts: should be greater than 0"),
        ("retention: {days: {text: 1}}", "did you mean retention.days.texts?"),
        ("retention: {days: {decisions: 5}}", "yaml: retention.days.decisions must be at least kafka.retention_days.responses (7)"),
        ("privacy: {redact: [mail]}", "setting privacy: no pattern is called mail; there are credit_card, email, iban, ip, phone"),
        ("privacy: {patterns: {staff: 'E.*'}, redact: [staff]}", "setting privacy: pattern staff: a repetition without an end"),
        ("- a list", "a mapping of settings is expected"),
    ],
)
def test_a_wrong_file_is_refused_by_key(file, text, says):
    with pytest.raises(ConfigurationError) as refused:
        load_settings(file(text))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("text", "variables", "flags", "says"),
    [
        ("kafka: {grup: x}", {}, {}, "groundwatch.yaml: setting kafka.grup is unknown"),
        ("", {"KAFKA__GRUP": "x"}, {}, "environment variable GROUNDWATCH_KAFKA__GRUP: setting kafka.grup is unknown"),
        ("", {"KAFKA": '{"grup": 1}'}, {}, "environment variable GROUNDWATCH_KAFKA: setting kafka.grup is unknown"),
        ("", {}, {"kafka.grup": "x"}, "--set kafka.grup: setting kafka.grup is unknown"),
        ("kafka: {grup: x}", {"KAFKA__GRUP": "x"}, {"kafka": {"grup": 1}}, "groundwatch.yaml: setting kafka.grup is unknown"),
        ("kafka: {pool: 1, partitions: 0}", {}, {}, "groundwatch.yaml: setting kafka.pool is unknown"),
        ("kafka: {partitions: 0}", {"KAFKA__GROUP": "x"}, {"kafka.batch_events": 1}, "groundwatch.yaml: setting kafka.partitions: "),
        ("kafka: {partitions: 4}", {"KAFKA__PARTITIONS": "0"}, {}, "environment variable GROUNDWATCH_KAFKA__PARTITIONS: setting kafka.par"),
        ("", {"KAFKA": '{"partitions": 0}', "KAFKA__GROUP": "x"}, {}, "environment variable GROUNDWATCH_KAFKA: setting kafka.partitions: "),
        (
            "kafka: {partitions: 0}",
            {"KAFKA__PARTITIONS": "0"},
            {"kafka.partitions": 0},
            "--set kafka.partitions: setting kafka.partitions: ",
        ),
        ("kafka: {partitions: 0}", {}, {"kafka": 5}, "--set kafka: setting kafka: "),
        ("sampling: {datasets: {my.app: 2}}", {}, {"sampling.default": 1}, "groundwatch.yaml: setting sampling.datasets.my.app: "),
        (
            "",
            {"SAMPLING__DATASETS__APP": "2"},
            {},
            "environment variable GROUNDWATCH_SAMPLING__DATASETS__APP: setting sampling.datasets.app: ",
        ),
        ("", {"KAFKA": "{broken"}, {}, "environment variable GROUNDWATCH_KAFKA: not JSON"),
    ],
)
def test_a_complaint_names_the_source(file, monkeypatch, text, variables, flags, says):
    for name, value in variables.items():
        monkeypatch.setenv(f"GROUNDWATCH_{name}", value)
    with pytest.raises(ConfigurationError) as refused:
        load_settings(file(text), flags)
    assert says in str(refused.value)


def test_a_variable_may_be_written_in_any_case(monkeypatch):
    monkeypatch.setenv("groundwatch_kafka__partitions", "0")
    with pytest.raises(ConfigurationError, match="variable groundwatch_kafka__partitions: setting"):
        load_settings()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"absent\.yaml: cannot be read .* --config or GROUNDWATCH_CONFIG"):
        load_settings(tmp_path / "absent.yaml")


def test_a_broken_file_is_not_quoted(file):
    with pytest.raises(ConfigurationError) as refused:
        load_settings(file("store:\n  dsn: 'postgresql://u:geheim@h/d\n x: ]"))
    assert "not YAML" in str(refused.value)
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("GROUNDWATCH_KAFKA_GROUP", "GROUNDWATCH_KAFKA__GROUP"),
        ("GROUNDWATCH_LOGLEVEL", "GROUNDWATCH_LOG_LEVEL"),
        ("GROUNDWATCH_STORE__DSNN", "store.dsn"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_known_one(monkeypatch, variable, nearest):
    monkeypatch.setenv(variable, "x")
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert nearest in str(refused.value)


def test_the_variable_that_names_the_file_is_known(monkeypatch):
    monkeypatch.setenv("GROUNDWATCH_CONFIG", "groundwatch.yaml")
    assert load_settings() == Settings()


def test_a_group_that_is_not_json_is_refused(monkeypatch):
    monkeypatch.setenv("GROUNDWATCH_KAFKA", "{broken")
    with pytest.raises(ConfigurationError, match="given as JSON"):
        load_settings()


SECRETS = {
    "kafka.password": "geheim",
    "store.password": "geheim",
    "store.dsn": "postgresql://u:geheim@h/d",
    "store.dsn ": "postgresql://u@h/d?password=geheim",
}


@pytest.mark.parametrize(("key", "secret"), SECRETS.items())
def test_a_secret_may_come_from_the_environment_alone(monkeypatch, file, key, secret):
    section, name = key.strip().split(".")
    variable = f"GROUNDWATCH_{section}__{name}".upper()
    for source in ({"file": file(f"{section}: {{{name}: '{secret}'}}")}, {"flags": {key.strip(): secret}}):
        with pytest.raises(
            ConfigurationError, match=f"{section}\\.{name} holds a secret.*{variable}.*{section}\\.password_file"
        ) as refused:
            load_settings(**source)
        assert "geheim" not in str(refused.value)
    protocol = {"GROUNDWATCH_KAFKA__SECURITY_PROTOCOL": "SASL_SSL", "GROUNDWATCH_KAFKA__USER": "u"} if section == "kafka" else {}
    for known, value in ({variable: secret} | protocol).items():
        monkeypatch.setenv(known, value)
    assert load_settings().model_dump()[section][name].get_secret_value() == secret


@pytest.mark.parametrize(
    ("kafka", "says"),
    [
        ({"security_protocol": "SASL_SSL"}, "needs user and password_file"),
        ({"security_protocol": "SASL_SSL", "sasl_mechanism": "OAUTHBEARER", "user": "u"}, "needs token_file"),
        ({"user": "u", "password_file": "p"}, "are sent with security_protocol SASL_SSL or SASL_PLAINTEXT only"),
        ({"token_file": "p"}, "are sent with security_protocol SASL_SSL or SASL_PLAINTEXT only"),
        ({"ca_file": "ca.pem"}, "need security_protocol SSL or SASL_SSL"),
        ({"security_protocol": "SSL", "certificate_file": "c.pem"}, "go together"),
    ],
)
def test_what_would_not_be_used_or_is_missing_is_refused(kafka, says):
    with pytest.raises(ConfigurationError, match=f"kafka.*{says}"):
        load_settings(flags={f"kafka.{key}": value for key, value in kafka.items()})


@pytest.mark.parametrize("store", [{"ca_file": "ca.pem"}, {"key_file": "k.pem"}, {"sslmode": "prefer", "ca_file": "ca.pem"}])
def test_certificates_that_would_not_be_used_are_refused(store):
    with pytest.raises(ConfigurationError, match=r"store.*certificate_file and key_file"):
        load_settings(flags={f"store.{key}": value for key, value in store.items()})


def test_a_secret_does_not_show(monkeypatch):
    monkeypatch.setenv("GROUNDWATCH_STORE__DSN", "postgresql://u:geheim@h/d")
    settings = load_settings()
    assert "geheim" not in repr(settings)
    assert settings.store.dsn.get_secret_value().endswith("geheim@h/d")


def test_every_known_key_has_a_place_in_the_settings():
    settings = Settings().model_dump()
    for key in known_keys():
        value = settings
        for part in key.split("."):
            value = value[part]
