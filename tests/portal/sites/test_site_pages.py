"""A shelter's own site: its pages, links, texts and colours."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from apiflask import APIFlask
from flask import request
from flask.sessions import NullSession
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import create_environ

from adoption.projects.models import Deploy, Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from portal.body_limits import opened
from portal.session_cookies import PlatformSessions
from tests import factories
from tests.portal.sites.conftest import DASH, HOSTILE, at

pytestmark = pytest.mark.settings("embedded")


def edit(project: Project, **texts: Any) -> None:
    with transaction() as session:
        session.execute(update(Project).where(Project.id == project.id).values(**texts))


class Links(HTMLParser):
    """All addresses in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.found += [given[name] or "" for name in ("href", "src", "action", "hx-get") if given.get(name)]


def test_a_404_page_of_a_site_looks_like_the_site(client: FlaskClient, riverside: Project) -> None:
    page = at(client, "riverside.localhost", "/nowhere")
    assert page.status_code == 404
    assert f"{DASH} Riverside</title>" in page.text
    assert "/docs/" not in page.text


def test_sites_set_no_cookies(app: APIFlask, client: FlaskClient, riverside: Project) -> None:
    animal_id = factories.animal(riverside)
    for path in ("/", f"/animals/{animal_id}", "/?species=cat", "/nowhere", "/embed/riverside", "/feed.atom"):
        answer = at(client, "riverside.localhost", path, follow_redirects=True)
        assert "Set-Cookie" not in answer.headers
        assert "cookie" not in answer.headers.get("Vary", "").lower()
    sessions = app.session_interface
    assert isinstance(sessions, PlatformSessions)
    for host, there in (("riverside.localhost", False), ("nobody.example", False), ("localhost", True)):
        with opened(app, create_environ(headers={"Host": host})):
            assert isinstance(sessions.open_session(app, request), NullSession) is not there


def test_a_site_has_only_its_own_animals(client: FlaskClient, riverside: Project, harbour: Project) -> None:
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
            # An animal's only address is on the platform until the shelter has its own domain.
            assert canonical.startswith("http://localhost:8000/animals/" if "animals" in path else f"{own}/")


def test_a_site_describes_its_shelter(client: FlaskClient, riverside: Project) -> None:
    page = at(client, "riverside.localhost").text
    assert '<h1 dir="auto">Riverside</h1>' in page
    for found in (
        "Alderbrook",
        "<p>Beside the old lock.</p>",
        'href="tel:5550158"',
        'href="mailto:owner@example.org"',
    ):
        assert found in page


def test_a_long_description_is_collapsed(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, about="First words.\r\n\r\n" + "Second words. " * 60)
    publish_site("riverside")
    page = at(client, "riverside.localhost").text.partition("<body>")[2]
    before, _, after = page.partition("About and contact</summary>")
    assert "words." not in before
    assert "First words." in after
    assert "Second words." in after


def shown_versions(client: FlaskClient) -> tuple[bool, bool]:
    """Return whether the site shows the old name and colour, and whether it shows the new values."""
    page = at(client, "riverside.localhost").text
    old = "Riverside</title>" in page and "/colours/1f5f8b.css" in page
    return old, "Lockside</title>" in page and "/colours/b3261e.css" in page


def test_a_site_shows_its_last_published_version(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, name="Lockside", colour="#b3261e", about="Above the lock.")
    assert shown_versions(client) == (True, False)
    assert "Above the lock" not in at(client, "riverside.localhost").text
    publish_site("riverside")
    assert shown_versions(client) == (False, True)
    assert "Above the lock" in at(client, "riverside.localhost").text


def test_a_failed_deploy_changes_nothing(client: FlaskClient, riverside: Project) -> None:
    edit(riverside, name="Lockside", colour="#b3261e", contact_email="")
    assert publish_site("riverside").succeeded is False
    assert shown_versions(client) == (True, False)


def test_html_in_a_sites_texts_is_escaped(client: FlaskClient, riverside: Project) -> None:
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
def test_an_invalid_colour_is_ignored(client: FlaskClient, riverside: Project, colour: str) -> None:
    with transaction() as session:
        session.execute(update(Deploy).values(colour=colour))
    page = at(client, "riverside.localhost")
    assert page.status_code == 200
    assert "/colours/" not in page.text


def test_a_sites_stylesheet_is_cached(client: FlaskClient, riverside: Project) -> None:
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
    for colour in ("1f5f8b", "b3261e"):  # the colour of the live site, and of the draft in previews
        assert client.get(f"/colours/{colour}.css").status_code == 200
