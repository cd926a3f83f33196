"""The grid of animals to embed in a shelter's own website."""

import re
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update

from adoption.projects.models import Deploy, Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from portal.feeds.embed import CARDS, CARDS_MOST
from tests import factories

pytestmark = pytest.mark.settings("embedded")

HOSTILE = '"><img src=x onerror=alert(1)>'


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project("Riverside", colour="#1f5f8b")


def cards(page: str) -> list[tuple[str, str]]:
    """Return the name and URL of each card."""
    return [
        (name, path)
        for path, name in re.findall(r'<h2 dir="auto"><a href="(.*?)" target="_top">(.*?)</a>', page)
    ]


def names(client: FlaskClient, query: str = "") -> list[str]:
    return [name for name, _ in cards(client.get(f"/embed/riverside{query}").text)]


def test_the_embedded_grid_shows_available_animals_newest_first(
    client: FlaskClient, riverside: Project
) -> None:
    for name, status in (
        ("Otter", "available"),
        ("Juno", "pending"),
        ("Rex", "sold"),
        ("Heron", "available"),
    ):
        factories.animal(riverside, name, status=status)
    factories.animal(riverside, "Hidden", listed=False)
    factories.animal(factories.project("Harbour"), "Minnow")
    page = client.get("/embed/riverside").text
    found = cards(page)
    assert [name for name, _ in found] == ["Heron", "Otter"]
    assert "Harbour" not in page
    for name, path in found:
        assert name in client.get(path).text


def test_an_embedded_card_has_name_age_and_photo(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Otter", breed_primary="Beagle", sex="male", size="small", photos=1)
    factories.animal(riverside, "Heron")
    page = client.get("/embed/riverside").text
    assert '<p class="soft">Male · Small</p>' in page
    assert 'alt="Photo of Otter' in page
    assert 'alt="No photo of Heron yet"' in page
    assert "<title>Animals at Riverside</title>" in page
    assert re.search("<h1.*>Riverside</span></h1>", page)


def test_the_embedded_grid_can_be_filtered(client: FlaskClient, riverside: Project) -> None:
    for number in range(CARDS + 1):
        factories.animal(riverside, f"Dog {number}")
    factories.animal(riverside, "Cat", category_id=2)
    assert names(client, "?species=Cat") == ["Cat"]
    assert len(names(client)) == len(names(client, "?limit=")) == CARDS
    assert names(client, "?limit=2&species=dog") == [f"Dog {CARDS}", f"Dog {CARDS - 1}"]
    assert len(names(client, "?limit=13&limit=x&unknown=%00")) == 13


def test_the_embedded_grid_is_limited(client: FlaskClient, riverside: Project) -> None:
    for number in range(CARDS_MOST + 1):
        factories.animal(riverside, f"Dog {number}")
    for limit in ("49", "1000", "999999999"):
        assert len(names(client, f"?limit={limit}")) == CARDS_MOST


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=%D9%A1", "limit=%00", "limit=" + "9" * 400),
        *("species=dragon", "species=%00", "species=" + HOSTILE, "theme=pink", "theme=%ff"),
    ],
)
def test_an_invalid_embed_url_is_reported(client: FlaskClient, riverside: Project, query: str) -> None:
    answer = client.get(f"/embed/riverside?{query}")
    assert answer.status_code == 400
    assert "must be" in answer.text
    assert "<img src=x" not in answer.text


@pytest.mark.parametrize(
    "slug", ["nobody", "quiet", "RIVERSIDE", "%00", "%ff", "a" * 3_000, HOSTILE, "%2e%2e"]
)
def test_an_unknown_shelter_in_an_embed_url_is_reported(
    client: FlaskClient, riverside: Project, slug: str
) -> None:
    factories.project("Quiet", published=False)
    answer = client.get(f"/embed/{slug}")
    assert answer.status_code == 404
    assert "There is no shelter of this name" in answer.text
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]


def test_the_embedded_grid_links_to_all_animals(client: FlaskClient, riverside: Project) -> None:
    platform = client.get("/embed/riverside?species=cat").text
    assert 'href="/?species=cat&amp;shelter=riverside" target="_top"' in platform
    own = client.get("/embed/riverside?species=cat", headers={"Host": "riverside.localhost"}).text
    assert 'href="/?species=cat" target="_top"' in own
    assert client.get("/?species=cat&shelter=riverside").status_code == 200


def test_every_link_leaves_the_frame(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside)
    page = client.get("/embed/riverside").text
    links = re.findall(r"<a [^>]*>", page)
    assert len(links) == 3
    assert all('target="_top"' in link for link in links)


def test_an_empty_embedded_grid_says_so(client: FlaskClient, riverside: Project) -> None:
    assert "No animals are waiting" in client.get("/embed/riverside").text


def test_the_embedded_grid_is_noindex_and_sets_no_cookie(client: FlaskClient, riverside: Project) -> None:
    answer = client.get("/embed/riverside")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "Set-Cookie" not in answer.headers
    again = client.get("/embed/riverside", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert "frame-ancestors *" in again.headers["Content-Security-Policy"]


def test_one_theme_for_every_reader_can_be_chosen(client: FlaskClient, riverside: Project) -> None:
    for theme in ("light", "dark"):
        page = client.get(f"/embed/riverside?theme={theme}").text
        sheets = re.findall(r'rel="stylesheet" href="(.*?)"', page.replace("&amp;", "&"))
        assert len(sheets) == 5
        for sheet in sheets:
            answer = client.get(sheet)
            assert answer.status_code == 200
            assert "prefers-color-scheme" not in answer.text
            assert "immutable" in answer.headers["Cache-Control"]
    assert "prefers-color-scheme: dark" in client.get("/colours/1f5f8b.css").text
    assert client.get("/themes/pink.css").status_code == 404


def test_the_embedded_grid_shows_published_texts(client: FlaskClient, riverside: Project) -> None:
    with transaction() as session:
        session.execute(update(Project).values(name="Lockside", colour="#b3261e"))
    assert "Lockside" not in client.get("/embed/riverside").text
    publish_site("riverside")
    page = client.get("/embed/riverside").text
    assert "Animals at Lockside" in page
    assert "/colours/b3261e.css" in page


def test_html_in_texts_is_escaped(client: FlaskClient, riverside: Project) -> None:
    with transaction() as session:
        session.execute(update(Deploy).values(name=HOSTILE, colour='"><a>'))
    factories.animal(riverside, HOSTILE, breed_primary=HOSTILE)
    page = client.get("/embed/riverside").text
    assert "<img src=x" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") == 5
    assert "/colours/" not in page


def test_the_embed_script_is_small_and_cached(client: FlaskClient, root: Path) -> None:
    answer = client.get("/embed.js")
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.data == (root / "static" / "js" / "embed.js").read_bytes()
    assert len(answer.data) < 2_000
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/embed.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
