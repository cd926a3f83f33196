"""Log lines of the service: JSON in production, plain text elsewhere, without email addresses."""

import json
import logging
import re
import sys
from datetime import UTC, datetime

EMAIL = re.compile(r"[^\s@&?<>\"'(),;:=]+(?:@|%40)[^\s@<>\"'(),;:]+")
STANDARD = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName"}
"""The attributes of every log record. All other attributes come from ``extra``."""


def set_up_logs(environment: str) -> None:
    """Write warnings of all loggers, and the service's own information, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if environment == "production" else PlainLines())
    root = logging.getLogger()
    root.handlers = [each for each in root.handlers if not isinstance(each.formatter, PlainLines)]
    root.addHandler(handler)
    logging.getLogger("homeward").setLevel(logging.INFO)


class PlainLines(logging.Formatter):
    """Log lines for people. Warnings and errors begin with their level."""

    def format(self, record: logging.LogRecord) -> str:
        level = f"{record.levelname.capitalize()}: " if record.levelno >= logging.WARNING else ""
        return without_emails(level + super().format(record))


class JsonLines(PlainLines):
    """Log lines for programs: a JSON object with time, level, logger, message, and the fields in
    ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": f"{datetime.fromtimestamp(record.created, UTC):%Y-%m-%dT%H:%M:%S.%fZ}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in STANDARD},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        texts = {name: without_emails(each) for name, each in line.items() if isinstance(each, str)}
        return json.dumps(line | texts, ensure_ascii=False, default=str)


def without_emails(text: str) -> str:
    return EMAIL.sub("[email]", text)
