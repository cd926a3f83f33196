"""Hostile and incomplete requests get an error or a closed connection, and delay no one else."""

import json
import resource
import socket
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.serving.conftest import Running

HOST = b"Host: localhost\r\n"
CLOSE = b"Connection: close\r\n\r\n"
JSON = b"Content-Type: application/json\r\n"
HALF_A_BODY = b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + b'Content-Length: 100\r\n\r\n{"name":'

HOSTILE = {
    "a host with blanks": b"GET /v1/pets HTTP/1.1\r\nHost: a b<>\r\n" + CLOSE,
    "a host with a port that is none": b"GET /v1/pets HTTP/1.1\r\nHost: evil.example:99999\r\n" + CLOSE,
    "no host": b"GET /v1/pets HTTP/1.1\r\n" + CLOSE,
    "an address of another server": b"GET http://evil.example/v1/pets HTTP/1.1\r\n" + HOST + CLOSE,
    "NUL in the path": b"GET /v1/pets/%00 HTTP/1.1\r\n" + HOST + CLOSE,
    "no UTF-8 in the path": b"GET /v1/%ff%fe HTTP/1.1\r\n" + HOST + CLOSE,
    "dots in the path": b"GET /v1/../../etc/passwd HTTP/1.1\r\n" + HOST + CLOSE,
    "no UTF-8 in the query": b"GET /v1/categories?%ff=%fe HTTP/1.1\r\n" + HOST + CLOSE,
    "a header of 700 kB": b"GET /v1/pets HTTP/1.1\r\n" + HOST + b"X-A: " + b"a" * 700_000 + b"\r\n" + CLOSE,
    "no ASCII in the key": b"GET /v1/pets HTTP/1.1\r\n"
    + HOST
    + b"Authorization: Bearer \xff\xfe\r\n"
    + CLOSE,
    "100,000 parameters": b"GET /v1/pets?" + b"&".join([b"a=1"] * 100_000) + b" HTTP/1.1\r\n" + HOST + CLOSE,
    "10,000 parameters": b"GET /v1/pets?" + b"&".join([b"a=1"] * 10_000) + b" HTTP/1.1\r\n" + HOST + CLOSE,
    "TLS to a plain port": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "a negative length": b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: -1\r\n\r\n{",
    "two lengths": b"POST /v1/pets HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Content-Length: 2\r\nContent-Length: 3\r\n"
    + CLOSE
    + b"{}",
    "a broken chunk": b"POST /v1/pets HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Transfer-Encoding: chunked\r\n"
    + CLOSE
    + b"ZZ\r\n{}\r\n0\r\n\r\n",
    "a length and chunks": b"POST /v1/pets HTTP/1.1\r\n"
    + HOST
    + JSON
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"
    + CLOSE
    + b"0\r\n\r\n",
    "10 MB announced": b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: 10000000\r\n" + CLOSE,
    "a method of its own": b"BREW /v1/pets HTTP/1.1\r\n" + HOST + CLOSE,
}


def test_hostile_requests_get_an_error_or_a_closed_connection(
    serve: Callable[..., Running],
) -> None:
    running = serve(workers=1)
    workers = running.worker_ids()
    for what, sent in HOSTILE.items():
        head, _, body = running.raw(sent).partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head else 0
        assert status < 500, (what, head)
        assert status != 200, (what, head)
        # Granian's HTTP parser rejects these with an empty body and closes the connection.
        if body:
            assert json.loads(body)["status"] == status, what
        assert running.get("/healthz").status == 200, what
    assert running.worker_ids() == workers


def test_a_body_that_stops_half_way_is_an_error(running: Running) -> None:
    key = f"Authorization: Bearer {running.keys['own']}\r\n".encode()
    with socket.create_connection(("127.0.0.1", running.port)) as connection:
        connection.sendall(HALF_A_BODY.replace(JSON, JSON + key))
        connection.shutdown(socket.SHUT_WR)
        body = connection.recv(65536).partition(b"\r\n\r\n")[2]
    assert json.loads(body) == {
        "code": "invalid_request",
        "message": "The body is incomplete: the connection ended before all of it arrived.",
        "status": 400,
    }
    assert running.get("/v1/pets", running.keys["own"]).json == []


@pytest.mark.parametrize("edge", [False, True], ids=["direct", "through the edge"])
def test_bodies_that_never_arrive_delay_no_other_request(
    running: Running, edge_port: int, edge: bool
) -> None:
    asked = replace(running, port=edge_port) if edge else running
    with ExitStack() as held:
        for _ in range(200):
            stalled = held.enter_context(socket.create_connection(("127.0.0.1", asked.port)))
            stalled.sendall(HALF_A_BODY)
        assert asked.get("/v1/pets", running.keys["own"]).status == 200
        added = asked.ask("POST", "/v1/pets", running.keys["own"], {"name": "Rex", "categoryId": 1})
        assert added.status == 201


def test_a_large_body_without_a_session_or_key_is_rejected_early(running: Running) -> None:
    for cookie in (b"", b"Cookie: session=eyJzaWduX2luIjoieCJ9.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n"):
        head = b"POST /projects/business/imports HTTP/1.1\r\n" + HOST + cookie
        for more in (
            b"Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n",
            b"",
        ):
            answer = running.raw(head + more + b"Content-Length: 30000000\r\n" + CLOSE)
            assert int(answer.split()[1]) in (302, 413), answer[:300]


def test_clients_that_never_read_delay_no_one_and_take_no_memory(
    serve: Callable[..., Running],
) -> None:
    running = serve(workers=1)
    [worker] = running.worker_ids()
    before = memory_of(worker)
    page = b"GET /v1/openapi.json HTTP/1.1\r\n" + HOST + b"\r\n"
    with ExitStack() as held:
        for _ in range(50):
            deaf = held.enter_context(socket.create_connection(("127.0.0.1", running.port)))
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)
            try:
                while True:
                    deaf.send(page * 100)
            except BlockingIOError:
                pass
        assert running.get("/v1/pets", running.keys["business"]).status == 200
        assert memory_of(worker) - before < 100_000_000


