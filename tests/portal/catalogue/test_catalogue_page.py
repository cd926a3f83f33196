import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption.accounts.account_creation import create_account
from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import Animal
from adoption.projects.models import Deploy, Project
from adoption.projects.publication import publish_site
from adoption.storage.database import reading, transaction
from portal.animal_labels import SPECIES, age_in_words
from portal.catalogue.filters import PAGE_SIZE
from tests import factories

HOSTILE = '"><img src=x onerror=alert(1)>'
NOW = datetime(2026, 11, 28, tzinfo=UTC)


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    """A shelter whose site is published."""
    _, project = create_account("Elm Road Rescue", "owner@example.org")
    with transaction() as session:
        session.execute(update(Project).values(place="Alderbrook"))
    publish_site(project.slug)
    return project


def add(project: Project, name: str = "Biscuit", **rest: Any) -> int:
    with transaction() as session:
        known = {"category_id": 1, "status": "available", "created_at": NOW, "updated_at": NOW, **rest}
        animal = Animal(project_id=project.id, name=name, **known)
        session.add(animal)
        session.flush()
        return animal.id


def ids(project: Project) -> dict[str, int]:
    with reading() as session:
        rows = session.execute(select(Animal.name, Animal.id).where(Animal.project_id == project.id))
        return {row[0]: row[1] for row in rows}


def names(page: str) -> list[str]:
    return re.findall(r'<h3 class="animal-card-name" dir="auto"><a [^>]*>(.*?)</a></h3>', page)


def next_page(page: str) -> str | None:
    found = re.search(r'rel="next" href="(.*?)(?:#.*?)?"', page)
    return found[1].replace("&amp;", "&") if found else None


