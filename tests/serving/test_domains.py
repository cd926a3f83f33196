"""Domains in a real server: shown and gone in every one of its processes."""

from collections.abc import Callable

from adoption.database import db, reading
from adoption.domains import actions
from adoption.projects.actions import publish
from adoption.projects.queries import project_named
from adoption.settings import Settings
from tests import domains
from tests.serving.conftest import Running
from wsgi import create_app

HOST = "adopt.elm.example"
ASKED = 30
"""Connections, each of which any of the processes may take."""


def answers(running: Running) -> set[int]:
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    return {int(running.raw(request).split()[1]) for _ in range(ASKED)}


def test_a_removed_domain_is_gone_in_every_process_at_once(serve: Callable[..., Running]) -> None:
    running = serve(workers=2)
    app = create_app(Settings.from_environment(running.environment))
    assert answers(running) == {404}
    with app.app_context():
        publish("business")
        with reading() as session:
            project_id = project_named(session, "business").id
        domain_id = domains.row(project_id, HOST, primary_of=project_id)
        assert answers(running) == {200}
        actions.remove(project_id, domain_id)
        assert answers(running) == {404}
        db.engine.dispose()


def test_a_real_server_keeps_path_and_query_of_a_redirect(serve: Callable[..., Running]) -> None:
    running = serve(workers=1)
    app = create_app(Settings.from_environment(running.environment))
    with app.app_context():
        publish("business")
        with reading() as session:
            project_id = project_named(session, "business").id
        domains.row(project_id, HOST, primary_of=project_id)
        domains.row(project_id, "www.elm.example", redirect_status=301)
        db.engine.dispose()
    for path in (
        "/animals/1-caf%C3%A9?a=%2F&b=%C3%A9+x&a=1",
        "//evil.example/%0d%0aX:y?q=%0d%0a//evil.example",
        "/@evil.example?@evil.example",
    ):
        request = f"GET {path} HTTP/1.1\r\nHost: www.elm.example\r\nConnection: close\r\n\r\n"
        head = running.raw(request.encode()).partition(b"\r\n\r\n")[0].decode()
        [location] = [line for line in head.split("\r\n") if line.lower().startswith("location:")]
        assert location.partition(": ")[2].lower() == f"http://{HOST}{path}".lower()
