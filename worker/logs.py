"""Logs as JSON lines: one object a line, with a stable `action` to search and alarm on."""

import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

import orjson

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Time, level, logger, action, message and every `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "action": getattr(record, "action", "library"),
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD and name != "action"}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


def log_as_json(level: str) -> None:
    """Send every log to standard error as JSON; libraries only from warnings up."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("groundwatch").setLevel(level.upper())
