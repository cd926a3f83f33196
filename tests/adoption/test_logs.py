"""Log lines, as JSON and without personal data."""

import json
import logging
import sys

import pytest

from adoption.logs import JsonLines, PlainLines, set_up_logs, without_emails


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("homeward.certificates").makeRecord(
        "homeward.certificates", logging.WARNING, "x.py", 1, message, args, None, extra=extra
    )
    made.created = 1_795_910_400.25
    return made


def test_a_log_line_in_production_is_json() -> None:
    line = JsonLines().format(record("order of %s\nfailed", "a.org", event="order_failed", host="a.org"))
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2026-11-29T00:00:00.250000Z",
        "level": "warning",
        "logger": "homeward.certificates",
        "message": "order of a.org\nfailed",
        "event": "order_failed",
        "host": "a.org",
    }


@pytest.mark.parametrize("formatter", [JsonLines(), PlainLines()])
def test_log_lines_have_no_email_addresses(formatter: logging.Formatter) -> None:
    words = 'contact "mailto:sam.o+x@rescue.example": <ana@example.org>, (bo@example.net)'
    made = record("failed: %r", words, detail=words)
    try:
        raise ValueError(words)
    except ValueError:
        made.exc_info = sys.exc_info()
    line = formatter.format(made)
    assert "@" not in line
    assert "[email]" in line


def test_log_lines_are_written_once_after_two_setups(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    for _ in range(2):
        set_up_logs("production")
    logging.getLogger("homeward.certificates").info("issued", extra={"event": "order_issued"})
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "order_issued"


def test_an_email_address_in_a_query_is_not_logged() -> None:
    assert (
        without_emails("GET /applicants?email=kim%40example.org 500") == "GET /applicants?email=[email] 500"
    )
