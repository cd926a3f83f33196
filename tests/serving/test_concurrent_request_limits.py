"""Limits on requests that run or wait at the same time in a web worker."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import ServiceUnavailable
from werkzeug.test import create_environ
from werkzeug.wsgi import FileWrapper

from serving import concurrent_request_limits
from serving.busy_clients import BUSY, WINDOW
from serving.concurrent_request_limits import (
    BRIEF_REQUESTS,
    FORMS_PER_CLIENT,
    LARGE_BODY,
    LONG_REQUESTS,
    OVERLOADED,
    PER_CLIENT,
    SMALL_BODY,
    UPLOADS_PER_ACCOUNT,
    UPLOADS_PER_CLIENT,
    WAITING_PER_CLIENT,
    Limited,
    Policy,
)
from serving.granian_server import CONNECTIONS_MOST
from tests.cast import Shelter
from tests.waiting import wait_for

POLICY = Policy(
    largest_body=lambda _environ: 10 * LARGE_BODY,
    may_take_long=lambda environ: environ["PATH_INFO"].startswith("/long"),
    client_of=lambda environ: environ["REMOTE_ADDR"],
    account_of=lambda environ: environ.get("account", environ["REMOTE_ADDR"]),
)


class Application:
    """An application that answers immediately.

    At a path that ends in "waits", it answers when the test allows it.
    """

    def __init__(self) -> None:
        self.let = threading.Event()
        self.running, self.most = 0, 0
        self.lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("503 SERVICE UNAVAILABLE" if OVERLOADED in environ else "200 OK", [])
        if OVERLOADED in environ:
            with pytest.raises(ServiceUnavailable):
                environ["wsgi.input"].read()
            return [b"overloaded"]
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        if environ["PATH_INFO"].endswith("waits"):
            self.let.wait()
        with self.lock:
            self.running -= 1
        return [b"do", b"ne"]


class Stalled(BytesIO):
    """A body that stalls until the test continues it."""

    def __init__(self, let: threading.Event) -> None:
        self.let = let

    def read(self, _size: int | None = -1) -> bytes:
        self.let.wait()
        return b""


Send = Callable[..., Future[bytes]]


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
def limited(application: Application, request: pytest.FixtureRequest) -> Limited:
    """A server that limits concurrent quick requests. The limit is 1 unless the test sets another limit."""
    return Limited(application, POLICY, getattr(request, "param", 1))


@pytest.fixture
def send(application: Application, limited: Limited, monkeypatch: pytest.MonkeyPatch) -> Iterator[Send]:
    """A function that sends a request in a thread, and returns the future of the response.

    There are as many threads as in a worker.
    """
    monkeypatch.setattr(concurrent_request_limits, "PATIENCE", 0.05)
    with ThreadPoolExecutor(CONNECTIONS_MOST) as threads:

        def sent(
            path: str, client: str = "192.0.2.1", method: str = "GET", length: int = 0, **more: str
        ) -> Future[bytes]:
            environ = create_environ(path, method=method, environ_overrides={"REMOTE_ADDR": client, **more})
            environ |= {"CONTENT_LENGTH": str(length)}
            if length:
                environ["wsgi.input"] = Stalled(application.let)
            return threads.submit(lambda: b"".join(limited(environ, lambda *_: None)))

        try:
            yield sent
        finally:
            application.let.set()


def test_quick_requests_run_one_after_the_other(
    application: Application, send: Send, limited: Limited
) -> None:
    answers = [send("/quick") for _ in range(50)]
    assert {answer.result() for answer in answers} == {b"done"}
    assert application.most == 1
    assert limited.started == {}, "the watchdog would end the process because of a request that is over"


@pytest.mark.parametrize("limited", [2], indirect=True)
def test_a_client_that_used_much_time_leaves_a_thread_for_visitors(
    application: Application, send: Send, limited: Limited
) -> None:
    limited.busy.add("192.0.2.1", 2 * BUSY)
    busy = [send("/waits", "192.0.2.1") for _ in range(4)]
    wait_for("a request of the busy client to run", lambda: application.running == 1)
    assert send("/quick", "192.0.2.2").result() == b"done"
    assert application.most == 2
    application.let.set()
    assert {answer.result() for answer in busy} == {b"done"}


def test_long_requests_of_clients_that_used_much_time_run_one_after_the_other(
    application: Application, send: Send, limited: Limited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrent_request_limits, "PATIENCE", 60)
    for client in ("192.0.2.1", "192.0.2.2"):
        limited.busy_with_long.add(client, 2 * BUSY)
    busy = [send("/long/waits", client) for client in ("192.0.2.1", "192.0.2.2") for _ in range(2)]
    wait_for("the others to wait", lambda: limited.long_of_busy.waiting.total() == 3)
    assert (application.running, limited.long.free) == (1, LONG_REQUESTS - 1)
    assert send("/long", "192.0.2.3").result() == b"done"
    application.let.set()
    assert {answer.result() for answer in busy} == {b"done"}


@pytest.mark.parametrize("limited", [2], indirect=True)
def test_the_time_that_a_client_used_is_forgotten(
    application: Application, send: Send, limited: Limited, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited.busy.add("192.0.2.1", 60.0)
    monkeypatch.setattr(limited.busy, "window_end", limited.busy.window_end - 60 * WINDOW)
    waiting = [send("/waits", "192.0.2.1") for _ in range(2)]
    wait_for("both requests to run", lambda: application.running == 2)
    application.let.set()
    assert {answer.result() for answer in waiting} == {b"done"}


def test_busy_threads_yield_to_pages_soon(tmp_path: Path) -> None:
    script = (
        "import os, sys, wsgi; wsgi.create_server(); print(sys.getswitchinterval(), flush=True); os._exit(0)"
    )
    environ = {"HOMEWARD_INSTANCE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout) == concurrent_request_limits.SWITCH_INTERVAL < 0.005


def test_waiting_requests_leave_threads_for_quick_requests(
    application: Application, send: Send, limited: Limited
) -> None:
    long = [send("/long/waits", f"192.0.2.{number // PER_CLIENT}") for number in range(LONG_REQUESTS)]
    brief = [send("/waits", method="POST") for _ in range(BRIEF_REQUESTS)]
    wait_for("all places to be taken", lambda: limited.long.free == limited.brief.free == 0)
    refused = [send("/long", "192.0.2.9").result(), send("/brief", method="POST").result()]
    assert refused == [b"overloaded"] * 2
    assert send("/quick").result() == b"done"
    application.let.set()
    assert {answer.result() for answer in (*long, *brief)} == {b"done"}
    assert send("/long").result() == b"done"


def test_bodies_that_do_not_arrive_take_no_thread(application: Application, send: Send) -> None:
    long = [send("/long", method="POST", length=SMALL_BODY) for _ in range(2 * LONG_REQUESTS)]
    brief = [send("/brief", method="POST", length=SMALL_BODY) for _ in range(2 * BRIEF_REQUESTS)]
    forms = [send("/brief", method="POST", length=SMALL_BODY + 1) for _ in range(FORMS_PER_CLIENT)]
    assert send("/long", method="POST").result() == send("/brief", method="POST").result() == b"done"
    assert send("/brief", method="POST", length=SMALL_BODY + 1).result() == b"overloaded"
    application.let.set()
    assert {answer.result() for answer in (*long, *brief, *forms)} == {b"done"}


def test_one_client_has_a_limited_share_of_threads(
    application: Application, send: Send, limited: Limited
) -> None:
    taken = [send("/long/waits", "192.0.2.1") for _ in range(PER_CLIENT)]
    wait_for("the client's share to be taken", lambda: application.running == PER_CLIENT)
    assert send("/long", "192.0.2.1").result() == b"overloaded"
    assert send("/long", "192.0.2.2").result() == b"done"
    application.let.set()
    assert {answer.result() for answer in taken} == {b"done"}
    assert limited.long.taken == {}


def test_uploads_have_a_smaller_share(application: Application, send: Send, limited: Limited) -> None:
    taken = [send("/long", method="POST", length=LARGE_BODY + 1) for _ in range(UPLOADS_PER_CLIENT)]
    wait_for("the client's uploads to be read", lambda: limited.uploads.taken["192.0.2.1"] == len(taken))
    assert send("/long", method="POST", length=LARGE_BODY + 1).result() == b"overloaded"
    assert send("/long", method="GET").result() == b"done"
    application.let.set()
    for answer in taken:
        answer.result()
    assert (limited.uploads.taken, limited.uploads_of_accounts.taken, limited.long.taken) == ({}, {}, {})


def test_uploads_are_limited_per_account(application: Application, send: Send, limited: Limited) -> None:
    def upload(number: int, account: str) -> Future[bytes]:
        return send("/long", f"192.0.2.{number}", "POST", LARGE_BODY + 1, account=account)

    taken = [upload(number, "1") for number in range(UPLOADS_PER_ACCOUNT)]
    wait_for("the account's uploads to be read", lambda: limited.uploads_of_accounts.taken["1"] == len(taken))
    assert upload(8, "1").result() == b"overloaded"
    assert limited.uploads.taken["192.0.2.8"] == 0
    taken.append(upload(9, "2"))
    wait_for("another account's upload to be read", lambda: limited.uploads_of_accounts.taken["2"] == 1)
    application.let.set()
    assert {answer.result() for answer in taken} == {b"done"}


def test_a_body_that_is_too_large_takes_no_upload_slot(
    application: Application, send: Send, limited: Limited
) -> None:
    taken = [send("/long", method="POST", length=LARGE_BODY + 1) for _ in range(UPLOADS_PER_CLIENT)]
    wait_for("the client's uploads to be read", lambda: limited.uploads.taken["192.0.2.1"] == len(taken))
    too_large = POLICY.largest_body({}) + 1
    assert send("/long", method="POST", length=too_large).result() == b"done", "the application answers 413"


def test_a_request_waits_for_a_free_slot(application: Application, send: Send) -> None:
    answers = [
        send("/long", f"192.0.2.{number}")
        for number in range(LONG_REQUESTS + concurrent_request_limits.WAITING)
    ]
    assert {answer.result() for answer in answers} == {b"done"}


def test_many_staff_pages_of_one_client_at_once_are_all_shown(application: Application, send: Send) -> None:
    answers = [send("/long", f"192.0.2.{number % 2}") for number in range(concurrent_request_limits.WAITING)]
    assert {answer.result() for answer in answers} == {b"done"}
    assert application.most <= LONG_REQUESTS


def test_one_client_leaves_waiting_slots_to_other_clients(
    application: Application, send: Send, limited: Limited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrent_request_limits, "PATIENCE", 60)
    taken = [send("/long/waits", f"192.0.2.{number // PER_CLIENT}") for number in range(LONG_REQUESTS)]
    wait_for("all places to be taken", lambda: limited.long.free == 0)
    crowd = [send("/long", "192.0.2.9") for _ in range(WAITING_PER_CLIENT)]
    wait_for("one client's requests to wait", lambda: limited.long.waiting["192.0.2.9"] == len(crowd))
    assert send("/long", "192.0.2.9").result() == b"overloaded"
    other = send("/long", "192.0.2.8")
    wait_for("another client's request to wait", lambda: limited.long.waiting["192.0.2.8"] == 1)
    application.let.set()
    assert {answer.result() for answer in (*taken, *crowd, other)} == {b"done"}
    assert limited.long.waiting == {}


def test_a_download_keeps_its_slot_until_it_is_read(send: Send) -> None:
    file = TemporaryFile()  # noqa: SIM115 - closed by the answer
    file.write(b"a" * 100_000)
    file.seek(0)

    def download(_environ: dict[str, Any], start_response: Any) -> FileWrapper:
        start_response("200 OK", [])
        return FileWrapper(file)

    limited = Limited(download, POLICY)
    environ = create_environ("/long", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    answer: Any = limited(environ, lambda *_: None)
    assert limited.long.free == LONG_REQUESTS - 1
    assert [len(block) for block in answer][:2] == [8_192, 8_192]
    answer.close()
    assert (limited.long.free, file.closed) == (LONG_REQUESTS, True)


@pytest.mark.settings("embedded")
def test_a_request_without_a_slot_gets_503_with_retry_after(client: FlaskClient, shelter: Shelter) -> None:
    for method, path in (("GET", "/"), ("POST", "/sign-in"), ("POST", "/v1/pets"), ("DELETE", "/v1/pets/1")):
        headers = {"Authorization": f"Bearer {shelter.key}"}
        answer = client.open(path, method=method, headers=headers, environ_overrides={OVERLOADED: True})
        assert answer.status_code == 503, path
        assert int(answer.headers["Retry-After"]) >= 1, path
        assert "Many requests are being handled" in answer.text, path
