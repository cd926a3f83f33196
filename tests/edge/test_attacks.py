"""Attacks through the public edge.

Their targets are private keys, challenges of other hosts, and pages of other tenants.
"""

import socket
from collections.abc import Iterator

import pytest

from tests.edge.browser_client import SECONDS, Visitor, dial, handshake, trusting_anyone
from tests.edge.environment import PLATFORM, Environment
from tests.servers import ALONE
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("environment", ["embedded"], indirect=True)

SECRET = (b"PRIVATE KEY", b"BEGIN CERTIFICATE")


@pytest.fixture(scope="module")
def tenants(environment: Environment) -> tuple[str, str]:
    """The live hosts of two shelters."""
    hosts = environment.add_verified(), environment.add_verified()
    for host in hosts:
        environment.wait_for_state("live", host)
    return hosts


def paths(victim: str, listener: str) -> list[str]:
    """Return paths of the listener, both plain and disguised."""
    asked = f"cert?server_name={victim}"
    plain = [
        f"/{asked}",
        "/deny",
        "/no-authority",
        f"//{asked}",
        f"/./{asked}",
        f"/x/../{asked}",
        f"/%63{asked[1:]}",
    ]
    hidden = [
        f"/.well-known/acme-challenge/../../{asked}",
        f"/.well-known/acme-challenge/%2e%2e/%2e%2e/{asked}",
    ]
    return (
        plain + hidden + [f"http://{listener}/{asked}", f"http://{victim}/{asked}", f"/static/..%2f{asked}"]
    )


def heads(hosts: list[str]) -> Iterator[str]:
    """Yield header lines that name hosts. Some name one host, and some contradict each other."""
    for host in hosts:
        yield f"Host: {host}"
        yield f"Host: {hosts[0]}\r\nX-Forwarded-Host: {host}"
        yield f"Host: {hosts[0]}\r\nForwarded: host={host}\r\nX-Original-URL: /cert\r\nX-Rewrite-URL: /cert"
        yield f"Host: {hosts[0]}\r\nConnection: X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto, Via"


def response_to(edge: int, sni: str | None, sent: list[bytes]) -> bytes:
    """Return the responses to requests that are sent together on one connection.

    The connection uses TLS if ``sni`` is set.
    """
    with (
        dial(edge, trusting_anyone(), sni) if sni else socket.create_connection((ALONE, edge), SECONDS)
    ) as connection:
        connection.sendall(b"".join(sent))
        got = b""
        while chunk := connection.recv(65_536):
            got += chunk
    return got


def test_no_request_returns_a_private_key(environment: Environment, tenants: tuple[str, str]) -> None:
    own, victim = tenants
    listener = environment.service.environ["HOMEWARD_INTERNAL_LISTEN"]
    hosts = [own, victim, PLATFORM, listener, listener.replace(ALONE, "localhost"), f"{victim}."]
    requests = [
        f"{method} {path} HTTP/1.1\r\n{head}\r\nContent-Length: 0\r\n\r\n".encode()
        for method in ("GET", "POST")
        for path in paths(victim, listener)
        for head in heads(hosts)
    ]
    end = f"GET / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n".encode()
    first, second = environment.edges
    wait_for("the platform's certificate", lambda: handshake(second.https_port, PLATFORM))
    for edge, sni in ((first.http_port, None), (first.https_port, own), (second.https_port, PLATFORM)):
        got = response_to(edge, sni, [*requests, end])
        assert got.count(b"HTTP/1.1 ") == len(requests) + 1
        assert not any(secret in got for secret in SECRET)
        assert b"HTTP/1.1 403" not in got, "the listener's denial"


def test_a_challenge_is_answered_only_at_its_own_host(
    environment: Environment, tenants: tuple[str, str]
) -> None:
    environment.edges[1].pause()  # so that the authority waits for the challenge's answer
    try:
        host = environment.add_verified()
        environment.wait_for_state("validating", host)
        order = environment.order_under_way(host)
        assert order is not None
        path = f"/.well-known/acme-challenge/{order.token}"
        answer = environment.visit_over_http(host, path)
        assert (answer.status, answer.body.decode()) == (200, order.key_authorization)
        for other in (*tenants, PLATFORM, f"x.{PLATFORM}", ALONE, "nobody.example", ""):
            with Visitor(environment.edges[0].http_port, other) as visitor:
                answer = visitor.get(path, **{"X-Forwarded-Host": host, "Forwarded": f"host={host}"})
            assert order.key_authorization.encode() not in answer.body, other
        for guess in ("", "/", f"/{order.token[:-1]}", "/%", "/_", f"/{order.token}%00"):
            answer = environment.visit_over_http(host, f"/.well-known/acme-challenge{guess}")
            assert order.key_authorization.encode() not in answer.body, guess
    finally:
        environment.edges[1].resume()
    environment.wait_for_state("live", host)
    assert environment.visit_over_http(host, path).status != 200


def test_a_tenants_page_is_shown_only_at_its_own_host(
    environment: Environment, tenants: tuple[str, str]
) -> None:
    own, victim = tenants
    edge, anyone = environment.edges[0].https_port, trusting_anyone()
    with Visitor(edge, victim, anyone) as visitor:
        wanted = title(visitor.get("/").body)
    forged = {"X-Forwarded-Host": victim, "Forwarded": f"host={victim}", "X-Host": victim}
    for host, status in ((own, 200), (PLATFORM, 200), ("nobody.example", 404), (f"x.{victim}", 404)):
        with Visitor(edge, host, anyone, sni=own) as visitor:
            answer = visitor.get("/", **forged)
        assert (answer.status, title(answer.body) == wanted) == (status, False), host


def title(page: bytes) -> bytes:
    return page.partition(b"<title>")[2].partition(b"</title>")[0]
