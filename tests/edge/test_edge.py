"""The edge alone, before stand-ins: what it shows, whom it refuses, and what it passes on."""

import json
import math
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPResponse

import pytest

from deploy.trial.daemons import EDGE, Edge, certificate_for
from tests.edge.browser_client import SECONDS, Visitor, dial, handshake, trusting, visit, visit_plainly
from tests.edge.daemons import caddy
from tests.edge.fakes import Echo, Listener, StandIn, standing_in
from tests.servers import ALONE, free_port, program
from tests.waiting import wait_for

PLATFORM = "homeward.example"
HOST = "adopt.elm.example"
LOGGED_A_SECOND = 10
"""Lines of one kind."""


@dataclass
class Front:
    """Two edges before one application."""

    application: StandIn
    listener: Listener
    edges: tuple[Edge, Edge]

    def holds(self, host: str) -> str:
        """Have a certificate for a host; gives the root by which it is trusted."""
        chain, key = certificate_for(host)
        self.listener.holds[host] = chain + key
        return chain


@pytest.fixture(scope="module")
def front() -> Iterator[Front]:
    application, listener = StandIn(Echo), Listener()
    with ExitStack() as running:
        running.enter_context(standing_in(application))
        running.enter_context(standing_in(listener))
        edges = [running.enter_context(caddy(application.port, listener.port, PLATFORM)) for _ in range(2)]
        yield Front(application, listener, (edges[0], edges[1]))


@pytest.fixture(autouse=True)
def nothing_before(front: Front) -> None:
    front.listener.holds.clear()
    front.listener.asked.clear()


def test_each_edge_shows_the_certificate_that_the_listener_has(front: Front) -> None:
    root = front.holds(HOST)
    shown = [handshake(edge.https_port, HOST) for edge in front.edges]
    assert shown[0] is not None
    assert shown[0] == shown[1]
    assert visit(front.edges[1].https_port, HOST, "/", root).status == 200


def test_a_host_that_nobody_has_is_refused_and_so_is_none(front: Front) -> None:
    front.holds(HOST)
    refused = ("other.example", None, f"x.{HOST}", "a.b.homeward.example")
    assert [handshake(front.edges[0].https_port, sni) for sni in refused] == [None] * len(refused)


def test_a_removed_host_is_refused_with_the_next_handshake_at_every_edge(front: Front) -> None:
    front.holds(HOST)
    assert all(handshake(edge.https_port, HOST) for edge in front.edges)
    del front.listener.holds[HOST]
    assert [handshake(edge.https_port, HOST) for edge in front.edges] == [None, None]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_browser_that_was_here_before_cannot_resume_its_session(
    front: Front, version: ssl.TLSVersion
) -> None:
    context, edge = trusting(front.holds(HOST)), front.edges[0].https_port
    context.maximum_version = version
    with Visitor(edge, HOST, context) as visitor:
        visitor.get("/")  # with TLS 1.3 what a session is resumed by comes with the first answer
        assert isinstance(visitor.connection.sock, ssl.SSLSocket)
        session = visitor.connection.sock.session
    del front.listener.holds[HOST]
    with pytest.raises(ssl.SSLError, match="ALERT"), dial(edge, context, HOST, session):
        pass


def test_what_was_renewed_is_shown_with_the_next_handshake(front: Front) -> None:
    front.holds(HOST)
    before = handshake(front.edges[0].https_port, HOST)
    front.holds(HOST)
    after = handshake(front.edges[0].https_port, HOST)
    assert before is not None
    assert after is not None
    assert before.serial != after.serial


def test_the_platform_has_a_certificate_that_no_application_needs_to_give(front: Front) -> None:
    for host in (PLATFORM, f"riverside.{PLATFORM}"):
        assert handshake(front.edges[0].https_port, host)
    assert front.listener.asked == []


def test_without_files_the_platforms_certificate_comes_from_the_service_too(front: Front) -> None:
    with caddy(front.application.port, front.listener.port, PLATFORM, in_files=False) as edge:
        assert handshake(edge.https_port, PLATFORM) is None
        root = front.holds(PLATFORM)
        front.holds(f"riverside.{PLATFORM}")
        assert visit(edge.https_port, PLATFORM, "/", root).status == 200
        before = handshake(edge.https_port, PLATFORM)
        front.holds(PLATFORM)
        assert handshake(edge.https_port, PLATFORM) not in (None, before)
        assert handshake(edge.https_port, f"riverside.{PLATFORM}")
        assert handshake(edge.https_port, f"other.{PLATFORM}") is None


