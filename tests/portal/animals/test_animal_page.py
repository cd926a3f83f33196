import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.animals.models import Animal, CareRecord
from adoption.animals.page_paths import animal_path
from adoption.projects.models import Project
from adoption.storage.database import transaction
from portal.phone_links import tel_number
from tests import factories
from tests.factories import remove_animals
from tests.pages import ParsedPage, open_animal_page

pytestmark = pytest.mark.settings("embedded")

HOSTILE = '"><img src=x onerror=alert(1)>'
TODAY = date(2026, 11, 28)


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    texts = {
        "place": "Ely",
        "currency": "GBP",
        "about": "A barn, *eleven* kennels.",
        "contact_phone": "+44 1632 960144",
        "contact_email": "hello@elmroad.example",
    }
    return factories.project("Elm Road Rescue", **texts)


def facts(page: ParsedPage, html: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd><bdi>(.*?)</bdi></dd>", unescape(html)))


# The animal's URL


def test_an_animal_has_one_canonical_url(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, "Sir Éclair III")
    right = f"/animals/{id_}-sir-eclair-iii"
    assert client.get(right).status_code == 200
    for other in ("", "-", "-sir", "-SIR-ECLAIR-III", "-%D7%A9", "-sir-eclair-iii%00"):
        answer = client.get(f"/animals/{id_}{other}?photo=2&utm=a%20b")
        assert (answer.status_code, answer.headers["Location"]) == (301, f"{right}?photo=2&utm=a%20b")
        assert answer.headers["Cache-Control"] == "no-cache"
    assert client.get(f"/animals/0{id_}-sir-eclair-iii").headers["Location"] == right


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Biscuit & Crumble", "-biscuit-crumble"),
        ("שוקו", "-shvqv"),
        ("小白", "-xiao-bai"),
        ("🐶", ""),
        ("--- !!! ---", ""),
        ("&#99999999999; &amp; <b>", "-99999999999-b"),
        (HOSTILE, "-img-src-x-onerror-alert-1"),
        ("a" * 200, f"-{'a' * 60}"),
    ],
)
def test_every_name_makes_a_valid_slug(client: FlaskClient, elm_road: Project, name: str, slug: str) -> None:
    id_ = factories.animal(elm_road, name)
    assert animal_path(id_, name) == f"/animals/{id_}{slug}"
    assert client.get(f"/animals/{id_}{slug}").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "9",
        "0",
        "9223372036854775807-x",
        "9223372036854775808-x",
        "9" * 300,
        "-1",
        "+1",
        "1.0",
        "1_0",
        "%D9%A1",
        "%00",
        "%FF%FE",
        "biscuit",
        "1biscuit",
        "' OR 1=1",
        "1%2F..%2F2",
    ],
)
def test_an_invalid_animal_url_is_404(client: FlaskClient, address: str) -> None:
    page = client.get(f"/animals/{address}")
    assert page.status_code == 404
    assert "Page not found" in page.text


@pytest.mark.parametrize(
    "query",
    [
        "photo=9",
        "photo=0",
        "photo=-1",
        "photo=x",
        "photo=%00",
        "photo=%D9%A2",
        "photo=" + "9" * 5000,
        "photo=2&photo=1&a=%FF",
    ],
)
def test_an_odd_query_still_shows_the_page(client: FlaskClient, elm_road: Project, query: str) -> None:
    id_ = factories.animal(elm_road)
    assert client.get(f"/animals/{id_}-biscuit?{query}").status_code == 200
    moved = client.get(f"/animals/{id_}?{query}")
    assert moved.status_code == 301
    assert moved.headers["Location"].isascii()


# Visible and hidden animals


def test_hidden_animals_are_404(client: FlaskClient, elm_road: Project) -> None:
    quiet = factories.project("Not Yet Open", published=False)
    for id_ in (factories.animal(elm_road, "Secret", listed=False), factories.animal(quiet, "Secret")):
        for path in (f"/animals/{id_}", f"/animals/{id_}-secret"):
            answer = client.get(path)
            assert answer.status_code == 404
            assert "Secret" not in answer.text


