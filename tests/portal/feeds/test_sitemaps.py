"""Sitemaps (protocol of sitemaps.org) and robots.txt."""

import re
from datetime import UTC, datetime
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import insert

from adoption.animals.models import Animal
from adoption.animals.sitemap_and_feed import PART, sitemap_entries
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from tests import factories

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = '"><img src=x onerror=alert(1)>'
PLATFORM = [f"http://localhost/{path}" for path in ("", "shelters", "how-adoption-works")]
W3C = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project("Riverside")


def addresses(client: FlaskClient, path: str, tag: str, host: str = "localhost") -> list[str]:
    """Return the URLs of a sitemap. Fail if it violates the protocol."""
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 200
    assert answer.content_type == "application/xml; charset=utf-8"
    assert len(answer.data) < 50 * 2**20
    root = ElementTree.fromstring(answer.data)
    assert root.tag == f"{SITEMAP}{tag}"
    assert 0 < len(root) <= 50_000
    listed = []
    for each in root:
        assert each.tag == f"{SITEMAP}{'sitemap' if tag == 'sitemapindex' else 'url'}"
        found = {child.tag.removeprefix(SITEMAP): child.text or "" for child in each}
        assert set(found) <= {"loc", "lastmod"}
        assert W3C.fullmatch(found.get("lastmod", "2026-01-01T00:00:00Z"))
        assert len(found["loc"]) < 2_048
        listed.append(found["loc"])
    assert len(set(listed)) == len(listed)
    return listed


def everything(client: FlaskClient, host: str = "localhost") -> tuple[list[str], list[str]]:
    """Return all URLs of the sitemap: the pages of the catalogue and of animals."""
    first, *rest = addresses(client, "/sitemap.xml", "sitemapindex", host)
    root = f"http://{host}/"
    assert first == f"{root}sitemap-0.xml"
    animals = [
        url for part in rest for url in addresses(client, part.removeprefix(root[:-1]), "urlset", host)
    ]
    pages = addresses(client, "/sitemap-0.xml", "urlset", host)
    assert all(url.startswith(root) for url in pages + animals)
    return pages, animals


def test_every_page_is_listed_and_can_be_opened(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Otter")
    factories.animal(riverside, "Señor Ünïcode & Sons <3", category_id=2, status="sold")
    pages, animals = everything(client)
    assert pages == [*PLATFORM, "http://localhost/?species=dog"]
    assert len(animals) == 2
    for url in pages + animals:
        # The final URL is listed, not a URL that redirects.
        assert client.get(url).status_code == 200


def test_the_sitemap_has_no_hidden_animals(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Shown")
    factories.animal(riverside, "Hidden", listed=False, category_id=2)
    factories.animal(factories.project("Quiet", published=False), "Early", category_id=3)
    pages, animals = everything(client)
    assert [url.rpartition("-")[2] for url in animals] == ["shown"]
    assert pages == [*PLATFORM, "http://localhost/?species=dog"]


def test_a_sites_sitemap_has_only_its_animals(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Otter")
    factories.animal(factories.project("Harbour"), "Minnow", category_id=2)
    pages, animals = everything(client, "riverside.localhost")
    assert animals == []  # The canonical address of these animals is on the platform.
    assert pages == ["http://riverside.localhost/", "http://riverside.localhost/?species=dog"]


def test_a_service_without_animals_has_a_sitemap(client: FlaskClient) -> None:
    assert everything(client) == (PLATFORM, [])


def test_the_sitemap_has_times_of_changes(client: FlaskClient, riverside: Project) -> None:
    part = f"/sitemap-{(factories.animal(riverside) - 1) // PART + 1}.xml"
    first = client.get(part)
    assert "<lastmod>2026-11-28T00:00:00Z</lastmod>" in first.text
    again = client.get(part, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_part_of_the_sitemap_depends_on_the_id(client: FlaskClient, riverside: Project) -> None:
    start = (factories.animal(riverside, "Now") // PART + 1) * PART
    first = start // PART
    for animal_id in (start, start + 1, start + PART, start + 3 * PART + 7):
        factories.animal(riverside, "Later", id=animal_id)
    index = addresses(client, "/sitemap.xml", "sitemapindex")
    found = [int(re.findall(r"sitemap-(\d+)", url)[0]) for url in index]
    assert found == [0, first, first + 1, first + 4]
    _, animals = everything(client)
    assert len(animals) == 5
    assert [int(re.findall(r"/animals/(\d+)", url)[0]) for url in animals][1:3] == [start, start + 1]


def test_a_full_sitemap_continues_in_the_next_part(client: FlaskClient, riverside: Project) -> None:
    known = {"project_id": riverside.id, "category_id": 1, "name": "Twin", "status": "available"}
    known |= {"breed_mixed": False, "breed_unknown": False, "birth_date_estimated": False, "words": ""}
    known |= {"special_needs": False, "special_needs_note": "", "description": ""}
    known |= {"created_at": factories.NOW, "updated_at": factories.NOW}
    with transaction() as session:
        session.execute(insert(Animal), [known] * (PART + 1))
    parts = addresses(client, "/sitemap.xml", "sitemapindex")
    assert len(parts) >= 3
    assert len(everything(client)[1]) == PART + 1
    assert [len(sitemap_entries(part, riverside.id)) for part in (1, 2, 3)] == [PART, 1, 0]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("part", ["2", "00", "01", "-1", "x", "1x", "%D9%A1", "1%00", "9" * 9, "9" * 400, ""])
def test_other_sitemap_parts_are_404(client: FlaskClient, riverside: Project, part: str) -> None:
    for host in ("localhost", "riverside.localhost"):
        assert client.get(f"/sitemap-{part}.xml", headers={"Host": host}).status_code == 404


def test_hostile_names_are_not_in_the_sitemap(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, HOSTILE)
    factories.animal(riverside, "]]></loc>&lt;\x00\x01".replace("\x00", ""))
    _, animals = everything(client)
    assert len(animals) == 2
    assert all(re.fullmatch(r"http://localhost/animals/\d+(-[a-z0-9-]+)?", url) for url in animals)


@pytest.mark.parametrize("host", ["localhost", "riverside.localhost"])
@pytest.mark.usefixtures("riverside")
def test_robots_txt_allows_public_pages(client: FlaskClient, host: str) -> None:
    answer = client.get("/robots.txt", headers={"Host": host})
    assert answer.content_type == "text/plain; charset=utf-8"
    robots = RobotFileParser()
    robots.parse(answer.text.splitlines())
    assert robots.site_maps() == [f"http://{host}/sitemap.xml"]
    for path in ("/", "/?species=cat", "/animals/1-otter", "/feed.atom", "/static/css/site.css"):
        assert robots.can_fetch("Googlebot", f"http://{host}{path}")
    for path in ("/applications/secret", "/v1/pets", "/v1"):
        assert not robots.can_fetch("Googlebot", f"http://{host}{path}")


def test_animals_of_a_new_site_changed_when_it_was_published(client: FlaskClient, app: APIFlask) -> None:
    project = factories.project("Riverside", published=False)
    part = f"/sitemap-{(factories.animal(project) - 1) // PART + 1}.xml"
    publish_site(project.slug, now=datetime(2026, 12, 24, 18, tzinfo=UTC))
    assert "<lastmod>2026-12-24T18:00:00Z</lastmod>" in client.get(part).text
