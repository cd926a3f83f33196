"""The replacement of workers that make no progress.

This module is also the application: ``python -m … PORT``.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from adoption.logs import set_up_logs
from serving.concurrent_request_limits import Limited, Policy
from serving.granian_server import web_server
from serving.replaced_worker_logs import CHECK_EVERY, log_replacements
from serving.watchdog import seconds_left, start_watchdog
from tests.servers import ALONE, free_port
from tests.waiting import wait_for

LIMIT = 3.0
"""The limit in seconds. An idle worker survives only if the watchdog checks more often than this."""


def create_application() -> Limited:
    """Return an application that returns its process id or, at another path, never answers."""

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/waits":
            threading.Event().wait()
        if environ["PATH_INFO"] == "/computes":
            # This call takes years, and holds the interpreter lock.
            re.match(r"(a+)+$", "a" * 60 + "b")
        if environ["PATH_INFO"] == "/killed":
            os.kill(os.getpid(), signal.SIGKILL)
        start_response("200 OK", [])
        return [str(os.getpid()).encode()]

    policy = Policy(lambda _: 0, lambda environ: environ["PATH_INFO"] == "/computes", str, str)
    limited = Limited(answer, policy)
    start_watchdog(limited.started, LIMIT)
    return limited


def get(port: int, path: str) -> bytes:
    connection = HTTPConnection(ALONE, port, timeout=60)
    with suppress(OSError, HTTPException):
        connection.request("GET", path)
        return connection.getresponse().read()
    return b""


@pytest.fixture
def serving(root: Path, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as errors:
        command = [sys.executable, "-m", "tests.serving.test_watchdog", str(port)]
        process = subprocess.Popen(command, cwd=root, stderr=errors)
    try:
        wait_for("the server", lambda: get(port, "/"))
        yield port, log
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize(
    ("path", "reason"), [("/waits", "held"), ("/computes", "held"), ("/killed", "SIGKILL")]
)
def test_a_hanging_or_dead_worker_is_replaced_and_logged(
    serving: tuple[int, Path], path: str, reason: str
) -> None:
    port, log = serving
    first, begun = get(port, "/"), time.monotonic()
    wait_for("a check that sees this worker", lambda: time.monotonic() > begun + 3 * CHECK_EVERY)
    assert get(port, path) == b""
    wait_for("another worker", lambda: get(port, "/") not in (b"", first))
    wait_for("a line in the log", lambda: log.read_text().endswith("\n"))
    line = json.loads(log.read_text())
    assert (line["event"], line["what"], line["pid"]) == ("process_replaced", "web worker", int(first))
    assert (line["level"], line["reason"], line.get("held_seconds")) == (
        "error",
        reason,
        LIMIT if reason == "held" else None,
    )
    assert (re.search(r'File ".*test_watchdog.py", line \d+ in answer', line["message"]) is not None) == (
        reason == "held"
    )


def serve(port: int) -> None:
    set_up_logs("production")
    web = web_server("tests.serving.test_watchdog:create_application", port, workers=1)
    log_replacements(lambda: False, LIMIT)
    web.serve()


def test_the_longest_running_request_counts() -> None:
    assert seconds_left({}, 10, now=100) == 10
    assert seconds_left({1: 97, 2: 92, 3: 99}, 10, now=100) == 2


if __name__ == "__main__":
    serve(int(sys.argv[1]))
