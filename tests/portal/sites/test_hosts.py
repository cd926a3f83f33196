"""A shelter's own site: which host is whose, what is there and what is not, and how it looks."""

import re
from html.parser import HTMLParser
from ipaddress import ip_network
from typing import Any

import pytest
from apiflask import APIFlask
from flask.sessions import NullSession
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from adoption.projects.actions import publish_site
from adoption.projects.models import Deploy, Project
from adoption.storage.database import transaction
from portal.sites.hosts import ON_ANY_HOST, ON_SITES, PRIVATE_LINKS, PlatformSessions
from tests import factories
from tests.cast import Shelter
from tests.portal.conftest import Install

pytestmark = pytest.mark.settings("embedded")

HOSTILE = '"><img src=x onerror=alert(1)>'
UNCLAIMED = "This address is not connected yet"
DASH = "\N{EN DASH}"
MANY_LETTERS = "a" * 5_000


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project(
        "Riverside",
        place="Alderbrook",
        about="Beside the old lock.",
        contact_phone="555-0158",
        colour="#1f5f8b",
    )


@pytest.fixture
def harbour(app: APIFlask) -> Project:
    """Another shelter, whose name and animals are nobody else's business."""
    return factories.project("Harbour Cats", place="Eastmarsh")


def at(client: FlaskClient, host: str, path: str = "/", **rest: Any) -> TestResponse:
    return client.get(path, headers={"Host": host}, **rest)


def edit(project: Project, **texts: Any) -> None:
    with transaction() as session:
        session.execute(update(Project).where(Project.id == project.id).values(**texts))


def names(page: str) -> list[str]:
    return re.findall(r'<h3 class="animal-card-name".*?<a .*?>(.*?)</a>', page)


class Links(HTMLParser):
    """Every address in a page, apart from the one that leads to the platform."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.found += [given[name] or "" for name in ("href", "src", "action", "hx-get") if given.get(name)]


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
def test_the_platform_shows_every_shelter(client: FlaskClient, host: str) -> None:
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
def test_a_published_projects_site_is_below_the_platform(
    client: FlaskClient, riverside: Project, harbour: Project, host: str
) -> None:
    factories.animal(riverside, "Otter")
    factories.animal(harbour, "Minnow")
    page = at(client, host)
    assert page.status_code == 200
    assert names(page.text) == ["Otter"]
    assert f"<title>Find an animal {DASH} Riverside</title>" in page.text
    assert "Harbour" not in page.text


NOBODYS = [
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


@pytest.mark.parametrize("host", NOBODYS)
@pytest.mark.usefixtures("riverside", "harbour")
def test_any_other_host_gets_a_page_that_helps_its_owner(client: FlaskClient, host: str) -> None:
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


def test_the_page_names_the_host_and_what_would_open_it(client: FlaskClient) -> None:
    below = at(client, "FenLand-Cats.localhost:8000").text
    assert "<code>fenland-cats</code> is published" in below
    away = at(client, "Adopt.FenlandCats.example.:80").text
    assert "add <code>adopt.fenlandcats.example</code>" in away
    for page in (below, away):
        assert 'href="http://localhost:8000/"' in page
    assert "<code>" not in at(client, HOSTILE).text


def test_an_unpublished_project_looks_like_none(client: FlaskClient) -> None:
    factories.project("Quiet", published=False)
    quiet, nothing = at(client, "quiet.localhost"), at(client, "quoet.localhost")
    assert quiet.status_code == nothing.status_code == 404
    assert quiet.text == nothing.text.replace("quoet", "quiet")


@pytest.mark.parametrize(("protocol", "expected"), [("HTTP/1.0", 200), ("HTTP/1.1", 400)])
def test_only_http_1_0_needs_no_host(app: APIFlask, protocol: str, expected: int) -> None:
    for path in ("/", "/v1/openapi.json"):
        environ = EnvironBuilder(path=path).get_environ()
        del environ["HTTP_HOST"]
        _, status, _ = run_wsgi_app(app, environ | {"SERVER_PROTOCOL": protocol})
        assert int(status.split()[0]) == expected


@pytest.mark.usefixtures("riverside")
def test_whoever_watches_may_ask_at_any_host(client: FlaskClient) -> None:
    for host in ("riverside.localhost", *NOBODYS):
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
def test_in_production_the_platform_has_its_own_hosts_alone(production: FlaskClient) -> None:
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


@pytest.mark.usefixtures("riverside")
def test_a_forwarded_host_is_believed_from_nobody(client: FlaskClient, installation: Install) -> None:
    behind = installation(trusted_proxies=(ip_network("10.0.0.0/8"),))
    told = {"Host": "localhost", "X-Forwarded-Host": "evil.example, riverside.localhost"}

    def title(asked: FlaskClient, sender: str) -> str:
        page = asked.get("/", headers=told, environ_overrides={"REMOTE_ADDR": sender})
        return re.findall("<title>(.*?)</title>", page.text)[0].rpartition(f" {DASH} ")[2]

    for asked in (client, behind):
        for sender in ("10.1.2.3", "192.0.2.1", ""):
            assert title(asked, sender) == "Homeward"


def test_a_site_has_no_api_no_reference_and_nothing_of_the_platforms(
    client: FlaskClient, riverside: Project
) -> None:
    paths = ("/v1", "/v1/", "/v1/pets", "/v1/openapi.json", "/docs", "/docs/", "/shelters", "/sign-in")
    for path in paths:
        assert at(client, "riverside.localhost", path).status_code == 404
    told = at(client, "riverside.localhost", "/v1/pets").get_json()
    assert (told["code"], told["status"]) == ("not_found", 404)
    assert "http://localhost:8000/v1" in told["message"]


def test_the_api_on_a_site_is_a_404_that_names_its_address(client: FlaskClient, shelter: Shelter) -> None:
    """It counts, and has the headers of every response."""

    def remaining(**headers: str) -> int:
        return int(shelter.get("/v1/pets", headers=headers).headers["X-RateLimit-Remaining"])

    for host in (f"{shelter.slug}.localhost", "adopt.example.org"):
        answer = shelter.get("/v1/pets", headers={"Host": host})
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
        assert "The API is not at this host. It is at http" in answer.json["message"]
        assert remaining() == remaining(Host=host) + 1


def test_what_is_not_named_as_a_sites_is_not_there(
    app: APIFlask, client: FlaskClient, riverside: Project
) -> None:
    """Whoever adds a page says in ``ON_SITES`` that a shelter's own site has it too."""
    known = set(app.view_functions)
    assert {name for name in ON_SITES if name not in known} == set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint not in ON_SITES | ON_ANY_HOST | PRIVATE_LINKS:
            path = re.sub("<.*?>", "1", rule.rule)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                answer = client.open(path, method=method, headers={"Host": "riverside.localhost"})
                assert answer.status_code == 404, (method, path)