def test_a_card_has_name_place_and_facts(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Juno", breed_primary="German shepherd", sex="female", size="large")
    page = client.get("/").text
    assert names(page) == ["Juno"]
    for found in ("German shepherd", "Female", "Large", "Elm Road Rescue, Alderbrook", "Available"):
        assert found in page
    assert 'alt="No photo of Juno yet"' in page
    assert "1 animal</h2>" in page


def test_unknown_facts_are_left_out(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Nobody", category_id=3)
    page = client.get("/").text
    assert '<p class="animal-card-breed" dir="auto">Rabbit</p>' in page
    assert "facts-line" not in page
    assert "None" not in page


@pytest.mark.parametrize(
    ("breed", "found"),
    [
        ({"breed_primary": "Beagle"}, "Beagle"),
        ({"breed_primary": "Beagle", "breed_mixed": True}, "Beagle cross"),
        (
            {"breed_primary": "Beagle", "breed_secondary": "Pug", "breed_mixed": True},
            "Beagle and Pug cross",
        ),
        ({"breed_unknown": True, "breed_mixed": True}, "Dog, mixed breed"),
        ({"breed_unknown": True}, "Dog"),
    ],
)
def test_breeds_in_words(client: FlaskClient, elm_road: Project, breed: dict[str, Any], found: str) -> None:
    add(elm_road, **breed)
    assert f'dir="auto">{found}</p>' in client.get("/").text


@pytest.mark.parametrize(
    ("birth", "found"),
    [
        (date(2026, 11, 27), "1 day"),
        (date(2026, 9, 5), "12 weeks"),
        (date(2026, 7, 28), "4 months"),
        (date(2025, 11, 29), "11 months"),
        (date(2025, 11, 28), "1 year"),
        (date(2000, 2, 29), "26 years"),
        (date(2027, 1, 1), ""),
        (None, ""),
    ],
)
def test_ages_in_words(birth: date | None, found: str) -> None:
    today = date(2026, 11, 28)
    assert age_in_words(birth, estimated=False, today=today) == found
    assert age_in_words(birth, estimated=True, today=today) == (found and f"About {found}")


def test_a_card_names_the_bonded_animals(client: FlaskClient, elm_road: Project) -> None:
    pair = factories.bond(elm_road)
    for name in ("Tango", "Tilly"):
        add(elm_road, name, bond_id=pair)
    add(elm_road, "Gone", bond_id=pair, status="sold")
    add(elm_road, "Hidden", bond_id=pair, listed=False)
    page = client.get("/").text
    assert re.findall("With <bdi>(.*?)</bdi>", page) == ["Tango", "Tilly"]
    assert "Available</span>" not in page


@pytest.mark.parametrize(("status", "badge"), [("pending", "Adoption pending"), ("sold", "Adopted")])
def test_statuses_in_words(client: FlaskClient, elm_road: Project, status: str, badge: str) -> None:
    add(elm_road, status=status)
    page = client.get(f"/?status={status}").text
    assert f"</svg>{badge}</span>" in page
    assert ">sold<" not in page.lower()


def test_a_hidden_animal_is_never_shown(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Hidden", listed=False)
    add(elm_road, "Shown")
    for address in ("/", "/?species=dog", "/?after=9223372036854775807"):
        assert names(client.get(address).text) == ["Shown"]


def test_an_unpublished_projects_animals_are_never_shown(client: FlaskClient, elm_road: Project) -> None:
    _, quiet = create_account("Not Yet Open", "quiet@example.org")
    add(quiet, "Early")
    add(elm_road, "Shown")
    for address in ("/", "/?species=dog", "/?after=9223372036854775807"):
        page = client.get(address).text
        assert names(page) == ["Shown"]
        assert "Not Yet Open" not in page


def test_the_newest_animals_come_first(client: FlaskClient, elm_road: Project) -> None:
    for name in ("First", "Second", "Third"):
        add(elm_road, name)
    assert names(client.get("/").text) == ["Third", "Second", "First"]


def test_every_category_has_a_species_of_its_own(client: FlaskClient, elm_road: Project) -> None:
    assert {species.category_id for species in SPECIES} == set(CATEGORIES)
    for category_id, name in CATEGORIES.items():
        add(elm_road, f"One {category_id}", category_id=category_id, breed_primary=name)
    for species in SPECIES:
        page = client.get(f"/?species={species.slug}").text
        assert names(page) == [f"One {species.category_id}"]
        assert f"1 {species.one}</h2>" in page


def test_the_chosen_species_is_marked(client: FlaskClient, elm_road: Project) -> None:
    chosen = re.compile(r'name="species" value="(\w*)" checked')
    assert chosen.findall(client.get("/?species=cat").text) == ["cat"]
    assert chosen.findall(client.get("/").text) == [""]


def test_paging_shows_each_animal_once(client: FlaskClient, elm_road: Project) -> None:
    expected = [f"Number {n}" for n in range(2 * PAGE_SIZE + 5)]
    for name in expected:
        add(elm_road, name, category_id=2)
        add(elm_road, "Another", category_id=1)
    address: str | None = "/?species=cat"
    shown: list[int] = []
    while address:
        assert "species=cat" in address
        page = client.get(address).text
        shown.append(len(names(page)))
        address = next_page(page)
    assert names(page) == expected[::-1]
    assert shown == [PAGE_SIZE, 2 * PAGE_SIZE, 2 * PAGE_SIZE + 5]


def test_a_new_animal_does_not_shift_later_pages(client: FlaskClient, elm_road: Project) -> None:
    for n in range(PAGE_SIZE + 1):
        add(elm_road, f"Number {n}")
    oldest_shown = names(client.get("/").text)[-1]
    add(elm_road, "Newcomer")
    behind = ids(elm_road)[oldest_shown]
    assert names(client.get(f"/?after={behind}").text) == ["Number 0"]


def test_a_full_last_page_has_no_next_link(client: FlaskClient, elm_road: Project) -> None:
    for n in range(PAGE_SIZE):
        add(elm_road, f"Number {n}")
    page = client.get("/").text
    assert len(names(page)) == PAGE_SIZE
    assert next_page(page) is None


def test_a_page_after_the_last_animal_links_back(client: FlaskClient, elm_road: Project) -> None:
    oldest = add(elm_road)
    page = client.get(f"/?after={oldest}")
    assert page.status_code == 200
    assert "You have seen them all" in page.text
    assert 'href="/"' in page.text


def test_an_empty_catalogue_has_a_next_step(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "No animals yet" in page.text
    assert "/docs/" in page.text


def test_a_species_without_animals_links_to_other_species(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road)
    page = client.get("/?species=fish").text
    assert "No fish match" in page
    assert "Follow this search in a feed reader" in page
    assert "These animals are waiting now" in page
    assert "See all animals" in page


@pytest.mark.parametrize(
    "query",
    [
        "after=x",
        "after=0",
        "after=-1",
        "after=1.0",
        "after=%2B1",
        "after=1_0",
        "after=%D9%A1",
        "after=9223372036854775808",
        "after=" + "9" * 3000,
        "shelter=" + HOSTILE,
    ],
)
def test_a_broken_link_gets_a_page_with_a_next_step(
    client: FlaskClient, elm_road: Project, query: str
) -> None:
    page = client.get(f"/?{query}")
    assert page.status_code == 404
    assert "See all animals" in page.text
    assert "species=cat" in page.text
    assert "<img src=x" not in page.text


@pytest.mark.parametrize(
    "query",
    [
        *("utm_source=email", "species=", "after=", "page=2", "%00=%00", "&&=&"),
        *("species=dragon", "species=1", "species=%00", "species=%ff%fe", "species=" + "a" * 3000),
        "species=" + HOSTILE,
    ],
)
def test_unknown_parameters_are_ignored(client: FlaskClient, elm_road: Project, query: str) -> None:
    add(elm_road)
    page = client.get(f"/?{query}", follow_redirects=True)
    assert page.status_code == 200
    assert names(page.text) == ["Biscuit"]
    assert "<img src=x" not in page.text


def test_html_in_texts_is_escaped(client: FlaskClient, elm_road: Project) -> None:
    with transaction() as session:
        session.execute(update(Deploy).values(name=HOSTILE, place="{{ 7*7 }}<script>"))
    add(elm_road, HOSTILE, breed_primary=HOSTILE)
    page = client.get("/").text
    assert "<img src=x" not in page
    assert "<script>" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "{{ 7*7 }}" in page


def test_text_has_its_own_writing_direction(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "שוקו")
    assert names(client.get("/").text) == ["שוקו"]


def test_an_unchanged_page_is_a_304(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road)
    first = client.get("/")
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    add(elm_road, "Newcomer")
    assert client.get("/", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
