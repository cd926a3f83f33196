import json
import re
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.projects.models import Project
from portal.animals.structured_data import data_block
from tests import factories
from tests.pages import ParsedPage, open_animal_page

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    return factories.project(place="Ely", currency="GBP")


def test_an_animals_page_has_structured_data_and_social_meta_tags(
    client: FlaskClient, elm_road: Project
) -> None:
    id_ = factories.animal(
        elm_road,
        "Biscuit",
        photos=2,
        category_id=2,
        breed_primary="Domestic shorthair",
        fee_cents=9550,
        description="Loves *string* " + "and more " * 40,
    )
    page = open_animal_page(client, id_, "-biscuit?photo=2")
    title, address = "Biscuit, domestic shorthair cat in Ely", f"http://localhost:8000/animals/{id_}-biscuit"
    assert page.text.startswith(title)
    assert [given["href"] for given in page.all("link", rel="canonical")] == [address]
    description = page.meta("description") or ""
    assert description.startswith("Loves string and more")
    assert len(description) <= 160
    found = {name: page.meta(f"og:{name}") for name in ("title", "url", "type", "site_name", "description")}
    assert found == {
        "title": title,
        "url": address,
        "type": "website",
        "site_name": "Homeward",
        "description": description,
    }
    image = page.meta("og:image") or ""
    assert re.fullmatch(r"http://localhost/media/[0-9a-f]{64}-share\.jpeg", image)
    assert (page.meta("og:image:width"), page.meta("og:image:height")) == ("1200", "900")
    assert page.meta("twitter:card") == "summary_large_image"
    product = page.data["Product"]
    assert (product["name"], product["url"], product["image"]) == ("Biscuit", address, image)
    offer = product["offers"]
    assert (offer["price"], offer["priceCurrency"]) == ("95.50", "GBP")
    assert offer["availability"] == "https://schema.org/InStock"
    assert (offer["seller"]["@type"], offer["seller"]["name"]) == ("AnimalShelter", "Elm Road Rescue")


@pytest.mark.parametrize(
    ("status", "availability"), [("pending", "LimitedAvailability"), ("sold", "SoldOut")]
)
def test_structured_data_has_the_status(
    client: FlaskClient, elm_road: Project, status: str, availability: str
) -> None:
    page = open_animal_page(client, factories.animal(elm_road, status=status, fee_cents=0))
    offer = page.data["Product"]["offers"]
    assert (offer["availability"], offer["price"]) == (f"https://schema.org/{availability}", "0.00")


REQUIRED = {
    "Product": {"name", "offers"},
    "Offer": {"price", "priceCurrency", "availability"},
    "AnimalShelter": {"name"},
    "WebPage": {"name", "url"},
    "BreadcrumbList": {"itemListElement"},
    "ItemList": {"itemListElement"},
    "ListItem": {"position"},
}
"""The members of each type that Google requires."""


def check_structured_data(item: Any) -> None:
    """Fail if Google's rich results test would report an error."""
    if isinstance(item, list):
        for each in item:
            check_structured_data(each)
    elif isinstance(item, dict):
        if kind := item.get("@type"):
            assert set(item) >= REQUIRED[kind], item
        if item.get("@type") in ("ItemList", "BreadcrumbList"):
            places = item["itemListElement"]
            assert [place["position"] for place in places] == list(range(1, len(places) + 1))
            assert all(place.get("url") or (place.get("name") and place.get("item")) for place in places)
        for each in item.values():
            check_structured_data(each)


def test_structured_data_has_the_members_that_search_engines_require(
    client: FlaskClient, elm_road: Project
) -> None:
    ids = [
        factories.animal(elm_road, "Rusty"),
        factories.animal(elm_road, "Free", fee_cents=0, status="sold"),
        factories.animal(elm_road, "Dear", fee_cents=9_900, photos=1),
    ]
    pages = ["/", "/?species=dog", f"/?shelter={elm_road.slug}", *(f"/animals/{id_}" for id_ in ids)]
    for path in pages:
        text = client.get(path, follow_redirects=True).text
        [block] = re.findall('<script type="application/ld[+]json">(.*?)</script>', text)
        check_structured_data(json.loads(block))
    assert '"@type":"WebPage"' in client.get(f"/animals/{ids[0]}-rusty").text
    assert '"@type":"ItemList"' in client.get("/").text


SHARED = ("title", "description", "url", "image", "image:type", "image:width", "image:height", "image:alt")


def test_every_public_page_can_be_shared_with_a_picture(client: FlaskClient, elm_road: Project) -> None:
    factories.animal(elm_road, photos=1)
    guides = ("/how-adoption-works", "/help", "/privacy", "/accessibility")
    paths = ("/", "/?species=dog&cats=yes", f"/?shelter={elm_road.slug}", "/shelters", *guides)
    for host in ("localhost", f"{elm_road.slug}.localhost"):
        for path in paths if host == "localhost" else ("/", *guides):
            page = ParsedPage(client.get(path, headers={"Host": host}).text)
            assert all(page.meta(f"og:{name}") for name in SHARED), path
            assert page.meta("og:image:type") == "image/jpeg"
            assert page.meta("twitter:card") == "summary_large_image"
    assert "-share.jpeg" in (ParsedPage(client.get("/?species=dog").text).meta("og:image") or "")


@pytest.mark.parametrize(
    ("path", "canonical", "robots"),
    [
        ("/?species=dog&shown=48&sort=waiting", ["http://localhost/?species=dog"], None),
        ("/?q=biscuit", [], "noindex, follow"),
        ("/nowhere", [], "noindex"),
        ("/shelters?q=elm", ["http://localhost/shelters"], None),
    ],
)
@pytest.mark.usefixtures("elm_road")
def test_each_page_has_one_canonical_url(
    client: FlaskClient, path: str, canonical: list[str], robots: str | None
) -> None:
    page = ParsedPage(client.get(path).text)
    assert [given["href"] for given in page.all("link", rel="canonical")] == canonical
    assert page.meta("robots") == robots


def test_a_shelters_animals_are_shown_under_its_name_and_contact(
    client: FlaskClient, elm_road: Project
) -> None:
    page = client.get(f"/?shelter={elm_road.slug}").text
    assert "Elm Road Rescue" in page.partition("</title>")[0]
    assert '<h1 dir="auto">Elm Road Rescue</h1>' in page
    assert f'href="http://{elm_road.slug}.localhost:8000/"' in page
    assert elm_road.contact_email in page


def test_a_site_is_the_home_of_its_own_pages(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    answer = client.get(f"/animals/{id_}-biscuit", headers={"Host": f"{elm_road.slug}.localhost"})
    page = ParsedPage(answer.text)
    address = f"http://localhost:8000/animals/{id_}-biscuit"
    assert [given["href"] for given in page.all("link", rel="canonical")] == [address]
    assert page.meta("og:site_name") == "Elm Road Rescue"
    assert page.all("a", href="/?shelter=elm-road-rescue") == []


def test_html_in_structured_data_is_escaped() -> None:
    block = data_block({"name": "</script><!--<script>&"})
    assert not set(block) & set("<>&")
    assert json.loads(block) == {"name": "</script><!--<script>&"}
