"""Ctrl+C, which a terminal sends to every process of the service."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.servers import ALONE, free_port
from tests.serving.conftest import HOMEWARD, children
from tests.waiting import DEADLINE, wait_for


def is_answered(port: int, path: str) -> bool:
    connection = HTTPConnection(ALONE, port, timeout=5)
    with suppress(OSError):
        connection.request("GET", path)
        return connection.getresponse().status in (200, 403)
    return False


@contextmanager
def running_service(folder: Path) -> Iterator[tuple["subprocess.Popen[bytes]", int, int]]:
    """Run the service in a process group. Yield it with its ports for pages and edges."""
    port, internal = free_port(), free_port()
    environ = {
        **os.environ,
        "HOMEWARD_INSTANCE": str(folder),
        "PORT": str(port),
        "HOMEWARD_INTERNAL_LISTEN": f"{ALONE}:{internal}",
        "HOMEWARD_ACME_DIRECTORY": "https://127.0.0.1:9/directory",
        "HOMEWARD_CAA_ISSUERS": "letsencrypt.org",
    }
    command = [*HOMEWARD, "serve", "--workers", "2"]
    with (folder / "log").open("wb") as log:
        serving = subprocess.Popen(
            command, env=environ, start_new_session=True, stdout=subprocess.DEVNULL, stderr=log
        )
    try:
        yield serving, port, internal
    finally:
        with suppress(ProcessLookupError):
            os.killpg(serving.pid, signal.SIGKILL)
        serving.wait()


def assert_stops_cleanly(serving: "subprocess.Popen[bytes]", folder: Path) -> None:
    assert serving.wait(timeout=DEADLINE) == 0
    assert (folder / "log").read_text() == ""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_every_process(tmp_path: Path, end: signal.Signals) -> None:
    with running_service(tmp_path) as (serving, port, internal):
        wait_for("the pages", lambda: is_answered(port, "/healthz"))
        wait_for("the certificate listener", lambda: is_answered(internal, "/deny"))
        os.killpg(serving.pid, end)
        assert_stops_cleanly(serving, tmp_path)


def test_ctrl_c_during_the_start_stops_every_process(tmp_path: Path) -> None:
    with running_service(tmp_path) as (serving, _port, _internal):
        wait_for("the queue's keeper", lambda: children(serving.pid, "homeward-keeper"))
        os.killpg(serving.pid, signal.SIGINT)
        assert_stops_cleanly(serving, tmp_path)