def test_private_fields_are_never_on_the_page(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, photos=1)
    private = {column.name: f"private-{column.name}" for column in CareRecord.__table__.columns}
    private |= {"animal_id": id_, "on_hold": True, "in_quarantine": True, "microchip": "985112004567890"}
    with transaction() as session:
        session.add(CareRecord(**private))
    page = client.get(f"/animals/{id_}-biscuit").text
    for found in ("private-", "985112004567890", "quarantine", "microchip", "surrender"):
        assert found not in page.lower()


def test_an_animal_of_another_shelter_is_404_on_a_site(client: FlaskClient, elm_road: Project) -> None:
    other = factories.project("Harbour Cats")
    ours, theirs = factories.animal(elm_road, "Ours"), factories.animal(other, "Theirs")
    host = {"Host": f"{elm_road.slug}.localhost"}
    assert client.get(f"/animals/{ours}-ours", headers=host).status_code == 200
    answer = client.get(f"/animals/{theirs}-theirs", headers=host)
    assert answer.status_code == 404
    assert "Theirs" not in answer.text
    remove_animals(other.id, [theirs])
    assert client.get(f"/animals/{theirs}-theirs", headers=host).status_code == 404


# Facts on the page


def test_the_page_describes_the_animal(client: FlaskClient, elm_road: Project) -> None:
    today = datetime.now(UTC).date()
    id_ = factories.animal(
        elm_road,
        "Biscuit",
        category_id=2,
        breed_primary="Domestic shorthair",
        sex="female",
        altered=True,
        birth_date=today - timedelta(weeks=12),
        size="small",
        coat="short",
        colours="Ginger",
        house_trained=True,
        special_needs=True,
        special_needs_note="A pill a day.",
        fee_cents=9500,
        code="K11",
        arrival_date=today - timedelta(days=25),
        description="Loves *string*.",
    )
    answer = client.get(f"/animals/{id_}-biscuit")
    page = ParsedPage(answer.text)
    assert facts(page, answer.text) == {
        "Age": "12 weeks, baby",
        "Sex": "Female, spayed",
        "Breed": "Domestic shorthair",
        "Size": "Small",
        "Coat": "Short",
        "Colour": "Ginger",
        "House trained": "Yes",
        "Special needs": "Yes",
        "Adoption fee": "£95",
        "Reference": "K11",
    }
    for found in (
        "Domestic shorthair kitten, waiting for 3 weeks",
        "Available",
        "What Biscuit needs A pill a day.",
        "About Biscuit Loves string.",
        "In the care of Elm Road Rescue A barn, eleven kennels. Ely +44 1632 960144 hello@elmroad.example",
        "Apply to adopt Biscuit",
    ):
        assert found in page.text
    links = {given.get("href") for given in page.all("a")}
    assert {
        "/?species=cat",
        "/?shelter=elm-road-rescue",
        "tel:+441632960144",
        "mailto:hello@elmroad.example",
        "#apply",
    } <= links