def test_a_lost_page_of_a_site_looks_like_the_site(client: FlaskClient, riverside: Project) -> None:
    page = at(client, "riverside.localhost", "/nowhere")
    assert page.status_code == 404
    assert f"{DASH} Riverside</title>" in page.text
    assert "/docs/" not in page.text


def test_nobody_gets_a_cookie_from_a_site(app: APIFlask, client: FlaskClient, riverside: Project) -> None:
    animal_id = factories.animal(riverside)
    for path in ("/", f"/animals/{animal_id}", "/?species=cat", "/nowhere", "/embed/riverside", "/feed.atom"):
        answer = at(client, "riverside.localhost", path, follow_redirects=True)
        assert "Set-Cookie" not in answer.headers
        assert "cookie" not in answer.headers.get("Vary", "").lower()
    sessions = app.session_interface
    assert isinstance(sessions, PlatformSessions)
    for host, there in (("riverside.localhost", False), ("nobody.example", False), ("localhost", True)):
        with app.test_request_context("/", headers={"Host": host}) as context:
            assert isinstance(sessions.open_session(app, context.request), NullSession) is not there


def test_only_its_own_animals_exist_on_a_site(
    client: FlaskClient, riverside: Project, harbour: Project
) -> None:
    ours = factories.animal(riverside, "Otter")
    theirs = factories.animal(harbour, "Minnow", breed_primary="Tabby")
    page = at(client, "riverside.localhost", f"/animals/{ours}", follow_redirects=True)
    assert page.status_code == 200
    for path in (
        f"/animals/{theirs}",
        f"/animals/{theirs}-minnow",
        "/embed/harbour-cats",
        "/?shelter=harbour-cats",
    ):
        lost = at(client, "riverside.localhost", path)
        assert lost.status_code == 404
        assert "Minnow" not in lost.text
        assert "Harbour" not in lost.text
    for path in ("/?q=tabby", "/?species=dog", "/?sort=waiting", "/feed.atom", "/sitemap-1.xml"):
        text = at(client, "riverside.localhost", path).text.lower()
        assert "minnow" not in text
        assert "harbour" not in text


def test_every_link_of_a_site_stays_on_it(client: FlaskClient, riverside: Project) -> None:
    animal_id = factories.animal(riverside, "Otter", photos=1)
    own = "http://riverside.localhost:8000"
    for path in ("/", "/?species=dog", f"/animals/{animal_id}-otter", "/nowhere"):
        page = at(client, "RIVERSIDE.localhost:8000", path)
        links = Links(page.text).found
        away = [link for link in links if not link.startswith(("/", "#", "?", "mailto:", "tel:", own))]
        assert [link for link in away if not link.startswith("https://wa.me/")] == [
            *([f"http://localhost:8000{path}"] if "animals" in path else []),
            "http://localhost:8000/",
        ]
        assert "Made with Homeward" in page.text
        for canonical in re.findall(r'rel="canonical" href="(.*?)"', page.text):
            # An animal's one address is on the platform, until the shelter has a domain of its own.
            assert canonical.startswith("http://localhost:8000/animals/" if "animals" in path else f"{own}/")


def test_a_site_tells_of_its_shelter(client: FlaskClient, riverside: Project) -> None:
    page = at(client, "riverside.localhost").text
    assert '<h1 dir="auto">Riverside</h1>' in page
    for told in (
        "Alderbrook",
        "<p>Beside the old lock.</p>",
        'href="tel:5550158"',
        'href="mailto:owner@example.org"',
    ):
        assert told in page


