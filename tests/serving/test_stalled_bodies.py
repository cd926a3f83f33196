"""Clients that stop in the middle of a request body. They delay no other request."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from tests.servers import ALONE
from tests.serving.conftest import Running

STALLED_CLIENTS = 300
SMALL = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nname=Sam"


def stop_in_a_body(port: int, path: str, address: str) -> socket.socket:
    """Send a request without the end of its body, from an IP address of this machine."""
    connection = socket.create_connection((ALONE, port), 10, (address, 0))
    connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + SMALL)
    return connection


@pytest.fixture
def stalled_clients(running: Running) -> Iterator[None]:
    with ExitStack() as stack:
        for number in range(STALLED_CLIENTS):
            path = ("/sign-in", "/v1/pets", "/animals/1/applications")[number % 3]
            stack.enter_context(
                stop_in_a_body(running.port, path, f"127.0.{number // 250 + 1}.{number % 250}")
            )
        yield


@pytest.mark.usefixtures("stalled_clients")
def test_stalled_bodies_stop_no_other_request(running: Running) -> None:
    key = running.keys["own"]
    for number in range(5):
        assert running.ask("POST", "/v1/pets", key, {"name": f"Rex {number}", "categoryId": 1}).status == 201
        assert running.get("/").status == 200
        connection = HTTPConnection(ALONE, running.port, timeout=10)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/sign-in", "email=a%40example.org&password=a", form)
        assert connection.getresponse().status < 500
        connection.close()
