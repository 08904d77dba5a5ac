"""What the topics are made with."""

import pytest

from schemas import Limits
from worker.configuration import load_settings
from worker.errors import ConfigurationError
from worker.settings import Kafka, RetentionDays, Topics
from worker.topics import topic_configs

DAY_MS = 24 * 3600 * 1000


def test_every_topic_has_a_retention() -> None:
    assert RetentionDays.model_fields.keys() == Topics.model_fields.keys()


def test_answers_and_pairs_are_kept_a_week_and_the_rest_a_month() -> None:
    kafka = Kafka()
    kept = {name: int(config["retention.ms"]) // DAY_MS for name, config in topic_configs(kafka, Limits()).items()}
    assert kept == dict.fromkeys(kafka.topics.all(), 30) | {kafka.topics.responses: 7, kafka.topics.pairs: 7}


def test_how_long_is_a_setting() -> None:
    kafka = load_settings(flags={"kafka.retention_days.responses": 0.5, "kafka.topics.responses": "answers"}).kafka
    assert topic_configs(kafka, Limits())["answers"]["retention.ms"] == str(DAY_MS // 2)


@pytest.mark.parametrize("days", [0, -1, float("inf"), float("nan"), "week"])
def test_a_time_that_is_none_is_refused(days: object) -> None:
    with pytest.raises(ConfigurationError, match=r"--set kafka\.retention_days\.labels: "):
        load_settings(flags={"kafka.retention_days.labels": days})
