"""The edge in front of fake servers: certificates, refused handshakes, and forwarded requests."""

import json
import math
import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path

import pytest

from deploy.trial.daemons import EDGE, Edge, certificate_for
from tests.edge.browser_client import SECONDS, Visitor, dial, handshake, trusting, visit, visit_over_http
from tests.edge.daemons import caddy
from tests.edge.fakes import EchoHandler, FakeListener, FakeServer, serving_requests
from tests.servers import ALONE, free_port, program
from tests.waiting import wait_for

PLATFORM = "homeward.example"
HOST = "adopt.elm.example"
LOG_LINES_PER_SECOND = 10
"""The maximum number of log lines of one kind per second."""


@dataclass
class EdgeSetup:
    """Two edges in front of one application."""

    application: FakeServer
    listener: FakeListener
    edges: tuple[Edge, Edge]

    def add_certificate(self, host: str) -> str:
        """Add a host's certificate to the listener. Return the root certificate to trust."""
        chain, key = certificate_for(host)
        self.listener.pems[host] = chain + key
        return chain


@pytest.fixture(scope="module")
def edge_setup() -> Iterator[EdgeSetup]:
    application, listener = FakeServer(EchoHandler), FakeListener()
    with ExitStack() as running:
        running.enter_context(serving_requests(application))
        running.enter_context(serving_requests(listener))
        edges = [running.enter_context(caddy(application.port, listener.port, PLATFORM)) for _ in range(2)]
        yield EdgeSetup(application, listener, (edges[0], edges[1]))


@pytest.fixture(autouse=True)
def clear_listener(edge_setup: EdgeSetup) -> None:
    edge_setup.listener.pems.clear()
    edge_setup.listener.requested_paths.clear()


def test_each_edge_shows_the_listeners_certificate(edge_setup: EdgeSetup) -> None:
    root = edge_setup.add_certificate(HOST)
    shown = [handshake(edge.https_port, HOST) for edge in edge_setup.edges]
    assert shown[0] is not None
    assert shown[0] == shown[1]
    assert visit(edge_setup.edges[1].https_port, HOST, "/", root).status == 200


def test_a_handshake_for_an_unknown_or_missing_host_is_refused(edge_setup: EdgeSetup) -> None:
    edge_setup.add_certificate(HOST)
    refused = ("other.example", None, f"x.{HOST}", "a.b.homeward.example")
    assert [handshake(edge_setup.edges[0].https_port, sni) for sni in refused] == [None] * len(refused)


def test_a_removed_host_is_refused_by_every_edge_with_the_next_handshake(edge_setup: EdgeSetup) -> None:
    edge_setup.add_certificate(HOST)
    assert all(handshake(edge.https_port, HOST) for edge in edge_setup.edges)
    del edge_setup.listener.pems[HOST]
    assert [handshake(edge.https_port, HOST) for edge in edge_setup.edges] == [None, None]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_removed_host_cannot_be_reached_by_session_resumption(
    edge_setup: EdgeSetup, version: ssl.TLSVersion
) -> None:
    context, edge = trusting(edge_setup.add_certificate(HOST)), edge_setup.edges[0].https_port
    context.maximum_version = version
    with Visitor(edge, HOST, context) as visitor:
        visitor.get("/")  # With TLS 1.3, the session ticket comes with the first response.
        assert isinstance(visitor.connection.sock, ssl.SSLSocket)
        session = visitor.connection.sock.session
    del edge_setup.listener.pems[HOST]
    with pytest.raises(ssl.SSLError, match="ALERT"), dial(edge, context, HOST, session):
        pass


def test_a_renewed_certificate_is_shown_with_the_next_handshake(edge_setup: EdgeSetup) -> None:
    edge_setup.add_certificate(HOST)
    before = handshake(edge_setup.edges[0].https_port, HOST)
    edge_setup.add_certificate(HOST)
    after = handshake(edge_setup.edges[0].https_port, HOST)
    assert before is not None
    assert after is not None
    assert before.serial != after.serial


def test_the_platforms_certificate_is_loaded_from_files(edge_setup: EdgeSetup) -> None:
    for host in (PLATFORM, f"riverside.{PLATFORM}"):
        assert handshake(edge_setup.edges[0].https_port, host)
    assert edge_setup.listener.requested_paths == []


