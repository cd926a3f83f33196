"""Clients that stop in the middle of a body keep nobody from being answered, and lose their connections."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from serving.stopped_connections import close_if_stopped
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
            for each in (listening, accepted):
                close_if_stopped(each.fileno(), port, limit)
            close_if_stopped(accepted.fileno(), port + 1, 0)
            if limit:
                with pytest.raises(TimeoutError):
                    client.recv(1)
            else:
                assert client.recv(1) == b""
            assert accepted.fileno() > 0