def memory_of(process: int) -> int:
    """Return the resident memory of a process, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()


def test_a_full_disk_is_503_until_there_is_space(running: Running) -> None:
    key = running.keys["own"]
    [worker] = running.worker_ids()
    limits = resource.prlimit(worker, resource.RLIMIT_FSIZE)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (0, limits[1]))  # no file can grow
    try:
        refused = [running.ask("POST", "/v1/pets", key, {"name": "Lost", "categoryId": 1}) for _ in range(3)]
    finally:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, limits)
    assert {answer.status for answer in refused} == {503}
    assert refused[0].json["code"] == "unavailable"  # type: ignore[index]
    assert int(refused[0].headers["retry-after"]) >= 1
    assert running.ask("POST", "/v1/pets", key, {"name": "Kept", "categoryId": 1}).status == 201
    kept = running.get("/v1/pets", key).json
    assert [animal["name"] for animal in kept] == ["Kept"]  # type: ignore[attr-defined]


def test_a_locked_database_is_503_for_writers_until_it_is_unlocked(running: Running) -> None:
    key = running.keys["own"]
    with sqlite3.connect(running.instance / "homeward.sqlite3", isolation_level=None) as locking:
        locking.execute("BEGIN IMMEDIATE")
        assert running.ask("POST", "/v1/pets", key, {"name": "Late", "categoryId": 1}).status == 503
        assert running.get("/v1/pets", key).json == []
        locking.execute("ROLLBACK")
    assert running.ask("POST", "/v1/pets", key, {"name": "Kept", "categoryId": 1}).status == 201
    assert len(running.get("/v1/pets", key).json) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 4])
def test_a_stop_finishes_running_requests(serve: Callable[..., Running], threads: int) -> None:
    running = serve(workers=1, threads=threads)
    with socket.create_connection(("127.0.0.1", running.port)) as connection:
        body = b'{"name": "Biscuit", "categoryId": 1}'
        key = f"Authorization: Bearer {running.keys['business']}\r\n".encode()
        head = b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + key
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body[:10])
        running.get("/healthz")  # by now the server has accepted the incomplete request
        assert running.process is not None
        running.process.terminate()
        connection.sendall(body[10:])
        assert b"201 Created" in connection.recv(65536)
    assert running.process.wait() == 0


def test_a_header_that_is_not_ascii_is_rejected(running: Running) -> None:
    key = f"Authorization: Bearer {running.keys['own']}\r\n".encode()
    body = b'{"name": "Biscuit", "categoryId": 1}'
    head = b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + key
    for value in ("clé-1".encode(), "clé-1".encode("latin-1")):
        rest = b"Idempotency-Key: " + value + b"\r\nContent-Length: %d\r\n" % len(body) + CLOSE + body
        answer = running.raw(head + rest)
        assert b"400 Bad Request" in answer
        assert b"Idempotency-Key must have" in answer
    assert running.get("/v1/pets", running.keys["own"]).json == []


def test_an_unescaped_query_is_read(running: Running) -> None:
    key = f"Authorization: Bearer {running.keys['own']}\r\n".encode()
    for asked in ("?q=é", "?q=日本", "?٣=٣", "?q=🐶"):
        for path in ("/", "/healthz"):
            answer = running.raw(f"GET {path}{asked} HTTP/1.1\r\n".encode() + HOST + CLOSE)
            assert b" 200 " in answer.split(b"\r\n")[0]
        answer = running.raw(f"GET /v1/categories{asked} HTTP/1.1\r\n".encode() + HOST + key + CLOSE)
        assert b"is not a known parameter" in answer


def test_a_path_is_decoded_once(running: Running) -> None:
    key = running.keys["own"]
    added: Any = running.ask("POST", "/v1/pets", key, {"name": "Biscuit", "categoryId": 1}).json
    number = "".join(f"%{ord(digit):x}" for digit in str(added["id"]))
    assert running.get(f"/v1/pets/{number}", key).status == 200
    for path in (f"/v1/pets/{number.replace('%', '%25')}", "/v1%252fcategories"):
        assert running.get(path, key).status == 404


def test_a_waiting_writer_delays_no_reader(running: Running) -> None:
    key = running.keys["own"]
    body = b'{"name": "Late", "categoryId": 1}'
    with sqlite3.connect(running.instance / "homeward.sqlite3", isolation_level=None) as locking:
        locking.execute("BEGIN IMMEDIATE")
        with socket.create_connection(("127.0.0.1", running.port)) as writer:
            head = b"POST /v1/pets HTTP/1.1\r\n" + HOST + JSON + f"Authorization: Bearer {key}\r\n".encode()
            writer.sendall(head + b"Content-Length: %d\r\n" % len(body) + CLOSE + body)
            for path in ("/v1/pets", "/healthz", "/"):
                assert running.get(path, key).status == 200
            locking.execute("ROLLBACK")  # the writer was still waiting, so its status is not 503
            assert b"201 Created" in writer.recv(65536)


def test_many_waiting_writers_delay_no_reader(running: Running) -> None:
    key = running.keys["own"]
    with sqlite3.connect(running.instance / "homeward.sqlite3", isolation_level=None) as locking:
        locking.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(40) as pool:
            body = {"name": "Late", "categoryId": 1}
            writers = [pool.submit(running.ask, "POST", "/v1/pets", key, body) for _ in range(40)]
            # The first writer is rejected, and the others wait.
            while not any(writer.done() for writer in writers):
                assert running.get("/healthz").status == 200
            for path in ("/v1/pets", "/"):
                assert running.get(path, key).status == 200
            locking.execute("ROLLBACK")
            assert {writer.result().status for writer in writers} <= {201, 503}


def test_form_data_is_not_logged(serve: Callable[..., Running], capfd: pytest.CaptureFixture[str]) -> None:
    running = serve(workers=1)
    key = running.keys["business"]
    with sqlite3.connect(running.instance / "homeward.sqlite3", isolation_level=None) as locking:
        locking.execute("BEGIN IMMEDIATE")
        refused = running.ask("POST", "/v1/pets", key, {"name": "Jane Doe's", "categoryId": 1})
        locking.execute("ROLLBACK")
    assert refused.status == 503
    running.stop()
    logged = capfd.readouterr().err
    assert refused.headers["x-request-id"] in logged
    assert "Jane Doe" not in logged
    assert key not in logged


def test_after_a_clean_stop_the_database_file_is_complete(serve: Callable[..., Running]) -> None:
    running = serve(workers=2)
    running.ask("POST", "/v1/pets", running.keys["business"], {"name": "Biscuit", "categoryId": 1})
    assert running.stop() == 0
    logs = [path for path in running.instance.glob("*-wal") if path.stat().st_size]
    assert logs == []
