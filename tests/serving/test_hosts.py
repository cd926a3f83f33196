"""Host headers, request lines and redirects, at a real granian server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection

from adoption.domains import removals
from adoption.projects.publication import publish_site
from adoption.projects.queries import find_project_by_slug
from adoption.settings import Settings
from adoption.storage.database import db, reading
from tests import domains
from tests.serving.conftest import Running
from wsgi import create_app

HOST = "adopt.elm.example"
CONNECTIONS = 30
"""The number of connections. It is high enough that each process accepts some of them."""


@contextmanager
def published(running: Running, slug: str = "business") -> Iterator[int]:
    """Return a published project on a plan with domains, from the service's database."""
    app = create_app(Settings.from_environment(running.environment))
    with app.app_context():
        publish_site(slug)
        with reading() as session:
            project_id = find_project_by_slug(session, slug).id
        try:
            yield project_id
        finally:
            db.engine.dispose()


def statuses(running: Running) -> set[int]:
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    return {int(running.raw(request).split()[1]) for _ in range(CONNECTIONS)}


def request_status(connection: HTTPConnection) -> int:
    connection.request("GET", "/", headers={"Host": HOST})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_a_removed_domain_is_gone_in_every_process_at_once(serve: Callable[..., Running]) -> None:
    running = serve(workers=2)
    assert statuses(running) == {404}
    with published(running) as project_id:
        domain_id = domains.add_verified_row(project_id, HOST, primary_of=project_id)
        assert statuses(running) == {200}
        connection = HTTPConnection("127.0.0.1", running.port, timeout=10)
        assert request_status(connection) == 200
        socket = connection.sock
        removals.remove_domain(project_id, domain_id)
        assert request_status(connection) == 404
        assert connection.sock is socket
        connection.close()
        assert statuses(running) == {404}


def test_a_site_is_found_by_its_host_and_not_by_forwarded_hosts(running: Running) -> None:
    with published(running) as project_id:
        domains.add_verified_row(project_id, HOST, primary_of=project_id)
    forwarded = "".join(
        f"{name}: {value}\r\n"
        for name in ("X-Forwarded-Host", "X-Forwarded-Server", "X-Original-Host", "X-Host", "Forwarded")
        for value in (HOST, f"host={HOST}")
    )
    for host, status in (
        (HOST, 200),
        (f"{HOST.upper()}:8000", 200),
        (f"{HOST}.", 301),
        ("nobody.example", 404),
    ):
        request = f"GET / HTTP/1.1\r\nHost: {host}\r\n{forwarded}Connection: close\r\n\r\n".encode()
        answer = running.raw(request)
        assert int(answer.split()[1]) == status
        assert (b"This address is not connected yet" in answer) == (status == 404)


def test_a_redirect_keeps_path_and_query(running: Running) -> None:
    with published(running, "counted") as project_id:
        domains.add_verified_row(project_id, "adopt.birch.example", primary_of=project_id)
        domains.add_verified_row(project_id, "www.birch.example", redirect_status=301)
    for path in (
        "/animals/1-caf%C3%A9?a=%2F&b=%C3%A9+x&a=1",
        "//evil.example/%0d%0aX:y?q=%0d%0a//evil.example",
        "/@evil.example?@evil.example",
    ):
        request = f"GET {path} HTTP/1.1\r\nHost: www.birch.example\r\nConnection: close\r\n\r\n"
        head = running.raw(request.encode()).partition(b"\r\n\r\n")[0].decode()
        [location] = [line for line in head.split("\r\n") if line.lower().startswith("location:")]
        assert location.partition(": ")[2].lower() == f"http://adopt.birch.example{path}".lower()
    path = "/a%2Fb/%7e%41%ff?q=%2f"
    headers = f"Host: www.birch.example\r\nX-Forwarded-Uri: {path}\r\nConnection: close"
    answer = running.raw(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
    assert f"location: http://adopt.birch.example{path}\r\n".encode() in answer


HOSTS = {
    "platform": ([b"localhost"], 200),
    "capitals and spaces": ([b" LocalHost:8000 "], 200),
    "capitals, a trailing dot and spaces": ([b" LocalHost.:8000 "], 301),
    "missing": ([], 400),
    "unknown": ([b"adopt.fenland.example"], 404),
    "two headers": ([b"localhost", b"nobody.localhost"], 400),
    "invalid UTF-8": ([b"\xff\xfe\x80"], 400),
    "UTF-8": (["\u00e9l\u00e9phant.localhost".encode()], 400),
    "a space inside": ([b"local host"], 404),
    "markup": ([b'"><img src=x onerror=alert(1)>'], 404),
    "empty": ([b""], 400),
    "only spaces": ([b"   "], 400),
    "70,000 characters": ([b"a" * 70_000], 404),
}


def test_every_host_header_gets_a_page(running: Running) -> None:
    for what, (hosts, expected) in HOSTS.items():
        given = b"".join(b"Host: " + host + b"\r\n" for host in hosts)
        answer = running.raw(b"GET / HTTP/1.1\r\n" + given + b"Connection: close\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        assert int(head.split()[1]) == expected, what
        assert (b"<main" in body) == (expected != 301), what
        assert b"<img src=x" not in body, what
        assert (b"x-robots-tag: noindex" in head) is (expected == 404), what
        assert b"set-cookie" not in head, what


REQUEST_LINES = {
    b"GET /v1/categories": (b"localhost", 200),
    b"get /v1/categories": (b"localhost", 405),
    b"get /": (b"localhost", 405),
    b"GET //v1/categories": (b"localhost", 404),
}
WITH_HOST = {
    b"GET http://nobody.example/v1/categories": (b"localhost", 404),
    b"GET http://localhost/v1/categories": (b"nobody.example", 200),
}


def test_a_request_line_is_parsed_as_in_http(running: Running, edge_port: int) -> None:
    key = f"Authorization: Bearer {running.keys['own']}\r\n".encode()
    for line, (host, expected) in (REQUEST_LINES | WITH_HOST).items():
        head = line + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + key
        # The host in the target counts (RFC 9112, section 3.2.2). Granian drops it, and the edge does not.
        port = edge_port if line in WITH_HOST else running.port
        answer = replace(running, port=port).raw(head + b"Connection: close\r\n\r\n")
        assert int(answer.split()[1]) == expected, line
        assert (b"allow: " in answer) == (expected == 405), line
        if b"/v1/" in line:
            assert b"x-ratelimit-remaining: " in answer.lower(), line