def test_a_long_text_opens_for_those_who_want_it(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, about="First words.\r\n\r\n" + "Second words. " * 60)
    publish_site("riverside")
    page = at(client, "riverside.localhost").text.partition("<body>")[2]
    before, _, after = page.partition("About and contact</summary>")
    assert "words." not in before
    assert "First words." in after
    assert "Second words." in after


def look(client: FlaskClient) -> tuple[bool, bool]:
    """Whether the site shows the old name and colour, and whether the new."""
    page = at(client, "riverside.localhost").text
    old = "Riverside</title>" in page and "/colours/1f5f8b.css" in page
    return old, "Lockside</title>" in page and "/colours/b3261e.css" in page


def test_a_site_is_as_it_was_published_last(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, name="Lockside", colour="#b3261e", about="Above the lock.")
    assert look(client) == (True, False)
    assert "Above the lock" not in at(client, "riverside.localhost").text
    publish_site("riverside")
    assert look(client) == (False, True)
    assert "Above the lock" in at(client, "riverside.localhost").text


def test_a_failed_deploy_changes_nothing(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, name="Lockside", colour="#b3261e", contact_email="")
    assert publish_site("riverside").succeeded is False
    assert look(client) == (True, False)


def test_a_site_that_is_taken_down_is_gone_at_once(client: FlaskClient, riverside: Project) -> None:
    assert at(client, "riverside.localhost").status_code == 200
    edit(riverside, live_deploy=None)
    for path in ("/", "/animals/1", "/shelters"):
        page = at(client, "riverside.localhost", path)
        assert page.status_code == 404
        assert "This site is offline for now" in page.text
        assert UNCLAIMED not in page.text
    factories.project("Never", published=False)
    assert UNCLAIMED in at(client, "never.localhost").text


def test_hostile_words_of_a_site_are_only_words(client: FlaskClient, riverside: Project) -> None:
    texts = dict.fromkeys(("name", "about", "place", "contact_email", "contact_phone"), HOSTILE)
    with transaction() as session:
        session.execute(update(Deploy).values(**texts | {"contact_phone": HOSTILE[:50]}))
    animal_id = factories.animal(riverside, HOSTILE)
    for path in ("/", f"/animals/{animal_id}", "/nowhere"):
        page = at(client, "riverside.localhost", path, follow_redirects=True).text
        assert "<img src=x" not in page
        assert "onerror=alert(1)&gt;" in page


@pytest.mark.parametrize(
    "colour", ["", "#fff", "red", "}*{x:y", '"><a>', "#1F5F8", "#12345g", "#٣٣٣٣٣٣", "#00000\n"]
)
def test_a_colour_that_is_none_leaves_ours(client: FlaskClient, riverside: Project, colour: str) -> None:
    with transaction() as session:
        session.execute(update(Deploy).values(colour=colour))
    page = at(client, "riverside.localhost")
    assert page.status_code == 200
    assert "/colours/" not in page.text


def test_a_sites_stylesheet_is_there_and_kept(client: FlaskClient, riverside: Project) -> None:
    [address] = re.findall(r'href="(/colours/.*?)"', at(client, "riverside.localhost").text)
    sheet = at(client, "riverside.localhost", address)
    assert sheet.content_type == "text/css; charset=utf-8"
    assert "immutable" in sheet.headers["Cache-Control"]
    assert "--brand: #1f5f8b;" in sheet.text
    again = at(client, "riverside.localhost", "/colours/1f5f8b.css?v=0")
    assert again.headers["Cache-Control"] == "no-cache"
    for wrong in ("1F5F8B", "1f5f8", "red", "1f5f8b%00", "%D9%A3" * 6):
        assert at(client, "riverside.localhost", f"/colours/{wrong}.css").status_code == 404


def test_only_colours_that_a_shelter_has_chosen_have_a_stylesheet(
    client: FlaskClient, riverside: Project
) -> None:
    assert client.get("/colours/1f5f8b.css").status_code == 200
    assert client.get("/colours/1f5f8c.css").status_code == 404
    with transaction() as session:
        session.execute(update(Project).values(colour="#b3261e"))
    for colour in ("1f5f8b", "b3261e"):  # live, and of the draft, which previews show
        assert client.get(f"/colours/{colour}.css").status_code == 200


@pytest.mark.parametrize("host", ["riverside.localhost", "localhost"])
def test_an_address_with_a_slash_at_its_end_redirects_on_every_host(
    client: FlaskClient, riverside: Project, host: str
) -> None:
    answer = at(client, host, "/help/?from=mail")

    assert (answer.status_code, answer.headers["Location"]) == (301, "/help?from=mail")


def test_a_site_does_not_redirect_to_a_page_that_it_does_not_have(
    client: FlaskClient, riverside: Project
) -> None:
    assert at(client, "riverside.localhost", "/sign-up/").status_code == 404
    assert at(client, "riverside.localhost", "/nothing/").status_code == 404
