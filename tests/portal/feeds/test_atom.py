"""The Atom feed (RFC 4287)."""

import re
from datetime import datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from adoption.animals.models import Animal
from adoption.projects.models import Deploy, Project
from adoption.storage.database import transaction
from portal.feeds.atom import ENTRIES
from tests import factories

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = '"><img src=x onerror=alert(1)>'
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TAG = re.compile(r"tag:[a-z0-9.-]+,2026:[A-Za-z0-9._~!$&'()*+,;=:@/?%-]+")
"""RFC 4151."""


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project("Riverside", place="Alderbrook")


def read(answer: TestResponse) -> ElementTree.Element:
    """Return the feed. Fail if it lacks something that RFC 4287 requires."""
    assert answer.status_code == 200
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.data)
    assert feed.tag == f"{ATOM}feed"
    ids = [one(feed, "id"), *(one(entry, "id") for entry in feed.iter(f"{ATOM}entry"))]
    assert len(set(ids)) == len(ids)
    assert all(TAG.fullmatch(each) for each in ids)
    for part in (feed, *feed.iter(f"{ATOM}entry")):
        assert one(part, "title")
        assert RFC3339.fullmatch(one(part, "updated"))
        assert one(part.find(f"{ATOM}author"), "name")
        [page] = links(part, "alternate")
        assert page.startswith("http://")
    [itself] = links(feed, "self")
    assert itself.startswith("http://")
    return feed


def one(element: ElementTree.Element | None, name: str) -> str:
    """Return the text of the only child with this name."""
    assert element is not None
    [child] = element.findall(f"{ATOM}{name}")
    return child.text or ""


def links(element: ElementTree.Element, rel: str) -> list[str]:
    return [link.attrib["href"] for link in element.findall(f"{ATOM}link") if link.attrib["rel"] == rel]


def titles(feed: ElementTree.Element) -> list[str]:
    return [one(entry, "title") for entry in feed.iter(f"{ATOM}entry")]