def test_without_files_the_platforms_certificate_comes_from_the_listener(edge_setup: EdgeSetup) -> None:
    with caddy(edge_setup.application.port, edge_setup.listener.port, PLATFORM, in_files=False) as edge:
        assert handshake(edge.https_port, PLATFORM) is None
        root = edge_setup.add_certificate(PLATFORM)
        edge_setup.add_certificate(f"riverside.{PLATFORM}")
        assert visit(edge.https_port, PLATFORM, "/", root).status == 200
        before = handshake(edge.https_port, PLATFORM)
        edge_setup.add_certificate(PLATFORM)
        assert handshake(edge.https_port, PLATFORM) not in (None, before)
        assert handshake(edge.https_port, f"riverside.{PLATFORM}")
        assert handshake(edge.https_port, f"other.{PLATFORM}") is None


def client_hello(host: str) -> bytes:
    """Return the first message of a TLS client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    begun = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname=host)
    with pytest.raises(ssl.SSLWantReadError):
        begun.do_handshake()
    return outgoing.read()


def test_the_edge_orders_no_certificates_itself(edge_setup: EdgeSetup) -> None:
    def ordered() -> bool:
        return any(path.startswith("/no-authority") for path in edge_setup.listener.requested_paths)

    edge = edge_setup.edges[0].https_port
    assert handshake(edge, "other.example") is None
    assert "/deny?domain=other.example" in edge_setup.listener.requested_paths
    assert not ordered()
    edge_setup.listener.deny_status = 200
    try:
        with socket.create_connection((ALONE, edge), SECONDS) as connection:
            connection.sendall(client_hello("third.example"))
            wait_for("the edge to look for an authority", ordered)
    finally:
        edge_setup.listener.deny_status = 403


FORGED = {
    "X-Forwarded-For": "192.0.2.66",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "gopher",
    "X-Forwarded-Uri": "//evil.example/",
    "Forwarded": "for=192.0.2.66;host=evil.example",
    # WSGI has the same name for this header and for X-Forwarded-For.
    "X_Forwarded_For": "192.0.2.66",
    "x_anything": "192.0.2.66",
}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_forwarding_headers_of_clients_are_replaced(edge_setup: EdgeSetup, scheme: str) -> None:
    root, edge = edge_setup.add_certificate(HOST), edge_setup.edges[0]
    port, context = (edge.https_port, trusting(root)) if scheme == "https" else (edge.http_port, None)
    path = "//a/../%2e%2e/?b=%2F&b=%C3%A9;c"
    with Visitor(port, HOST, context) as visitor:
        received = json.loads(visitor.ask("GET", path, headers=FORGED).body)
    assert received["path"] == path
    headers = {name.lower(): value for name, value in received["headers"]}
    assert headers["host"] == headers["x-forwarded-host"] == HOST
    assert (headers["x-forwarded-for"], headers["x-forwarded-proto"]) == (ALONE, scheme)
    assert headers["x-forwarded-uri"] == path
    assert not any("192.0.2.66" in value or "evil" in value for _, value in received["headers"])


FORWARDED_ADDRESSES = [
    (b"/a%2Fb/..?", "/a%2Fb/..?"),
    (b"/?", "/?"),
    (b"/a|b%2F", "/a|b%2F"),
    (b"/\xe9?x", "/%E9?x"),
    (b"/\xc3\xa9", "/%C3%A9"),
]


def test_the_application_gets_the_unchanged_request_target(edge_setup: EdgeSetup) -> None:
    for written, forwarded in FORWARDED_ADDRESSES:
        with socket.create_connection((ALONE, edge_setup.edges[0].http_port), SECONDS) as connection:
            connection.sendall(b"GET %s HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-Uri: /b\r\n\r\n" % written)
            response = HTTPResponse(connection)
            response.begin()
            headers = dict(json.loads(response.read())["headers"])
        assert headers["X-Forwarded-Uri"] == forwarded


def test_plain_http_and_challenges_are_passed_on_for_every_host(edge_setup: EdgeSetup) -> None:
    path = "/.well-known/acme-challenge/token"
    for host in (HOST, "other.example", ALONE):
        answer = visit_over_http(edge_setup.edges[0].http_port, host, path)
        assert (answer.status, json.loads(answer.body)["path"]) == (200, path)


def test_the_platform_redirects_plain_http_to_https_except_for_challenges(edge_setup: EdgeSetup) -> None:
    for host in (PLATFORM, f"riverside.{PLATFORM}", f"{PLATFORM}.", f"riverside.{PLATFORM}."):
        answer = visit_over_http(edge_setup.edges[0].http_port, host, "/animals?q=a%2Fb")
        assert (answer.status, answer.headers["location"]) == (
            308,
            f"https://{host.removesuffix('.')}/animals?q=a%2Fb",
        )
    # The authority's requests are forwarded. Before the first certificate, the authority could not follow a
    # redirect.
    path = "/.well-known/acme-challenge/token"
    answer = visit_over_http(edge_setup.edges[0].http_port, PLATFORM, path)
    assert (answer.status, json.loads(answer.body)["path"]) == (200, path)


def test_a_body_of_32_mib_is_accepted_and_a_larger_one_refused(edge_setup: EdgeSetup) -> None:
    port, largest = edge_setup.edges[0].http_port, 32 * 1_048_576
    with Visitor(port, HOST) as visitor:
        answer = visitor.ask("POST", "/", bytes(largest))
    assert json.loads(answer.body)["taken"] == largest
    with Visitor(port, HOST) as visitor:
        assert visitor.ask("POST", "/", bytes(largest + 2 * 1_048_576)).status == 413


def test_the_application_gets_a_request_once_its_body_is_complete(edge_setup: EdgeSetup) -> None:
    port, before = edge_setup.edges[0].http_port, len(edge_setup.application.requested_paths)
    with socket.create_connection((ALONE, port), SECONDS) as slow:
        head = f"POST /slow HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 100000\r\n\r\n".encode()
        slow.sendall(head + b"a" * 99_999)
        assert visit_over_http(port, HOST, "/quick").status == 200
        assert edge_setup.application.requested_paths[before:] == ["/quick"]
        slow.sendall(b"a")
        assert b'"taken": 100000' in slow.recv(65_536)


def test_a_truncated_body_is_never_passed_on_as_complete(edge_setup: EdgeSetup) -> None:
    port = edge_setup.edges[0].http_port
    for length in (1_000, 1_048_576 + 1_000):
        with socket.create_connection((ALONE, port), SECONDS) as client:
            head = f"POST / HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {length}\r\n\r\n".encode()
            client.sendall(head + b"a" * (length - 1))
            client.shutdown(socket.SHUT_WR)
            assert b'"taken": %d' % length not in client.recv(65_536)


def test_too_large_headers_are_refused(edge_setup: EdgeSetup) -> None:
    with Visitor(edge_setup.edges[0].http_port, HOST) as visitor:
        assert visitor.get("/", Cookie="x" * 65_536).status == 431


def test_http_2_is_offered(edge_setup: EdgeSetup) -> None:
    context = trusting(edge_setup.add_certificate(HOST))
    context.set_alpn_protocols(["h2", "http/1.1"])
    with dial(edge_setup.edges[0].https_port, context, HOST) as secured:
        assert secured.selected_alpn_protocol() == "h2"


def test_http_3_is_not_offered(edge_setup: EdgeSetup) -> None:
    root = edge_setup.add_certificate(HOST)
    assert visit(edge_setup.edges[0].https_port, HOST, "/", root).headers.get("alt-svc") is None


def test_a_body_over_http_2_arrives_with_its_length(edge_setup: EdgeSetup) -> None:
    edge_setup.add_certificate(HOST)
    port = edge_setup.edges[0].https_port
    where = ["--insecure", "--resolve", f"{HOST}:{port}:{ALONE}", f"https://{HOST}:{port}/"]
    sent = subprocess.run(
        [program("curl"), "--silent", "--noproxy", "*", "--http2", "--data", "a=1", *where],
        capture_output=True,
        check=True,
    )
    received = json.loads(sent.stdout)
    headers = {name.lower(): value for name, value in received["headers"]}
    assert (received["taken"], headers["content-length"]) == (3, "3")
    assert "transfer-encoding" not in headers


def test_the_edge_stores_no_copy_of_its_configuration(edge_setup: EdgeSetup) -> None:
    assert [path for edge in edge_setup.edges for path in edge.folder.rglob("*.json")] == []


def test_responses_have_no_server_header(edge_setup: EdgeSetup) -> None:
    root, edge = edge_setup.add_certificate(HOST), edge_setup.edges[0]
    answers = [visit_over_http(edge.http_port, HOST, "/"), visit(edge.https_port, HOST, "/", root)]
    assert [answer.headers.get("server") for answer in answers] == [None, None]


def test_an_application_that_is_down_is_a_502_with_a_message(edge_setup: EdgeSetup) -> None:
    with caddy(free_port(), edge_setup.listener.port, PLATFORM) as edge:
        root = edge_setup.add_certificate(HOST)
        for answer in (visit_over_http(edge.http_port, HOST, "/"), visit(edge.https_port, HOST, "/", root)):
            assert answer.status == 502
            assert b"is not available right now" in answer.body
            assert "server" not in answer.headers


def test_refused_handshakes_are_logged_at_a_limited_rate(edge_setup: EdgeSetup) -> None:
    with caddy(edge_setup.application.port, edge_setup.listener.port, PLATFORM) as edge:
        began = time.monotonic()
        for number in range(LOG_LINES_PER_SECOND * 20):
            assert handshake(edge.https_port, f"{number}.nobody.example") is None
        seconds = math.ceil(time.monotonic() - began) + 1
        received = edge.log.read_text().count("got HTTP 204")
    assert 1 <= received <= LOG_LINES_PER_SECOND * seconds + LOG_LINES_PER_SECOND


LOGGING_CADDY = """\
#!/usr/bin/env python3
import os, sys
if sys.argv[1] == "run":
    configuration = sys.stdin.read().replace('{"default": {', '{"default": {"level": "DEBUG", ')
    with open("{folder}/configuration.json", "w") as file:
        file.write(configuration)
    sys.argv[2:] = ["--config", "{folder}/configuration.json"]
