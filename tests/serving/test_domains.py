"""Domains in a server with several processes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection

from adoption.domains import removals
from adoption.projects.actions import publish_site
from adoption.projects.queries import find_project_by_slug
from adoption.settings import Settings
from adoption.storage.database import db, reading
from tests import domains
from tests.serving.conftest import Running
from wsgi import create_app

HOST = "adopt.elm.example"
ASKED = 30
"""Connections, each of which any process may accept."""


@contextmanager
def published(running: Running, slug: str = "business") -> Iterator[int]:
    """Open the service's database; return a published project on a plan with domains."""
    app = create_app(Settings.from_environment(running.environment))
    with app.app_context():
        publish_site(slug)
        with reading() as session:
            project_id = find_project_by_slug(session, slug).id
        try:
            yield project_id
        finally:
            db.engine.dispose()


def answers(running: Running) -> set[int]:
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    return {int(running.raw(request).split()[1]) for _ in range(ASKED)}


def status_on(connection: HTTPConnection) -> int:
    connection.request("GET", "/", headers={"Host": HOST})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_a_removed_domain_is_gone_in_every_process_at_once(serve: Callable[..., Running]) -> None:
    running = serve(workers=2)
    assert answers(running) == {404}
    with published(running) as project_id:
        domain_id = domains.add_verified_row(project_id, HOST, primary_of=project_id)
        assert answers(running) == {200}
        kept = HTTPConnection("127.0.0.1", running.port, timeout=10)
        assert status_on(kept) == 200
        opened = kept.sock
        removals.remove_domain(project_id, domain_id)
        assert status_on(kept) == 404
        assert kept.sock is opened
        kept.close()
        assert answers(running) == {404}


def test_a_server_finds_a_site_by_its_host(running: Running, edge_port: int) -> None:
    with published(running) as project_id:
        domains.add_verified_row(project_id, HOST, primary_of=project_id)
    lies = "".join(
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
        request = f"GET / HTTP/1.1\r\nHost: {host}\r\n{lies}Connection: close\r\n\r\n".encode()
        answer = running.raw(request)
        assert int(answer.split()[1]) == status
        assert (b"This address is not connected yet" in answer) == (status == 404)
    for port, start, status in (
        # The host in the target counts (RFC 9112, section 3.2.2). Granian drops it, and the edge does not.
        (edge_port, f"GET http://{HOST}/ HTTP/1.1\r\nHost: nobody.example", 200),
        (edge_port, f"GET http://nobody.example/ HTTP/1.1\r\nHost: {HOST}", 404),
        (running.port, f"GET / HTTP/1.1\r\nHost:{' ' * 3}", 400),
        (running.port, f"GET / HTTP/1.1\r\nHost: nobody.example\r\nHost: {HOST}", 400),
    ):
        answer = replace(running, port=port).raw(f"{start}\r\nConnection: close\r\n\r\n".encode())
        assert int(answer.split()[1]) == status, start


def test_a_redirect_of_a_server_keeps_path_and_query(running: Running) -> None:
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
    found = f"Host: www.birch.example\r\nX-Forwarded-Uri: {path}\r\nConnection: close"
    answer = running.raw(f"GET {path} HTTP/1.1\r\n{found}\r\n\r\n".encode())
    assert f"location: http://adopt.birch.example{path}\r\n".encode() in answer
