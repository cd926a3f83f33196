import json
import re

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.projects.models import Project
from portal.previews import data_block
from tests import factories
from tests.pages import Parsed, see

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    return factories.project(place="Ely", currency="GBP")


def test_the_page_tells_programs_what_it_is(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(
        elm_road,
        "Biscuit",
        photos=2,
        category_id=2,
        breed_primary="Domestic shorthair",
        fee_cents=9550,
        description="Loves *string* " + "and more " * 40,
    )
    page = see(client, id_, "-biscuit?photo=2")
    title, address = "Biscuit, domestic shorthair cat in Ely", f"http://localhost/animals/{id_}-biscuit"
    assert page.text.startswith(title)
    assert [given["href"] for given in page.all("link", rel="canonical")] == [address]
    description = page.meta("description") or ""
    assert description.startswith("Loves string and more")
    assert len(description) <= 160
    told = {name: page.meta(f"og:{name}") for name in ("title", "url", "type", "site_name", "description")}
    assert told == {
        "title": title,
        "url": address,
        "type": "website",
        "site_name": "Homeward",
        "description": description,
    }
    image = page.meta("og:image") or ""
    assert re.fullmatch(r"http://localhost/media/[0-9a-f]{64}-800\.webp", image)
    assert (page.meta("og:image:width"), page.meta("og:image:height")) == ("800", "600")
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
def test_programs_are_told_of_the_status(
    client: FlaskClient, elm_road: Project, status: str, availability: str
) -> None:
    page = see(client, factories.animal(elm_road, status=status, fee_cents=0))
    offer = page.data["Product"]["offers"]
    assert (offer["availability"], offer["price"]) == (f"https://schema.org/{availability}", "0.00")


def test_no_price_is_no_offer(client: FlaskClient, elm_road: Project) -> None:
    assert "offers" not in see(client, factories.animal(elm_road)).data["Product"]


def test_a_site_is_the_home_of_its_own_pages(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    answer = client.get(f"/animals/{id_}-biscuit", headers={"Host": f"{elm_road.slug}.localhost"})
    page = Parsed(answer.text)
    address = f"http://elm-road-rescue.localhost/animals/{id_}-biscuit"
    assert [given["href"] for given in page.all("link", rel="canonical")] == [address]
    assert page.meta("og:site_name") == "Elm Road Rescue"
    assert page.all("a", href="/?shelter=elm-road-rescue") == []


def test_nothing_can_break_out_of_a_data_block() -> None:
    block = data_block({"name": "</script><!--<script>&"})
    assert not set(block) & set("<>&")
    assert json.loads(block) == {"name": "</script><!--<script>&"}
