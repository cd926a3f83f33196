"""Clients that stop in the middle of a body keep nobody from being answered, and lose their connections."""

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from serving.stopped_connections import close_stopped
from tests.servers import ALONE
from tests.serving.conftest import Running

STRANGERS = 300
SMALL = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nname=Sam"


def stop_in_a_body(port: int, path: str, address: str) -> socket.socket:
    """Send a request without the end of its body, from an address of this machine."""
    connection = socket.create_connection((ALONE, port), 10, (address, 0))
    connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + SMALL)
    return connection


@pytest.fixture
def strangers(running: Running) -> Iterator[None]:
    with ExitStack() as stack:
        for number in range(STRANGERS):
            path = ("/sign-in", "/v1/pets", "/animals/1/applications")[number % 3]
            stack.enter_context(
                stop_in_a_body(running.port, path, f"127.0.{number // 250 + 1}.{number % 250}")
            )
        yield


@pytest.mark.usefixtures("strangers")
def test_any_number_of_stalled_bodies_stops_no_other_request(running: Running) -> None:
    key = running.keys["own"]
    for number in range(5):
        assert running.ask("POST", "/v1/pets", key, {"name": f"Rex {number}", "categoryId": 1}).status == 201
        assert running.get("/").status == 200
        connection = HTTPConnection(ALONE, running.port, timeout=10)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/sign-in", "email=a%40example.org&password=a", form)
        assert connection.getresponse().status < 500
        connection.close()


@pytest.mark.parametrize("limit", [0, 60])
def test_a_connection_is_ended_once_nothing_has_moved_for_long_enough(limit: float) -> None:
    with socket.create_server((ALONE, 0)) as listening:
        port = listening.getsockname()[1]
        with socket.create_connection((ALONE, port), 10) as client, listening.accept()[0] as accepted:
            client.sendall(b"a")
            accepted.recv(1)
            client.settimeout(0.05)
            with pytest.raises(TimeoutError):
                client.recv(1)
            close_stopped(port + 1, 0)
            close_stopped(port, limit)
            if limit:
                with pytest.raises(TimeoutError):
                    client.recv(1)
            else:
                assert client.recv(1) == b""
            assert accepted.getsockname() == (ALONE, port)
            assert listening.getsockname() == (ALONE, port)


LOCK = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0).execute("BEGIN IMMEDIATE")
"""


def test_looking_at_connections_leaves_the_locks_of_databases_alone(tmp_path: Path) -> None:
    """The system ends all of a process's locks on a file when the process closes any of its copies."""
    path = str(tmp_path / "database")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        close_stopped(1, 0)
        ran = subprocess.run([sys.executable, "-c", LOCK, path], capture_output=True, text=True)
        assert "database is locked" in ran.stderr