def test_unknown_facts_are_left_out(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, "Nobody", category_id=8)
    answer = client.get(f"/animals/{id_}-nobody")
    assert "facts-table" not in answer.text
    assert "about-title" not in answer.text
    for never in ("None", "can live with", "waiting for", "Adoption fee"):
        assert never not in ParsedPage(answer.text).text
    assert '<p class="lead"><bdi>Reptile</bdi></p>' in answer.text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("+44 1632 960144", "+441632960144"),
        ("(01632) 960-144", "01632960144"),
        ("01632 960144 or 960145", ""),
        ("ask for Sam", ""),
        ("", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_only_a_phone_number_gets_a_tel_link(text: str, number: str) -> None:
    assert tel_number(text) == number


def test_a_bonded_pair_is_shown_and_applied_for_together(client: FlaskClient, elm_road: Project) -> None:
    bond = factories.bond(elm_road)
    biscuit = factories.animal(elm_road, "Biscuit", bond_id=bond)
    crumble = factories.animal(elm_road, "Crumble", bond_id=bond)
    page = open_animal_page(client, biscuit)
    assert "Bonded with Crumble" in page.text
    assert "Apply to adopt Biscuit and Crumble" in page.text
    assert {"href": f"/animals/{crumble}-crumble"} in page.all("a")
    with transaction() as session:
        session.get_one(Animal, crumble).status = "sold"
    assert "Apply to adopt Biscuit Share" in open_animal_page(client, biscuit).text


# Adopted and removed animals


def test_an_adopted_animals_page_shows_similar_available_animals(
    client: FlaskClient, elm_road: Project
) -> None:
    id_ = factories.animal(elm_road, "Juno", status="sold", fee_cents=100, arrival_date=date(2026, 1, 1))
    factories.animal(elm_road, "Domino")
    page = open_animal_page(client, id_)
    assert "Juno is in a new home" in page.text
    assert "Other dogs who are waiting" in page.text
    assert "Domino" in page.text
    for never in ("Apply to adopt", "Adoption fee", "months"):
        assert never not in page.text
    assert page.all("form", method="post") == []


def test_a_pending_animal_can_still_be_applied_for(client: FlaskClient, elm_road: Project) -> None:
    page = open_animal_page(client, factories.animal(elm_road, status="pending"))
    assert "Adoption pending" in page.text
    assert "Apply to adopt Biscuit" in page.text


def test_a_removed_animals_page_is_410_and_shows_available_animals(
    client: FlaskClient, elm_road: Project
) -> None:
    id_ = factories.animal(elm_road, "Juno", category_id=2, description="Private now.")
    factories.animal(elm_road, "Waits", category_id=2)
    factories.animal(elm_road, "Taken", category_id=2, status="sold")
    factories.animal(elm_road, "Dog")
    remove_animals(elm_road.id, [id_])
    for path in (f"/animals/{id_}", f"/animals/{id_}-juno", f"/animals/{id_}-anything?photo=2"):
        answer = client.get(path)
        assert answer.status_code == 410
        page = ParsedPage(answer.text)
        assert "This cat is no longer listed" in page.text
        assert re.findall(r'class="animal-card-name" dir="auto"><a href="\S+">(\w+)<', answer.text) == [
            "Waits"
        ]
        assert page.meta("robots") == "noindex"
        assert page.all("link", rel="canonical") == []
        assert "Juno" not in answer.text


def test_the_410_page_without_other_animals_has_links(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, category_id=9)
    remove_animals(elm_road.id, [id_])
    page = open_animal_page(client, id_, status=410)
    assert "The shelter has removed the page." in page.text
    assert {"/?species=fish"} <= {given.get("href") for given in page.all("a")}


# Photos


def test_each_photo_has_a_link_that_works_without_javascript(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, photos=3)
    page = open_animal_page(client, id_, "-biscuit?photo=2")
    here = f"/animals/{id_}-biscuit?photo="
    thumbs = [given for given in page.all("a") if given.get("data-photo")]
    assert [given["href"] for given in thumbs] == [f"{here}{n}#photo-{n}" for n in (1, 2, 3)]
    assert [given["data-photo"] for given in thumbs if given.get("aria-current")] == ["2"]
    assert [given["id"] for given in page.all("li") if given.get("id", "").startswith("photo-")] == [
        "photo-1",
        "photo-2",
        "photo-3",
    ]
    steps = [given["href"] for given in page.all("a", **{"class": "gallery-step"})]
    assert steps == [f"{here}1#photo-1", f"{here}3#photo-3"]


def test_a_photo_without_alt_text_gets_a_default(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, "Juno", breed_primary="German shepherd")
    with transaction() as session:
        session.add(factories.photo(id_, 0))
        session.add(factories.photo(id_, 1, alt="Asleep on a red cushion"))
    alts = [given.get("alt") for given in open_animal_page(client, id_).all("img")]
    assert "Photo of Juno, German shepherd dog" in alts
    assert "Photo 2 of 2: Asleep on a red cushion" in alts
    assert (
        open_animal_page(client, id_, "-juno?photo=2").meta("og:image:alt")
        == "Photo of Juno, German shepherd dog"
    )


def test_an_animal_without_a_photo_has_an_icon_of_its_species(client: FlaskClient, elm_road: Project) -> None:
    page = open_animal_page(client, factories.animal(elm_road, "Rusty"))
    assert page.all("img", alt="No photo of Rusty yet")
    assert (page.meta("og:image") or "").startswith("http://localhost/static/brand/share.jpg")


# Texts of shelters


@pytest.mark.parametrize(
    "name", [HOSTILE, "שוקו", "🐶🏳️‍🌈", "N" * 200, "</script><!--", "{{ 7*7 }}", "O'Malley & Co"]
)
def test_html_in_a_name_is_escaped(client: FlaskClient, elm_road: Project, name: str) -> None:
    bond = factories.bond(elm_road)
    id_ = factories.animal(
        elm_road, name, breed_primary=name[:100], colours=name, code=name[:100], bond_id=bond, fee_cents=0
    )
    factories.animal(elm_road, name, bond_id=bond)
    factories.animal(elm_road, name)
    page = open_animal_page(client, id_)
    assert f"Apply to adopt {name} and {name}" in page.text
    assert page.data["Product"]["name"] == name
    assert (page.meta("og:title") or "").startswith(f"{name}, {name[:100]}")
    assert page.all("img", src="x") == []
    assert not [given for _, given in page.elements if "onerror" in given]
    assert {given.get("type") for given in page.all("script") if not given.get("src")} == {
        "application/ld+json"
    }


def test_html_in_a_shelters_texts_is_escaped(client: FlaskClient, app: APIFlask) -> None:
    texts = dict.fromkeys(("place", "about", "contact_phone", "contact_email"), HOSTILE)
    hostile = factories.project(HOSTILE, **texts)
    page = open_animal_page(client, factories.animal(hostile))
    assert page.all("img", src="x") == []
    assert page.text.count(HOSTILE) >= 5


def test_an_animal_can_be_shared_without_javascript(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, "Tom & Jerry?")
    links = [given.get("href") or "" for given in open_animal_page(client, id_).all("a")]
    address = f"http%3A%2F%2Flocalhost%2Fanimals%2F{id_}-tom-jerry"
    assert f"mailto:?subject=Meet%20Tom%20%26%20Jerry%3F&body={address}" in links
    assert f"https://wa.me/?text=Meet%20Tom%20%26%20Jerry%3F%20{address}" in links


@pytest.mark.parametrize("text", [HOSTILE, "</script><!--", "[x](javascript:alert(1))", "[" * 30_000])
def test_html_in_a_description_is_escaped(client: FlaskClient, elm_road: Project, text: str) -> None:
    id_ = factories.animal(elm_road, description=text, special_needs_note=text)
    page = open_animal_page(client, id_)
    assert [given for given in page.all("img") if given.get("alt") != "No photo of Biscuit yet"] == []
    assert not [given for _, given in page.elements if "onerror" in given or "style" in given]
    assert not [given for given in page.all("a") if (given.get("href") or "").startswith("javascript")]
    assert page.all("script", type="application/ld+json")


# Caching


def test_an_unchanged_page_is_a_304(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    first = client.get(f"/animals/{id_}-biscuit")
    assert first.headers["Cache-Control"] == "private, no-cache"
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"/animals/{id_}-biscuit", headers=tag).status_code == 304
    with transaction() as session:
        session.get_one(Animal, id_).status = "pending"
    assert client.get(f"/animals/{id_}-biscuit", headers=tag).status_code == 200


def test_each_visit_gets_a_different_application_form(client: FlaskClient, elm_road: Project) -> None:
    id_ = factories.animal(elm_road, description="not-sealed-yet")
    seals = {open_animal_page(client, id_).all("input", name="form")[0]["value"] for _ in range(3)}
    assert len(seals) == 3
    assert "About Biscuit not-sealed-yet" in open_animal_page(client, id_).text
