"""Logs are JSON lines with a stable action."""

import logging
import sys

import orjson

from worker.logs import JsonFormatter


def test_a_line_has_its_action_and_extras() -> None:
    record = logging.makeLogRecord(
        {"name": "groundwatch", "levelname": "INFO", "msg": "took %d", "args": (3,), "action": "batch_done", "events": 3}
    )
    line = orjson.loads(JsonFormatter().format(record))
    assert (line["level"], line["action"], line["message"], line["events"]) == ("info", "batch_done", "took 3", 3)


def test_an_exception_stays_on_its_line() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": sys.exc_info()})
    text = JsonFormatter().format(record)
    assert "\n" not in text
    assert "ValueError: broken" in orjson.loads(text)["exception"]
