"""The site of each host: the platform, its subdomains, shelters' own domains, and unknown hosts."""

import re
from ipaddress import ip_network

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, run_wsgi_app

from adoption.accounts.plan_changes import set_plan
from adoption.domains import removals
from adoption.domains.models import Domain
from adoption.domains.site_lookup import SITE_BY_HOST
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import transaction
from adoption.storage.driver_connections import the_driver_connections
from portal.sites.hosts import ON_ANY_HOST, ON_SITES, PRIVATE_LINKS
from tests import domains, factories
from tests.cast import Shelter
from tests.portal.conftest import Install
from tests.portal.sites.conftest import ADOPT, DASH, HOSTILE, UNCLAIMED, WWW, at
from tests.statements import next_connection

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LocalHost:1",
        "localhost:",
        "127.0.0.1",
        "127.0.0.1:9123",
        "127.8.7.6",
        "[::1]",
        "[::1]:8000",
        "staging.localhost:8000",
    ],
)
@pytest.mark.usefixtures("riverside", "harbour")
def test_platform_hosts_show_all_shelters(client: FlaskClient, host: str) -> None:
    page = at(client, host, "/shelters")
    assert page.status_code == 200
    assert "Riverside" in page.text
    assert "Harbour Cats" in page.text


@pytest.mark.parametrize(
    "host",
    [
        "riverside.localhost",
        "riverside.localhost:8000",
        "riverside.localhost:5",
        "RiverSide.LOCALHOST:8000",
    ],
)
def test_a_subdomain_of_the_platform_shows_its_projects_site(
    client: FlaskClient, riverside: Project, harbour: Project, host: str
) -> None:
    factories.animal(riverside, "Otter")
    factories.animal(harbour, "Minnow")
    page = at(client, host)
    assert page.status_code == 200
    assert "Otter" in page.text
    assert "Minnow" not in page.text
    assert f"<title>Find an animal {DASH} Riverside</title>" in page.text
    assert "Harbour" not in page.text


@pytest.mark.settings("embedded", "scaled")
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


