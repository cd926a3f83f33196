"""Redirects between hosts and to https: their targets, status codes, and unchanged paths and queries."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import EnvironBuilder, run_wsgi_app

from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirects_of
from adoption.projects.models import Project
from adoption.settings import Settings
from adoption.storage.database import reading, transaction
from tests import certificates, domains, factories
from tests.portal.sites.conftest import ADOPT, WWW, at
from wsgi import create_app

pytestmark = pytest.mark.settings("embedded")

NOW = datetime.now(UTC)


@pytest.mark.usefixtures("primary")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_keeps_path_and_query(client: FlaskClient, elm: Project, status: int) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=status)
    for path in (
        "/",
        "/animals/1-caf%C3%A9?a=1&a=%2F%3F&b=%C3%A9+x",
        "/nowhere//x/?q",
        "/a;b=c/@d?e=f%0D%0Ag",
    ):
        answer = at(client, f"{WWW}:8000", path)
        assert (answer.status_code, answer.headers["Location"]) == (status, f"http://{ADOPT}:8000{path}")
        assert answer.headers["Cache-Control"] == "no-cache"


RAW_ADDRESSES = [
    "/a%2Fb%2f%7e%41",
    "//x%3fy",
    "/caf%c3%a9%ff",
    "/%E9",
    "/%00%0d%0a",
    "/%25%2e%2e/",
    "/?",
    "/a%2Fb?",
    "/??",
    "/?a?",
    "/a%2Fb?q=%2f",
]


@pytest.mark.usefixtures("primary")
@pytest.mark.parametrize("raw", RAW_ADDRESSES)
def test_a_redirect_keeps_path_and_query_as_the_edge_received_them(
    app: APIFlask, elm: Project, raw: str
) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=301)
    path, _, query = raw.partition("?")
    environ = EnvironBuilder(headers={"Host": WWW, "X-Forwarded-Uri": raw}).get_environ()
    environ |= {"PATH_INFO": decoded_path(path), "QUERY_STRING": query}
    headers = run_wsgi_app(app, environ)[2]
    assert headers["Location"] == f"http://{ADOPT}{raw}"


def decoded_path(path: str) -> str:
    """Return a path as WSGI has it. Granian replaces bytes that are not valid UTF-8."""
    return unquote(path).encode().decode("latin-1")


@pytest.mark.usefixtures("primary")
@pytest.mark.parametrize(
    "other",
    [
        "/other",
        "/other?",
        "//evil.example/",
        "http://evil.example/a/b",
        "/a/b/?",
        "",
        "/a%2",
        "/a b",
        "/a\u00e9",
        "?",
    ],
)
def test_another_path_in_x_forwarded_uri_is_ignored(client: FlaskClient, elm: Project, other: str) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=301)
    answer = client.get("/a/b", headers={"Host": WWW, "X-Forwarded-Uri": other})
    assert answer.headers["Location"] == f"http://{ADOPT}/a/b"


HOSTILE = [
    ("//evil.example/", ""),
    ("///evil.example", ""),
    ("/\\evil.example", ""),
    ("/@evil.example", ""),
    ("@evil.example", ""),
    (".evil.example", ""),
    (":80@evil.example/", ""),
    ("/\r\nSet-Cookie: a=b", "x\r\nLocation: http://evil.example"),
    ("/\x00\x01\x7f", "\x00\n"),
    ("/%0d%0aX: y", "\xff\xfe"),
    ("/<script>", '"><script>'),
    ("", "//evil.example"),
    ("/\xff\xfe", "#@evil.example"),
]


@pytest.mark.usefixtures("primary")
@pytest.mark.parametrize(("path", "query"), HOSTILE)
def test_a_hostile_path_or_query_does_not_change_the_redirects_host(
    app: APIFlask, elm: Project, path: str, query: str
) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=301)
    environ = EnvironBuilder(path="/", headers={"Host": WWW}).get_environ()
    environ |= {"PATH_INFO": path, "QUERY_STRING": query, "HTTP_X_FORWARDED_URI": f"{path}?{query}"}
    _, status, headers = run_wsgi_app(app, environ)
    location = headers["Location"]
    assert status.startswith("301")
    assert location.isascii()
    assert location.isprintable()
    assert " " not in location
    assert re.match(rf"http://{re.escape(ADOPT)}/", location)
    assert "Set-Cookie" not in headers


@pytest.mark.settings("embedded", "scaled")
@pytest.mark.parametrize(("away", "to"), [((ADOPT,), "other.elm.example"), (("other.elm.example",), ADOPT)])
@pytest.mark.usefixtures("primary")
def test_a_redirect_avoids_domains_that_lead_elsewhere(
    client: FlaskClient, elm: Project, away: tuple[str], to: str
) -> None:
    other = domains.add_verified_row(elm.id, "other.elm.example")
    domains.add_verified_row(elm.id, WWW, redirect_status=302, redirects_to=other)
    assert at(client, WWW).headers["Location"] == "http://other.elm.example/"
    move(*away)
    assert at(client, WWW).headers["Location"] == f"http://{to}/"
    with reading() as session:
        targets = [each["to"] for each in redirects_of(domains_of(session, elm.id), factories.NOW)]
    assert targets == [to]
    move(ADOPT, "other.elm.example")
    assert at(client, WWW).status_code == 200
    assert f'<link rel="canonical" href="http://{WWW}/">' in at(client, WWW).text
    with reading() as session:
        assert redirects_of(domains_of(session, elm.id), factories.NOW) == []


@pytest.mark.settings("embedded", "scaled")
@pytest.mark.usefixtures("primary")
def test_a_domain_that_needs_attention_is_served_but_no_redirect_leads_there(client: FlaskClient) -> None:
    assert at(client, "elm-road.localhost").status_code == 301
    move(ADOPT)
    assert at(client, ADOPT).status_code == 200
    page = at(client, "elm-road.localhost")
    assert page.status_code == 200
    assert '<link rel="canonical" href="http://elm-road.localhost/">' in page.text


def move(*hosts: str) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.host.in_(hosts)).values(state="attention"))


@pytest.mark.usefixtures("primary")
def test_the_subdomain_of_the_platform_redirects_to_the_primary_domain(client: FlaskClient) -> None:
    answer = at(client, "elm-road.localhost:8000", "/feed.atom?species=cat")
    assert answer.status_code == 301
    assert answer.headers["Location"] == f"http://{ADOPT}:8000/feed.atom?species=cat"
    sent = client.post("/animals/1/apply", headers={"Host": "elm-road.localhost"})
    assert sent.status_code == 308


WITH_DOT = [
    (f"{ADOPT}.", "/", 301, f"http://{ADOPT}/"),
    (
        f"{ADOPT.upper()}.:8000",
        "/animals/1-caf%C3%A9?q=%2F",
        301,
        f"http://{ADOPT}:8000/animals/1-caf%C3%A9?q=%2F",
    ),
    (f"{WWW}.", "/x?y", 302, f"http://{ADOPT}/x?y"),  # in one redirect
    ("localhost.:8000", "/animals/1?q", 301, "http://localhost:8000/animals/1?q"),
    ("elm-road.localhost.", "/feed.atom", 301, f"http://{ADOPT}/feed.atom"),
    ("harbour-cats.localhost.", "/feed.atom", 301, "http://harbour-cats.localhost/feed.atom"),
    ("nobody.example.", "/", 404, None),
    (f"{ADOPT}..", "/", 404, None),
    (f"{ADOPT}.", "/healthz", 200, None),
    ("localhost.", "/v1/openapi.json", 200, None),
]


@pytest.mark.settings("embedded", "scaled")
@pytest.mark.usefixtures("primary")
def test_a_trailing_dot_of_the_host_is_redirected(client: FlaskClient, elm: Project) -> None:
    factories.project("Harbour Cats")
    domains.add_verified_row(elm.id, WWW, redirect_status=302)
    for host, path, status, location in WITH_DOT:
        answer = at(client, host, path)
        assert (answer.status_code, answer.headers.get("Location")) == (status, location), (host, path)
    for host in (f"{ADOPT}.", "localhost."):
        sent = client.post("/animals/1/apply", headers={"Host": host})
        assert (sent.status_code, sent.location) == (308, f"http://{host[:-1]}/animals/1/apply")


def test_an_empty_query_stays_when_a_trailing_slash_is_removed(client: FlaskClient) -> None:
    answer = client.get("/help/", headers={"X-Forwarded-Uri": "/help/?"})
    assert answer.headers["Location"] == "/help?"


@pytest.mark.parametrize("host", ["riverside.localhost", "localhost"])
def test_a_trailing_slash_is_redirected_on_every_host(
    client: FlaskClient, riverside: Project, host: str
) -> None:
    answer = at(client, host, "/help/?from=mail")

    assert (answer.status_code, answer.headers["Location"]) == (301, "/help?from=mail")


def test_a_site_does_not_redirect_to_a_page_that_it_does_not_have(
    client: FlaskClient, riverside: Project
) -> None:
    assert at(client, "riverside.localhost", "/sign-up/").status_code == 404
    assert at(client, "riverside.localhost", "/nothing/").status_code == 404


@pytest.mark.parametrize(
    "state", [None, {"live_since": None, "seen_at": None}, {"not_after": NOW - timedelta(seconds=1)}]
)
def test_plain_http_shows_the_site_until_there_is_a_live_certificate(
    client: FlaskClient, primary: int, state: dict[str, object] | None
) -> None:
    if state is not None:
        certificates.add_certificate(primary, NOW, **state)
    assert at(client, ADOPT).status_code == 200


def test_plain_http_redirects_to_https_during_a_renewal(client: FlaskClient, primary: int) -> None:
    certificates.add_certificate(primary, NOW, seen_at=None)
    assert at(client, ADOPT).status_code == 308


def test_plain_http_redirects_to_https_once_a_certificate_is_live(client: FlaskClient, primary: int) -> None:
    certificates.add_certificate(primary, NOW)
    for host in (ADOPT, f"{ADOPT}:8080"):
        answer = at(client, host, "/animals/1?q=a%20b&x=%2F")
        assert answer.status_code == 308
        assert answer.headers["Location"] == f"https://{ADOPT}/animals/1?q=a%20b&x=%2F"
    assert client.post("/animals/1/applications", base_url=f"http://{ADOPT}").status_code == 308
    assert at(client, ADOPT, scheme="https").status_code == 200


def test_a_redirect_to_another_domain_leads_to_https_in_one_step(
    client: FlaskClient, elm: Project, primary: int
) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=302)
    assert at(client, WWW, "/x?y=1").headers["Location"] == f"http://{ADOPT}/x?y=1"
    assert at(client, WWW, scheme="https").headers["Location"] == f"https://{ADOPT}/"
    certificates.add_certificate(primary, NOW)
    answer = at(client, WWW, "/x?y=1")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"https://{ADOPT}/x?y=1")
    below = at(client, "elm-road.localhost", "/x")
    assert (below.status_code, below.headers["Location"]) == (301, f"https://{ADOPT}/x")


def test_redirects_to_https_have_the_edges_port(primary: int, app: APIFlask) -> None:
    certificates.add_certificate(primary, NOW)
    settings: Settings = app.config["HOMEWARD"]
    given = {
        "HOMEWARD_INSTANCE": str(settings.instance),
        "HOMEWARD_DATABASE_URL": settings.database_url.replace("postgresql+psycopg", "postgresql"),
        "HOMEWARD_EDGE": "127.0.0.1:8443",
    }
    client = create_app(Settings.from_environment(given)).test_client()
    assert at(client, f"{ADOPT}:8080", "/x").headers["Location"] == f"https://{ADOPT}:8443/x"
    assert at(client, ADOPT, "/x").headers["Location"] == f"https://{ADOPT}/x"
