"""A shelter's site at its own domain: the same as below the platform, and gone the moment it is removed."""

import re
from urllib.parse import unquote

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import text, update
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from adoption.accounts.actions import set_plan
from adoption.domains import removals
from adoption.domains.host_lookup import SITE_BY_HOST
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirects_of
from adoption.projects.actions import publish_site, unpublish_site
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.driver import the_reader
from portal.sites.hosts import ON_ANY_HOST, ON_SITES, PRIVATE_LINKS
from tests import domains, factories
from tests.statements import next_connection

ADOPT, WWW, UNCLAIMED = "adopt.elm.example", "www.elm.example", "This address is not connected yet"


@pytest.fixture
def primary(elm: Project) -> int:
    return domains.add_verified_row(elm.id, ADOPT, primary_of=elm.id)


def at(client: FlaskClient, host: str, path: str = "/") -> TestResponse:
    return client.get(path, headers={"Host": host})


@pytest.mark.usefixtures("primary")
@pytest.mark.parametrize("host", [ADOPT, ADOPT.upper(), f"{ADOPT}:8000"])
def test_a_verified_domain_shows_the_site(client: FlaskClient, elm: Project, host: str) -> None:
    factories.animal(elm, "Otter")
    factories.animal(factories.project("Harbour Cats"), "Minnow")
    page = at(client, host)
    assert page.status_code == 200
    assert "Otter" in page.text
    assert "Minnow" not in page.text
    assert "Elm Road</title>" in page.text


@pytest.mark.usefixtures("primary")
def test_every_page_is_the_same_as_below_the_platform(client: FlaskClient, elm: Project) -> None:
    animal = factories.animal(elm, "Otter", photos=1)
    paths = ["/", f"/animals/{animal}-otter", "/feed.atom", "/robots.txt", "/nowhere"]
    own = {path: at(client, ADOPT, path) for path in paths}
    with transaction() as session:
        session.execute(text("UPDATE domains SET primary_of = NULL"))
    for path, there in own.items():
        here = at(client, "elm-road.localhost", path)
        text_here = here.text.replace("http://localhost:8000/animals", f"http://{ADOPT}/animals")
        text_here = text_here.replace("http://localhost:8000/?species", f"http://{ADOPT}/?species")
        assert here.status_code == there.status_code
        assert forget_seals(there.text) == forget_seals(text_here.replace("elm-road.localhost", ADOPT))


def forget_seals(page: str) -> str:
    """The page without what is another in each copy of it."""
    return re.sub(r'(name="\w+" value=")[^"]{20,}|tag:[^<]*|(v=)\w+', "", page)


def test_an_animal_has_one_address_on_every_host(client: FlaskClient, elm: Project, primary: int) -> None:
    animal = factories.animal(elm, "Otter", photos=1)
    path = f"/animals/{animal}-otter"
    for address, hosts in ((f"http://{ADOPT}{path}", ("localhost", ADOPT)),):
        for host in hosts:
            page = at(client, host, path).text
            assert re.findall('rel="canonical" href="(.*?)"', page) == [address]
            assert re.findall('property="og:url" content="(.*?)"', page) == [address]
    parts = {host: sitemap_of(client, host) for host in ("localhost", ADOPT)}
    assert path not in parts["localhost"]
    assert f"http://{ADOPT}{path}" in parts[ADOPT]
    with transaction() as session:
        session.execute(text("UPDATE domains SET primary_of = NULL"))
    for host in ("localhost", "elm-road.localhost", ADOPT):
        assert f'rel="canonical" href="http://localhost:8000{path}"' in at(client, host, path).text
    assert path in sitemap_of(client, "localhost")
    assert path not in sitemap_of(client, "elm-road.localhost")


def sitemap_of(client: FlaskClient, host: str) -> str:
    index = at(client, host, "/sitemap.xml").text
    parts = re.findall(r"/sitemap-\d+\.xml", index)
    return "".join(at(client, host, part).text for part in parts)


