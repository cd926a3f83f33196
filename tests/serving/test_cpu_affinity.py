"""Each web worker has its own processor.

This module is also the application: ``python -m … PORT``.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from serving.cpu_affinity import worker_processors
from serving.granian_server import web_server
from tests.servers import ALONE, free_port
from tests.waiting import wait_for

WORKERS = 2


def create_application() -> Any:
    """Return an application that returns its process id and processors."""
    worker_processors.take()

    def answer(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [json.dumps([os.getpid(), sorted(os.sched_getaffinity(0))]).encode()]

    return answer


@pytest.fixture
def port(root: Path) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "tests.serving.test_cpu_affinity", str(port)], cwd=root)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


def ask(port: int, seen: dict[int, list[int]]) -> None:
    """Record the processors of the worker that answers on a new connection."""
    with suppress(OSError, HTTPException):
        connection = HTTPConnection(ALONE, port, timeout=60)
        connection.request("GET", "/")
        pid, processors = json.loads(connection.getresponse().read())
        seen[pid] = processors


def ask_all(port: int, seen: dict[int, list[int]], workers: int) -> bool:
    ask(port, seen)
    return len(seen) == workers


def test_each_worker_has_a_processor_and_its_replacement_gets_it(port: int) -> None:
    seen: dict[int, list[int]] = {}
    wait_for("both workers", lambda: ask_all(port, seen, WORKERS))
    allowed = len(os.sched_getaffinity(0))
    assert [len(each) for each in seen.values()] == [1, 1]
    assert len({each[0] for each in seen.values()}) == min(WORKERS, allowed)
    (killed, processors), _ = seen.items()
    os.kill(killed, signal.SIGKILL)
    wait_for("the replacement", lambda: ask_all(port, seen, WORKERS + 1))
    assert list(seen.values())[-1] == processors


if __name__ == "__main__":
    worker_processors.open()
    web_server("tests.serving.test_cpu_affinity:create_application", int(sys.argv[1]), WORKERS).serve()
