"""Incomplete bodies are never processed, with or without the edge."""

import socket

import pytest

from tests.servers import ALONE
from tests.serving.conftest import Running

ANIMAL = b'{"name": "Biscuit", "categoryId": 1}'
FORM = b"name=Sam&email=sam%40example.org"
FILE = b'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\nRex\r\n'
UPLOAD = b"--edge\r\n" + FILE + b"--edge--\r\n"
BODIES = {
    "/v1/pets": (b"application/json", ANIMAL),
    "/sign-up": (b"application/x-www-form-urlencoded", FORM),
    "/projects/business/imports": (b"multipart/form-data; boundary=edge", UPLOAD),
}
ENDINGS = {"complete": b"0\r\n\r\n", "cut off": b"", "broken": b"ZZ\r\n\r\n"}


def send(port: int, path: str, key: str, framing: bytes, body: bytes, cut_off: bool = False) -> bytes:
    """Send a request. If it is cut off, end the stream.

    Return all bytes that are received until the connection closes.
    """
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n".encode()
    with socket.create_connection((ALONE, port), 10) as connection:
        connection.sendall(head + b"Content-Type: " + BODIES[path][0] + b"\r\n" + framing + b"\r\n" + body)
        if cut_off:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer


def status_of(answer: bytes) -> int:
    return int(answer.split()[1])


def chunked(path: str, ending: str) -> bytes:
    body = BODIES[path][1]
    return b"%x\r\n" % len(body) + body + b"\r\n" + ENDINGS[ending]


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_chunked_body_is_rejected(running: Running, edge_port: int, path: str, ending: str) -> None:
    key, body, cut_off = running.keys["own"], chunked(path, ending), ending == "cut off"
    answer = send(running.port, path, key, b"Transfer-Encoding: chunked\r\n", body, cut_off)
    assert (status_of(answer), b"\r\nconnection: close\r\n" in answer) == (411, True)
    assert (b"length_required" in answer) == (path == "/v1/pets")
    framing = b"Transfer-Encoding: chunked\r\nConnection: close\r\n"
    at_the_edge = send(edge_port, path, key, framing, body, cut_off)
    # The edge may notice a broken body, and does not answer a client that has gone.
    assert cut_off or status_of(at_the_edge) in (411, 502), at_the_edge
    assert running.get("/v1/pets", key).json == []


@pytest.mark.parametrize("missing", [0, 1])
def test_an_incomplete_body_is_never_processed(running: Running, edge_port: int, missing: int) -> None:
    key, framing = running.keys["own"], b"Content-Length: %d\r\n" % (len(ANIMAL) + missing)
    for port in (running.port, edge_port):
        answer = send(
            port, "/v1/pets", key, framing + b"Connection: close\r\n", ANIMAL, cut_off=bool(missing)
        )
        assert (b"201 Created" in answer) == (not missing), answer
    added = running.get("/v1/pets", key).json
    assert len(added) == (0 if missing else 2)  # type: ignore[arg-type]


def test_a_413_closes_the_connection(running: Running) -> None:
    """Otherwise the client would send its next request on a connection that is about to close."""
    for path in ("/v1/pets", "/sign-up"):
        answer = send(running.port, path, running.keys["own"], b"Content-Length: 700000\r\n", b"")
        assert (status_of(answer), b"\r\nconnection: close\r\n" in answer) == (413, True)