@pytest.mark.settings("embedded", "scaled")
def test_only_verified_paid_and_published_domains_are_served_until_they_are_removed(
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
    removals.remove_domain(elm.id, primary)
    removed = at(client, ADOPT)
    assert (removed.status_code, UNCLAIMED in removed.text) == (404, True)
    assert at(client, "elm-road.localhost").status_code == 200


MANY_LETTERS = "a" * 5_000

UNKNOWN_HOSTS = [
    "nobody.localhost:8000",
    "riverside.homeward.example",
    "a.riverside.localhost",
    "-riverside.localhost",
    "riverside_.localhost",
    ".localhost",
    "..",
    "adopt.riverside.example",
    "xn--rverside-2ve.localhost",
    "127.0.0.1.evil.example",
    "notlocalhost",
    "1.2.3.4",
    "[2001:db8::1]:8000",
    "[::1",
    "[::1]x",
    "[]",
    "localhost:99999",
    "localhost:0",
    "localhost:8000:8000",
    "localhost:-1",
    "localhost/",
    "user@localhost",
    "riverside.localhost\x00",
    "\x80",
    "\xc3\xa9l\xc3\xa9phant.localhost",
    "\xff\xfe\xfd",
    MANY_LETTERS,
    MANY_LETTERS + ".localhost",
    "a." * 3_000 + "localhost",
    "{{7*7}}.localhost",
    "%00.localhost",
    HOSTILE,
]


@pytest.mark.parametrize("host", UNKNOWN_HOSTS)
@pytest.mark.usefixtures("riverside", "harbour")
def test_unknown_hosts_get_a_404_with_instructions(client: FlaskClient, host: str) -> None:
    for path in (
        "/",
        "/animals/1",
        "/?species=cat",
        "/docs",
        "/docs/",
        "/shelters",
        "/nowhere",
        "/feed.atom",
    ):
        page = at(client, host, path)
        assert page.status_code == 404
        assert UNCLAIMED in page.text
        assert page.headers["X-Robots-Tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in page.text
        assert "Set-Cookie" not in page.headers
        for shelter in ("Riverside", "Harbour"):
            assert shelter not in page.text
        assert "<img src=x" not in page.text


def test_the_instructions_name_the_host(client: FlaskClient) -> None:
    below = at(client, "FenLand-Cats.localhost:8000").text
    assert "<code>fenland-cats</code> is published" in below
    away = at(client, "Adopt.FenlandCats.example.:80").text
    assert "add <code>adopt.fenlandcats.example</code>" in away
    for page in (below, away):
        assert 'href="http://localhost:8000/"' in page
    assert "<code>" not in at(client, HOSTILE).text


def test_an_unpublished_project_is_like_an_unknown_host(client: FlaskClient) -> None:
    factories.project("Quiet", published=False)
    quiet, nothing = at(client, "quiet.localhost"), at(client, "quoet.localhost")
    assert quiet.status_code == nothing.status_code == 404
    assert quiet.text == nothing.text.replace("quoet", "quiet")


def test_an_unpublished_site_is_offline_at_once(client: FlaskClient, riverside: Project) -> None:
    assert at(client, "riverside.localhost").status_code == 200
    unpublish_site(riverside.id)
    for path in ("/", "/animals/1", "/shelters"):
        page = at(client, "riverside.localhost", path)
        assert page.status_code == 404
        assert "This site is offline for now" in page.text
        assert UNCLAIMED not in page.text
    factories.project("Never", published=False)
    assert UNCLAIMED in at(client, "never.localhost").text


@pytest.mark.parametrize(("protocol", "expected"), [("HTTP/1.0", 200), ("HTTP/1.1", 400)])
def test_only_http_1_0_requests_may_lack_a_host(app: APIFlask, protocol: str, expected: int) -> None:
    for path in ("/", "/v1/openapi.json"):
        environ = EnvironBuilder(path=path).get_environ()
        del environ["HTTP_HOST"]
        _, status, _ = run_wsgi_app(app, environ | {"SERVER_PROTOCOL": protocol})
        assert int(status.split()[0]) == expected


@pytest.mark.usefixtures("riverside")
def test_health_checks_and_static_files_are_served_at_any_host(client: FlaskClient) -> None:
    for host in ("riverside.localhost", *UNKNOWN_HOSTS):
        for path in ("/healthz", "/readyz", "/static/css/site.css"):
            assert at(client, host, path).status_code == 200


@pytest.fixture(scope="module")
def production(installation: Install) -> FlaskClient:
    return installation(
        environment="production",
        platform_host="homeward.example",
        base_url="https://api.homeward.example:8443/v1",
        staging_base_url="https://staging.homeward.example/v1",
    )


@pytest.mark.usefixtures("riverside", "harbour")
def test_in_production_the_platform_has_only_its_configured_hosts(production: FlaskClient) -> None:
    ours = (
        "homeward.example",
        "HOMEWARD.example:80",
        "api.homeward.example",
        "staging.homeward.example:443",
    )
    for host in ours:
        assert at(production, host).status_code == 200
        assert at(production, host, "/v1/categories").status_code == 401
    assert "Riverside" in at(production, "riverside.homeward.example").text
    others = ("localhost", "127.0.0.1", "[::1]", "riverside.localhost", "riverside.nothomeward.example")
    for host in (*others, "nothomeward.example", "www.homeward.example", "homeward.example.evil.example"):
        assert UNCLAIMED in at(production, host).text
        assert at(production, host, "/v1/categories").status_code == 404


@pytest.mark.usefixtures("primary", "riverside")
@pytest.mark.parametrize("name", ["X-Forwarded-Host", "Forwarded", "X-Original-Host", "X-Host"])
def test_forwarded_hosts_are_ignored(client: FlaskClient, installation: Install, name: str) -> None:
    behind_proxy = installation(trusted_proxies=(ip_network("10.0.0.0/8"),))
    for value in (ADOPT, f"host={ADOPT}", "evil.example, riverside.localhost"):
        for sender in ("10.1.2.3", "192.0.2.1", ""):
            for each in (client, behind_proxy):
                headers = {"Host": "nobody.example", name: value}
                page = each.get("/", headers=headers, environ_overrides={"REMOTE_ADDR": sender})
                assert UNCLAIMED in page.text


def test_the_api_on_a_site_is_a_404_that_names_its_address(client: FlaskClient, shelter: Shelter) -> None:
    """The request counts towards limits. Its response has the headers that every API response has."""

    def remaining(**headers: str) -> int:
        return int(shelter.get("/v1/pets", headers=headers).headers["X-RateLimit-Remaining"])

    for host in (f"{shelter.slug}.localhost", "adopt.example.org"):
        answer = shelter.get("/v1/pets", headers={"Host": host})
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
        assert "The API is not at this host. It is at http" in answer.json["message"]
        assert remaining() == remaining(Host=host) + 1


@pytest.mark.usefixtures("primary", "riverside")
def test_sites_have_only_the_listed_endpoints(app: APIFlask, client: FlaskClient) -> None:
    """A new page exists on shelters' own sites only if it is in ``ON_SITES``."""
    assert app.view_functions.keys() >= ON_SITES
    paths = {("/v1", "GET"), ("/v1/", "GET"), ("/docs", "GET")}
    for rule in app.url_map.iter_rules():
        if rule.endpoint not in ON_SITES | ON_ANY_HOST | PRIVATE_LINKS:
            path = re.sub("<.*?>", "1", rule.rule)
            paths |= {(path, method) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    for path, method in paths:
        for host in ("riverside.localhost", ADOPT):
            answer = client.open(path, method=method, headers={"Host": host})
            assert answer.status_code == 404, (method, path, host)
            assert "Set-Cookie" not in answer.headers


@pytest.mark.settings("embedded", "scaled")
def test_a_site_is_found_by_an_index_on_its_host(app: APIFlask, elm: Project, primary: int) -> None:
    reader = the_driver_connections()
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


@pytest.mark.settings("embedded", "scaled")
def test_two_projects_cannot_have_one_host(app: APIFlask, elm: Project, primary: int) -> None:
    other = factories.project("Fenland")
    with pytest.raises(Exception, match=r"(?i)unique"):
        domains.add_verified_row(other.id, ADOPT)
    with transaction() as session:
        assert session.get_one(Domain, primary).project_id == elm.id