def test_a_feed_has_the_newest_first(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Otter", breed_primary="Beagle", description="Likes *tea*.", sex="male")
    factories.animal(riverside, "Heron", category_id=5)
    feed = read(client.get("/feed.atom"))
    assert titles(feed) == ["Heron, Bird", "Otter, Beagle"]
    entry = feed.findall(f"{ATOM}entry")[1]
    [content] = entry.findall(f"{ATOM}content")
    assert content.attrib["type"] == "html"
    for found in ("<p>Likes tea.</p>", "Beagle", "Male", "Riverside, Alderbrook"):
        assert found in (content.text or "")
    assert one(entry.find(f"{ATOM}author"), "name") == "Riverside, Alderbrook"
    assert entry.find(f"{ATOM}category").attrib == {"term": "dog", "label": "Dogs"}  # type: ignore[union-attr]
    [page] = links(entry, "alternate")
    assert "Otter" in client.get(page).text


def test_a_feed_entry_has_a_photo_that_loads_anywhere(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, photos=2)
    [content] = read(client.get("/feed.atom")).iter(f"{ATOM}content")
    photos = re.findall('<img src="(.*?)" alt="(.*?)"', content.text or "")
    assert len(photos) == 1
    assert re.fullmatch(r"http://localhost/media/[0-9a-f]{64}-share\.jpeg", photos[0][0])
    assert photos[0][1].startswith("Photo of Biscuit")


FILTERS = [
    "",
    "species=cat",
    "species=dog&sex=female",
    "size=small&status=sold",
    "age=senior",
    "children=yes&dogs=yes&untested=yes",
    "q=bramble",
    "q=%2A",
    "shelter=riverside",
    "shelter=harbour&species=cat",
]


@pytest.fixture
def crowd(riverside: Project) -> None:
    harbour = factories.project("Harbour")
    for number in range(24):
        found: dict[str, Any] = {
            "category_id": 1 + number % 2,
            "sex": ("female", "male", None)[number % 3],
            "size": ("small", "large")[number % 2],
            "status": ("available", "available", "sold", "pending")[number % 4],
            "good_with_children": (True, False, None)[number % 3],
            "good_with_dogs": (True, None)[number % 2],
            "birth_date": (datetime(2010, 1, 1).date(), None)[number % 2],  # noqa: DTZ001 - a day, not an instant
            "description": ("Bramble", "Thistle")[number % 2],
        }
        factories.animal((riverside, harbour)[number % 2], f"Number {number}", **found)


@pytest.mark.parametrize("query", FILTERS)
@pytest.mark.usefixtures("crowd")
def test_a_feed_has_the_filters_of_the_catalogue(client: FlaskClient, query: str) -> None:
    feed = read(client.get(f"/feed.atom?{query}"))
    page = client.get(f"/?{query}").text.partition('id="similar"')[0]
    shown = re.findall(r'<h3 class="animal-card-name".*?<a href="(.*?)"', page)
    entries = [links(entry, "alternate")[0] for entry in feed.iter(f"{ATOM}entry")]
    assert entries == [f"http://localhost{address}" for address in shown]
    address, _, found = links(feed, "self")[0].partition("?")
    assert address == "http://localhost/feed.atom"
    assert sorted(found.split("&")) == sorted(query.split("&"))


@pytest.mark.usefixtures("crowd")
def test_each_filter_has_a_feed_of_its_own(client: FlaskClient) -> None:
    feeds = [read(client.get(f"/feed.atom?{query}")) for query in FILTERS]
    assert len({one(feed, "id") for feed in feeds}) == len(FILTERS)
    assert len({one(feed, "title") for feed in feeds}) == len(FILTERS)


def test_the_order_of_parameters_does_not_change_the_feed(client: FlaskClient, riverside: Project) -> None:
    found = {one(read(client.get(f"/feed.atom?{query}")), "id") for query in (
        "species=cat&sex=male", "sex=male&species=cat", "sex=male&species=cat&sort=waiting&shown=48&utm=x",
    )}  # fmt: skip
    assert len(found) == 1


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("query", ["species=dragon", "shelter=nobody", "sex=%00", "after=x", "age=%ff"])
def test_an_invalid_filter_does_not_make_a_feed_of_all_animals(client: FlaskClient, query: str) -> None:
    assert client.get(f"/feed.atom?{query}").status_code == 404


@pytest.mark.parametrize(
    "query", ["q=%00", "q=%ff%fe", "q=" + "a" * 3_000, "q=a&q=b", "&&=", "q=%F0%9F%90%95"]
)
@pytest.mark.usefixtures("riverside")
def test_an_odd_query_is_still_a_feed(client: FlaskClient, query: str) -> None:
    read(client.get(f"/feed.atom?{query}"))


def test_an_empty_feed_is_valid(client: FlaskClient) -> None:
    assert titles(read(client.get("/feed.atom"))) == []


def test_a_feed_is_limited_to_the_newest(client: FlaskClient, riverside: Project) -> None:
    for number in range(ENTRIES + 1):
        factories.animal(riverside, f"Number {number}")
    found = titles(read(client.get("/feed.atom")))
    assert len(found) == ENTRIES
    assert "Number 0, Dog" not in found


@pytest.mark.parametrize("query", ["", "species=dog", "shelter=riverside", "q=friendly"])
def test_an_animal_that_was_on_hold_is_new_when_it_is_shown(
    client: FlaskClient, riverside: Project, query: str
) -> None:
    held = factories.animal(riverside, "Hush", listed=False, description="Friendly.")
    factories.animal(riverside, "Otter", description="Friendly.")
    later = factories.NOW + timedelta(hours=1)
    with transaction() as session:
        released = {"listed": True, "updated_at": later}
        session.execute(update(Animal).where(Animal.id == held).values(**released))
    feed = read(client.get(f"/feed.atom?{query}"))
    assert titles(feed) == ["Hush, Dog", "Otter, Dog"]
    assert one(feed.findall(f"{ATOM}entry")[0], "published") == "2026-11-28T01:00:00Z"


def test_a_feed_changes_when_an_animal_does(client: FlaskClient, riverside: Project) -> None:
    animal_id = factories.animal(riverside)
    first = client.get("/feed.atom")
    later = factories.NOW + timedelta(hours=1)
    assert one(read(first), "updated") == "2026-11-28T00:00:00Z"
    again = client.get("/feed.atom", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    with transaction() as session:
        changed = {"status": "pending", "updated_at": later}
        session.execute(update(Animal).where(Animal.id == animal_id).values(**changed))
    third = client.get("/feed.atom", headers={"If-None-Match": first.headers["ETag"]})
    assert one(read(third), "updated") == "2026-11-28T01:00:00Z"
    assert "Adoption pending" in third.text


def test_a_site_has_a_feed_of_its_own(client: FlaskClient, riverside: Project) -> None:
    harbour = factories.project("Harbour")
    factories.animal(riverside, "Otter")
    factories.animal(harbour, "Minnow")
    feed = read(client.get("/feed.atom", base_url="http://riverside.localhost:8000"))
    everything = read(client.get("/feed.atom"))
    assert titles(feed) == ["Otter, Dog"]
    assert one(feed, "title").endswith(" Riverside")
    assert all(link.startswith("http://riverside.localhost:8000/") for link in links(feed, "self"))
    # The entry of an animal has the same id in both feeds. The ids of the feeds differ.
    assert one(feed.findall(f"{ATOM}entry")[0], "id") == one(everything.findall(f"{ATOM}entry")[1], "id")
    assert one(feed, "id") != one(everything, "id")


def test_html_in_texts_is_escaped(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, HOSTILE, breed_primary=HOSTILE, description=f"{HOSTILE}<script>]]></content>")
    with transaction() as session:
        session.execute(update(Deploy).values(name=HOSTILE, place=HOSTILE))
    for host in ("localhost", "riverside.localhost"):
        answer = client.get("/feed.atom", headers={"Host": host})
        feed = read(answer)
        assert titles(feed) == [f"{HOSTILE}, {HOSTILE}"]
        [content] = feed.iter(f"{ATOM}content")
        assert len(content) == 0
        assert content.text
        for tag in ("<img src=x", "<script"):
            assert tag not in content.text
            assert tag not in answer.text
    search = read(client.get("/feed.atom", query_string={"q": HOSTILE}))
    assert HOSTILE in one(search, "title")


def test_characters_that_xml_forbids_are_removed(client: FlaskClient, riverside: Project) -> None:
    factories.animal(riverside, "Ot\x01t\x1ber\ufffe", description="Bell\x07 and \x0bmore\uffff.")
    feed = read(client.get("/feed.atom"))
    assert titles(feed) == ["Otter, Dog"]
    assert "Bell and more." in client.get("/feed.atom").text
