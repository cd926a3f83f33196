"""Facts about a request are decided once."""

import ast
import re
from contextvars import Context
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from flask import Response
from flask.testing import FlaskClient
from werkzeug.test import create_environ

from adoption.projects import request_hosts
from adoption.request_context import FORWARDED_LONGEST, RequestContexts, current_request
from tests import factories
from tests.architecture.test_documented_libraries import product_trees
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")

ADDING = {
    "adoption/request_context.py",
    "api/__init__.py",
    "api/petfinder/__init__.py",
    "api/petfinder/token_requests.py",
    "portal/sites/hosts.py",
    "portal/draft_previews.py",
}
"""Modules that add to the context.

A token request is counted after its credentials are read. A preview is shown like a page of a shelter.
"""


class CountingPattern:
    """A regular expression that records the texts that are matched against it."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.texts: list[str] = []

    def fullmatch(self, text: str) -> re.Match[str] | None:
        self.texts.append(text)
        return self.pattern.fullmatch(text)


@pytest.mark.parametrize(
    ("host", "path", "status"),
    [
        ("LOCALHOST:8000", "/", 200),
        ("localhost.:8000", "/", 301),
        ("riverside.localhost:8000", "/", 200),
        ("riverside.localhost:8000", "/nowhere", 404),
        ("riverside.localhost:8000", "/static/none.css", 404),
        ("animals.example:8000", "/", 404),
        ("not a host", "/", 404),
        ("[1:..2]", "/", 404),
        ("a" * 64, "/", 404),
        ("[::1]:9", "/", 200),
        ("LOCALHOST:8000", "/v1/pets", 401),
        ("animals.example:8000", "/v1/pets", 404),
    ],
)
def test_the_host_is_parsed_once(
    app: APIFlask, monkeypatch: pytest.MonkeyPatch, host: str, path: str, status: int
) -> None:
    factories.project("Riverside")
    pattern = CountingPattern(request_hosts.HOST)
    monkeypatch.setattr(request_hosts, "HOST", pattern)
    # A test client cannot send every host.
    environ = {**create_environ(path), "HTTP_HOST": host}
    response = Context().run(Response.from_app, app, environ, buffered=True)
    assert response.status_code == status
    assert pattern.texts.count(host.lower()) == 1


def test_a_usual_host_is_not_parsed_again(
    shelter: Shelter, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = CountingPattern(request_hosts.HOST)
    monkeypatch.setattr(request_hosts, "HOST", pattern)
    assert client.get("/").status_code == 200
    assert shelter.get("/v1/pets").status_code == 200
    assert "localhost" not in pattern.texts


def test_a_context_ends_with_its_request(app: APIFlask, client: FlaskClient) -> None:
    client.get("/")
    with pytest.raises(LookupError):
        current_request()


def test_a_context_cannot_be_changed(app: APIFlask) -> None:
    contexts: RequestContexts = app.extensions["homeward.contexts"]
    environ: dict[str, Any] = {"PATH_INFO": "/", "wsgi.url_scheme": "http"}
    with contexts.opened(environ) as context, pytest.raises(AttributeError):
        context.client_address = "192.0.2.1"  # type: ignore[misc]


def test_no_other_module_reads_or_sets_the_host(root: Path) -> None:
    """Only the request's context has the host. Flask's ``request.host`` spells hosts differently."""
    for path, tree in product_trees(root):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ("host", "host_url", "url_root", "base_url"):
                assert not is_request(node.value), f"{path}:{node.lineno}: request.{node.attr}"
            if isinstance(node, ast.Constant) and node.value == "HTTP_HOST":
                assert path == "adoption/request_context.py", f"{path}:{node.lineno}"


def test_only_checks_add_to_the_context(root: Path) -> None:
    found = {
        path
        for path, tree in product_trees(root)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in ("add_to_context", "CURRENT")
    }
    assert found == ADDING


def is_request(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "request"


def test_only_the_end_of_a_long_forwarded_header_is_kept_in_memory(app: APIFlask) -> None:
    settings = app.config["HOMEWARD"]
    contexts = RequestContexts(settings, request_hosts.Hosts(settings), lambda _path: False)
    for number in range(5):
        forwarded = f"{number}{'a' * FORWARDED_LONGEST}"
        contexts.client_of({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": forwarded})
    assert contexts.client_address.cache_info().currsize == 1