def hello(host: str) -> bytes:
    """What a client says first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    begun = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname=host)
    with pytest.raises(ssl.SSLWantReadError):
        begun.do_handshake()
    return outgoing.read()


def test_the_edge_never_orders_and_were_it_let_would_find_nobody_to_order_from(front: Front) -> None:
    def ordered() -> bool:
        return any(path.startswith("/no-authority") for path in front.listener.asked)

    edge = front.edges[0].https_port
    assert handshake(edge, "other.example") is None
    assert "/deny?domain=other.example" in front.listener.asked
    assert not ordered()
    front.listener.denies = 200
    try:
        with socket.create_connection((ALONE, edge), SECONDS) as connection:
            connection.sendall(hello("third.example"))
            wait_for("the edge to look for an authority", ordered)
    finally:
        front.listener.denies = 403


FORGED = {
    "X-Forwarded-For": "192.0.2.66",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "gopher",
    "X-Forwarded-Uri": "//evil.example/",
    "Forwarded": "for=192.0.2.66;host=evil.example",
    # WSGI has one name for this and for X-Forwarded-For.
    "X_Forwarded_For": "192.0.2.66",
    "x_anything": "192.0.2.66",
}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_a_client_says_of_its_way_here_does_not_reach_the_application(front: Front, scheme: str) -> None:
    root, edge = front.holds(HOST), front.edges[0]
    port, context = (edge.https_port, trusting(root)) if scheme == "https" else (edge.http_port, None)
    path = "//a/../%2e%2e/?b=%2F&b=%C3%A9;c"
    with Visitor(port, HOST, context) as visitor:
        told = json.loads(visitor.ask("GET", path, headers=FORGED).body)
    assert told["path"] == path
    headers = {name.lower(): value for name, value in told["headers"]}
    assert headers["host"] == headers["x-forwarded-host"] == HOST
    assert (headers["x-forwarded-for"], headers["x-forwarded-proto"]) == (ALONE, scheme)
    assert headers["x-forwarded-uri"] == path
    assert not any("192.0.2.66" in value or "evil" in value for _, value in told["headers"])


AS_WRITTEN = [
    (b"/a%2Fb/..?", "/a%2Fb/..?"),
    (b"/?", "/?"),
    (b"/a|b%2F", "/a|b%2F"),
    (b"/\xe9?x", "/%E9?x"),
    (b"/\xc3\xa9", "/%C3%A9"),
]


def test_the_application_gets_the_address_as_it_was_written(front: Front) -> None:
    for written, forwarded in AS_WRITTEN:
        with socket.create_connection((ALONE, front.edges[0].http_port), SECONDS) as connection:
            connection.sendall(b"GET %s HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-Uri: /b\r\n\r\n" % written)
            response = HTTPResponse(connection)
            response.begin()
            headers = dict(json.loads(response.read())["headers"])
        assert headers["X-Forwarded-Uri"] == forwarded


def test_plain_http_is_the_applications_for_every_host_the_authoritys_path_too(front: Front) -> None:
    path = "/.well-known/acme-challenge/token"
    for host in (HOST, "other.example", ALONE):
        answer = visit_plainly(front.edges[0].http_port, host, path)
        assert (answer.status, json.loads(answer.body)["path"]) == (200, path)


def test_the_platform_is_spoken_to_over_tls_alone(front: Front) -> None:
    for host in (PLATFORM, f"riverside.{PLATFORM}", f"{PLATFORM}.", f"riverside.{PLATFORM}."):
        answer = visit_plainly(front.edges[0].http_port, host, "/animals?q=a%2Fb")
        assert (answer.status, answer.headers["location"]) == (
            308,
            f"https://{host.removesuffix('.')}/animals?q=a%2Fb",
        )
    # But the authority is answered, which before the first certificate could follow no redirect.
    path = "/.well-known/acme-challenge/token"
    answer = visit_plainly(front.edges[0].http_port, PLATFORM, path)
    assert (answer.status, json.loads(answer.body)["path"]) == (200, path)


def test_a_body_of_32_mib_passes_and_one_without_end_is_refused(front: Front) -> None:
    port, largest = front.edges[0].http_port, 32 * 1_048_576
    with Visitor(port, HOST) as visitor:
        answer = visitor.ask("POST", "/", bytes(largest))
    assert json.loads(answer.body)["taken"] == largest
    with Visitor(port, HOST) as visitor:
        assert visitor.ask("POST", "/", bytes(largest + 2 * 1_048_576)).status == 413


def test_the_application_gets_a_request_once_its_body_is_complete(front: Front) -> None:
    port, before = front.edges[0].http_port, len(front.application.asked)
    with socket.create_connection((ALONE, port), SECONDS) as slow:
        head = f"POST /slow HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 100000\r\n\r\n".encode()
        slow.sendall(head + b"a" * 99_999)
        assert visit_plainly(port, HOST, "/quick").status == 200
        assert front.application.asked[before:] == ["/quick"]
        slow.sendall(b"a")
        assert b'"taken": 100000' in slow.recv(65_536)


def test_a_body_that_was_cut_off_never_reaches_the_application_as_complete(front: Front) -> None:
    port = front.edges[0].http_port
    for length in (1_000, 1_048_576 + 1_000):
        with socket.create_connection((ALONE, port), SECONDS) as client:
            head = f"POST / HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {length}\r\n\r\n".encode()
            client.sendall(head + b"a" * (length - 1))
            client.shutdown(socket.SHUT_WR)
            assert b'"taken": %d' % length not in client.recv(65_536)


def test_endless_headers_are_refused(front: Front) -> None:
    with Visitor(front.edges[0].http_port, HOST) as visitor:
        assert visitor.get("/", Cookie="x" * 65_536).status == 431


def test_http_2_is_spoken(front: Front) -> None:
    context = trusting(front.holds(HOST))
    context.set_alpn_protocols(["h2", "http/1.1"])
    with dial(front.edges[0].https_port, context, HOST) as secured:
        assert secured.selected_alpn_protocol() == "h2"


def test_http_3_is_not_offered(front: Front) -> None:
    root = front.holds(HOST)
    assert visit(front.edges[0].https_port, HOST, "/", root).headers.get("alt-svc") is None


def test_a_body_over_http_2_arrives_with_its_length(front: Front) -> None:
    front.holds(HOST)
    port = front.edges[0].https_port
    where = ["--insecure", "--resolve", f"{HOST}:{port}:{ALONE}", f"https://{HOST}:{port}/"]
    sent = subprocess.run(
        [program("curl"), "--silent", "--noproxy", "*", "--http2", "--data", "a=1", *where],
        capture_output=True,
        check=True,
    )
    told = json.loads(sent.stdout)
    headers = {name.lower(): value for name, value in told["headers"]}
    assert (told["taken"], headers["content-length"]) == (3, "3")
    assert "transfer-encoding" not in headers


def test_the_edge_stores_no_copy_of_its_configuration(front: Front) -> None:
    assert [path for edge in front.edges for path in edge.folder.rglob("*.json")] == []


def test_no_answer_tells_what_the_edge_is_made_of(front: Front) -> None:
    root, edge = front.holds(HOST), front.edges[0]
    answers = [visit_plainly(edge.http_port, HOST, "/"), visit(edge.https_port, HOST, "/", root)]
    assert [answer.headers.get("server") for answer in answers] == [None, None]


def test_an_application_that_is_down_gives_a_sentence_and_no_name(front: Front) -> None:
    with caddy(free_port(), front.listener.port, PLATFORM) as edge:
        root = front.holds(HOST)
        for answer in (visit_plainly(edge.http_port, HOST, "/"), visit(edge.https_port, HOST, "/", root)):
            assert answer.status == 502
            assert b"is not available right now" in answer.body
            assert "server" not in answer.headers


def test_whoever_asks_for_many_hosts_does_not_fill_the_disk_with_the_log(front: Front) -> None:
    with caddy(front.application.port, front.listener.port, PLATFORM) as edge:
        began = time.monotonic()
        for number in range(LOGGED_A_SECOND * 20):
            assert handshake(edge.https_port, f"{number}.nobody.example") is None
        seconds = math.ceil(time.monotonic() - began) + 1
        told = edge.log.read_text().count("got HTTP 204")
    assert 1 <= told <= LOGGED_A_SECOND * seconds + LOGGED_A_SECOND


def test_an_edge_that_lacks_a_setting_names_it_and_does_not_start() -> None:
    program("caddy")
    told = {"EDGE_PLATFORM_HOST": PLATFORM, "EDGE_CERTIFICATE": "chain.pem", "EDGE_KEY": "key.pem"}
    for missing in told:
        given = {name: value for name, value in told.items() if name != missing}
        environ = {"PATH": os.environ["PATH"], **given}
        ended = subprocess.run([EDGE], env=environ, capture_output=True, text=True, timeout=SECONDS)
        assert ended.returncode != 0
        assert f"{missing}: must be" in ended.stderr


KEY_PATHS = ("/cert?server_name=adopt.elm.example", "/deny", "/no-authority", "//cert", "/./cert", "/%63ert")


@pytest.fixture
def asked(front: Front) -> Callable[[], list[str]]:
    """What the listener was asked for but by the edge itself on behalf of a handshake."""
    return lambda: [path for path in front.listener.asked if "cipher_suites=" not in path]


def test_no_request_from_outside_reaches_the_listener(front: Front, asked: Callable[[], list[str]]) -> None:
    root, edge = front.holds(HOST), front.edges[0]
    inside = f"{ALONE}:{front.listener.port}"
    for path in (*KEY_PATHS, f"http://{inside}/cert?server_name={HOST}"):
        for host in (HOST, inside, "localhost", PLATFORM):
            with Visitor(edge.http_port, host) as plain:
                plain.get(path)
            with Visitor(edge.https_port, host, trusting(root), sni=HOST) as secured:
                secured.get(path, Via="1.1 x")
    assert asked() == []
