"""A worker that makes no progress is replaced. This module is also the application: ``python -m … PORT``."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from serving.concurrency import Limited, Policy
from serving.granian_server import web_server
from serving.watchdog import watch
from tests.servers import ALONE, free_port
from tests.waiting import wait_for

LIMIT = 0.5


def create_application() -> Limited:
    """Return an application that says which process it is, or never answers."""

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/waits":
            threading.Event().wait()
        if environ["PATH_INFO"] == "/computes":
            re.match(r"(a+)+$", "a" * 60 + "b")  # takes years, and keeps the interpreter
        start_response("200 OK", [])
        return [str(os.getpid()).encode()]

    limited = Limited(answer, Policy(lambda _: 0, lambda environ: environ["PATH_INFO"] == "/computes", str))
    watch(limited.started, LIMIT)
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


@pytest.mark.parametrize("path", ["/waits", "/computes"])
def test_a_worker_that_hangs_is_replaced_and_its_stacks_are_logged(
    serving: tuple[int, Path], path: str
) -> None:
    port, log = serving
    first = get(port, "/")
    assert get(port, path) == b""
    wait_for("another worker", lambda: get(port, "/") not in (b"", first))
    logged = log.read_text()
    assert "Timeout (" in logged
    assert re.search(r'File ".*test_watchdog.py", line \d+ in answer', logged)


if __name__ == "__main__":
    web_server("tests.serving.test_watchdog:create_application", int(sys.argv[1]), workers=1, quick=1).serve()
