"""Canonical addresses of sites and animals, with and without a primary domain."""

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import text

from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import domains, factories
from tests.portal.sites.conftest import ADOPT, WWW, at

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.usefixtures("primary")
def test_pages_are_equal_at_the_domain_and_below_the_platform(client: FlaskClient, elm: Project) -> None:
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
        assert without_tokens(there.text) == without_tokens(text_here.replace("elm-road.localhost", ADOPT))


def without_tokens(page: str) -> str:
    """Return the page without tokens and versions, which differ each time that the page is rendered."""
    return re.sub(r'(name="\w+" value=")[^"]{20,}|tag:[^<]*|(v=)\w+', "", page)


def test_an_animal_has_one_canonical_address(client: FlaskClient, elm: Project, primary: int) -> None:
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
def test_a_second_domain_names_the_primary_as_canonical(client: FlaskClient, elm: Project) -> None:
    domains.add_verified_row(elm.id, WWW)
    factories.animal(elm, "Otter")
    page = at(client, f"{WWW}:8000")
    assert page.status_code == 200
    assert f'<link rel="canonical" href="http://{ADOPT}:8000/">' in page.text
    for path in ("/feed.atom", "/sitemap.xml", "/robots.txt"):
        text_there = at(client, WWW, path).text
        assert f"http://{ADOPT}/" in text_there
        assert WWW not in text_there


def test_absolute_addresses_use_punycode(client: FlaskClient, elm: Project) -> None:
    host = "xn--bcher-kva.example"
    domains.add_verified_row(elm.id, host, primary_of=elm.id)
    page = f"/animals/{factories.animal(elm, 'Otter')}-otter"
    for path in ("/", page, "/robots.txt", "/sitemap.xml", "/feed.atom"):
        found = at(client, host, path).text
        assert f"http://{host}/" in found
        assert "b\u00fccher" not in found