os.execv("{caddy}", ["caddy", *sys.argv[1:]])
"""
"""Caddy at level DEBUG, at which every version logs requests."""


def test_the_edges_log_has_no_addresses_and_no_headers(
    edge_setup: EdgeSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "caddy"
    command.write_text(LOGGING_CADDY.replace("{folder}", str(tmp_path)).replace("{caddy}", program("caddy")))
    command.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with caddy(free_port(), edge_setup.listener.port, PLATFORM) as edge:
        assert visit_over_http(edge.http_port, HOST, "/password/new/secret?q=sam%40elm.example").status == 502
        log = edge.log.read_text()
    assert '"status":502' in log.replace(" ", "")
    assert not re.search("secret|q=sam", log)


def test_an_edge_without_a_required_setting_names_it_and_does_not_start() -> None:
    program("caddy")
    received = {"EDGE_PLATFORM_HOST": PLATFORM, "EDGE_CERTIFICATE": "chain.pem", "EDGE_KEY": "key.pem"}
    for missing in received:
        given = {name: value for name, value in received.items() if name != missing}
        environ = {"PATH": os.environ["PATH"], **given}
        ended = subprocess.run([EDGE], env=environ, capture_output=True, text=True, timeout=SECONDS)
        assert ended.returncode != 0
        assert f"{missing}: must be" in ended.stderr


KEY_PATHS = ("/cert?server_name=adopt.elm.example", "/deny", "/no-authority", "//cert", "/./cert", "/%63ert")


@pytest.fixture
def outside_requests(edge_setup: EdgeSetup) -> Callable[[], list[str]]:
    """Return the paths that were requested from the listener.

    Requests that the edge makes for a handshake are left out.
    """
    return lambda: [path for path in edge_setup.listener.requested_paths if "cipher_suites=" not in path]


def test_no_request_from_outside_reaches_the_listener(
    edge_setup: EdgeSetup, outside_requests: Callable[[], list[str]]
) -> None:
    root, edge = edge_setup.add_certificate(HOST), edge_setup.edges[0]
    inside = f"{ALONE}:{edge_setup.listener.port}"
    for path in (*KEY_PATHS, f"http://{inside}/cert?server_name={HOST}"):
        for host in (HOST, inside, "localhost", PLATFORM):
            with Visitor(edge.http_port, host) as plain:
                plain.get(path)
            with Visitor(edge.https_port, host, trusting(root), sni=HOST) as secured:
                secured.get(path, Via="1.1 x")
    assert outside_requests() == []