@pytest.mark.usefixtures("primary")
def test_a_domain_has_no_session_no_staff_page_and_no_api(app: APIFlask, client: FlaskClient) -> None:
    for rule in app.url_map.iter_rules():
        if rule.endpoint in ON_SITES | ON_ANY_HOST | PRIVATE_LINKS:
            continue
        path = re.sub("<.*?>", "1", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            answer = client.open(path, method=method, headers={"Host": ADOPT})
            assert answer.status_code == 404, (method, path)
            assert "Set-Cookie" not in answer.headers


def test_what_is_not_verified_or_not_paid_for_or_not_published_shows_nothing(
    client: FlaskClient, elm: Project, primary: int
) -> None:
    domains.add_verified_row(elm.id, WWW, verified_host=None, state="unverified")
    assert UNCLAIMED in at(client, WWW).text
    set_plan(elm.slug, "free")
    assert at(client, ADOPT).status_code == 404
    assert at(client, "elm-road.localhost").status_code == 200
    set_plan(elm.slug, "business")
    assert at(client, ADOPT).status_code == 200
    unpublish_site(elm.id)
    assert "This site is offline for now" in at(client, ADOPT).text
    publish_site(elm.slug)
    assert at(client, ADOPT).status_code == 200


@pytest.mark.usefixtures("primary")
def test_one_that_needs_attention_goes_on_serving(client: FlaskClient) -> None:
    with transaction() as session:
        session.execute(text("UPDATE domains SET state = 'attention'"))
    assert at(client, ADOPT).status_code == 200


@pytest.mark.usefixtures("primary")
def test_the_address_below_the_platform_sends_nobody_to_a_domain_that_moved_away(client: FlaskClient) -> None:
    assert at(client, "elm-road.localhost").status_code == 301
    with transaction() as session:
        session.execute(text("UPDATE domains SET state = 'attention'"))
    page = at(client, "elm-road.localhost")
    assert page.status_code == 200
    assert '<link rel="canonical" href="http://elm-road.localhost/">' in page.text


def test_a_removed_domain_is_gone_with_the_next_request(
    client: FlaskClient, elm: Project, primary: int
) -> None:
    assert at(client, ADOPT).status_code == 200
    removals.remove_domain(elm.id, primary)
    gone = at(client, ADOPT)
    assert gone.status_code == 404
    assert UNCLAIMED in gone.text
    assert at(client, "elm-road.localhost").status_code == 200


@pytest.mark.usefixtures("primary")
def test_a_forwarded_host_finds_no_site(client: FlaskClient) -> None:
    for name in ("X-Forwarded-Host", "Forwarded", "X-Original-Host", "X-Host"):
        answer = client.get("/", headers={"Host": "nobody.example", name: f"host={ADOPT}"})
        assert UNCLAIMED in answer.text
        assert UNCLAIMED in client.get("/", headers={"Host": "nobody.example", name: ADOPT}).text


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


WITH_DOT = [
    (f"{ADOPT}.", "/", 301, f"http://{ADOPT}/"),
    (
        f"{ADOPT.upper()}.:8000",
        "/animals/1-caf%C3%A9?q=%2F",
        301,
        f"http://{ADOPT}:8000/animals/1-caf%C3%A9?q=%2F",
    ),
    (f"{WWW}.", "/x?y", 302, f"http://{ADOPT}/x?y"),  # in one step
    ("localhost.:8000", "/animals/1?q", 301, "http://localhost:8000/animals/1?q"),
    ("elm-road.localhost.", "/feed.atom", 301, f"http://{ADOPT}/feed.atom"),
    ("harbour-cats.localhost.", "/feed.atom", 301, "http://harbour-cats.localhost/feed.atom"),
    ("nobody.example.", "/", 404, None),
    (f"{ADOPT}..", "/", 404, None),
    (f"{ADOPT}.", "/healthz", 200, None),
    ("localhost.", "/v1/openapi.json", 200, None),
]


@pytest.mark.usefixtures("primary")
def test_a_host_that_ends_in_a_dot_redirects_to_the_host_without_it(
    client: FlaskClient, elm: Project
) -> None:
    factories.project("Harbour Cats")
    domains.add_verified_row(elm.id, WWW, redirect_status=302)
    for host, path, status, location in WITH_DOT:
        answer = at(client, host, path)
        assert (answer.status_code, answer.headers.get("Location")) == (status, location), (host, path)
    for host in (f"{ADOPT}.", "localhost."):
        sent = client.post("/animals/1/apply", headers={"Host": host})
        assert (sent.status_code, sent.location) == (308, f"http://{host[:-1]}/animals/1/apply")


WRITTEN = [
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
@pytest.mark.parametrize("written", WRITTEN)
def test_a_redirect_keeps_path_and_query_as_the_edge_received_them(
    app: APIFlask, elm: Project, written: str
) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=301)
    path, _, query = written.partition("?")
    environ = EnvironBuilder(headers={"Host": WWW, "X-Forwarded-Uri": written}).get_environ()
    environ |= {"PATH_INFO": decoded_by_the_server(path), "QUERY_STRING": query}
    headers = run_wsgi_app(app, environ)[2]
    assert headers["Location"] == f"http://{ADOPT}{written}"


def decoded_by_the_server(path: str) -> str:
    """Return a path as WSGI has it. Granian replaces bytes that are not UTF-8."""
    return unquote(path).encode().decode("latin-1")


def test_an_empty_query_stays_where_a_slash_too_many_is_removed(client: FlaskClient) -> None:
    answer = client.get("/help/", headers={"X-Forwarded-Uri": "/help/?"})
    assert answer.headers["Location"] == "/help?"


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
def test_another_path_in_the_edges_header_is_ignored(client: FlaskClient, elm: Project, other: str) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=301)
    answer = client.get("/a/b", headers={"Host": WWW, "X-Forwarded-Uri": other})
    assert answer.headers["Location"] == f"http://{ADOPT}/a/b"


def test_a_redirect_goes_to_the_domain_that_was_chosen(
    client: FlaskClient, elm: Project, primary: int
) -> None:
    other = domains.add_verified_row(elm.id, "other.elm.example")
    domains.add_verified_row(elm.id, WWW, redirect_status=302, redirects_to=other)
    assert at(client, WWW).headers["Location"] == "http://other.elm.example/"


@pytest.mark.parametrize(("away", "to"), [((ADOPT,), "other.elm.example"), (("other.elm.example",), ADOPT)])
def test_a_redirect_to_a_domain_that_moved_away_takes_the_other(
    client: FlaskClient, elm: Project, primary: int, away: tuple[str], to: str
) -> None:
    other = domains.add_verified_row(elm.id, "other.elm.example")
    domains.add_verified_row(elm.id, WWW, redirect_status=302, redirects_to=other)
    move(*away)
    assert at(client, WWW).headers["Location"] == f"http://{to}/"
    with reading() as session:
        told = [each["to"] for each in redirects_of(domains_of(session, elm.id), factories.NOW)]
    assert told == [to]
    move(ADOPT, "other.elm.example")
    assert at(client, WWW).status_code == 200
    assert f'<link rel="canonical" href="http://{WWW}/">' in at(client, WWW).text
    with reading() as session:
        assert redirects_of(domains_of(session, elm.id), factories.NOW) == []


def move(*hosts: str) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.host.in_(hosts)).values(state="attention"))


@pytest.mark.usefixtures("primary")
def test_the_address_below_the_platform_leads_to_the_primary_domain(client: FlaskClient) -> None:
    answer = at(client, "elm-road.localhost:8000", "/feed.atom?species=cat")
    assert answer.status_code == 301
    assert answer.headers["Location"] == f"http://{ADOPT}:8000/feed.atom?species=cat"
    sent = client.post("/animals/1/apply", headers={"Host": "elm-road.localhost"})
    assert sent.status_code == 308


@pytest.mark.usefixtures("primary")
def test_another_domain_that_shows_the_site_tells_of_the_primary(client: FlaskClient, elm: Project) -> None:
    domains.add_verified_row(elm.id, WWW)
    factories.animal(elm, "Otter")
    page = at(client, f"{WWW}:8000")
    assert page.status_code == 200
    assert f'<link rel="canonical" href="http://{ADOPT}:8000/">' in page.text
    for path in ("/feed.atom", "/sitemap.xml", "/robots.txt"):
        text_there = at(client, WWW, path).text
        assert f"http://{ADOPT}/" in text_there
        assert WWW not in text_there


def test_whole_addresses_name_the_host_as_dns_has_it(client: FlaskClient, elm: Project) -> None:
    host = "xn--bcher-kva.example"
    domains.add_verified_row(elm.id, host, primary_of=elm.id)
    page = f"/animals/{factories.animal(elm, 'Otter')}-otter"
    for path in ("/", page, "/robots.txt", "/sitemap.xml", "/feed.atom"):
        told = at(client, host, path).text
        assert f"http://{host}/" in told
        assert "b\u00fccher" not in told


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
def test_nothing_in_an_address_moves_where_a_redirect_leads(
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


def test_a_site_is_found_by_one_look_at_one_index(app: APIFlask, elm: Project, primary: int) -> None:
    reader = the_reader()
    compiled = SITE_BY_HOST[True].for_engine(reader.engine)
    explain = "EXPLAIN QUERY PLAN "
    if reader.engine.dialect.name == "postgresql":
        explain = "EXPLAIN "
        next_connection(reader).execute("SET enable_seqscan = off")
    rows = reader.rows(explain + compiled.sql, compiled.bound({"host": ADOPT, "now": factories.NOW}))
    reader.close()
    plan = " ".join(str(row) for row in rows)
    assert "verified_host" in plan
    assert "SCAN domains" not in plan
    assert "Seq Scan on domains" not in plan


def test_two_projects_cannot_have_one_host(app: APIFlask, elm: Project, primary: int) -> None:
    other = factories.project("Fenland")
    with pytest.raises(Exception, match=r"(?i)unique"):
        domains.add_verified_row(other.id, ADOPT)
    with transaction() as session:
        assert session.get_one(Domain, primary).project_id == elm.id
