"""Words that become filters, the order of results, and suggestions on a page without results."""

import re
from html import unescape
from importlib import import_module
from typing import Any
from urllib.parse import quote_plus

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from flask.testing import FlaskClient
from sqlalchemy import select, text, update

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.bonds import set_mates
from adoption.animals.indexed_words import words_to_index
from adoption.animals.models import Animal
from adoption.animals.query.filter_words import KIND_WORDS, MEANINGS
from adoption.animals.query.segments import WORDS_MOST, TypedQuery
from adoption.animals.query.synonyms import BREED_NAMES
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import transaction
from portal.catalogue.filters import PAGE_SIZE, PAGE_SIZE_MOST
from tests import factories
from tests.cast import Shelter
from tests.factories import NOW
from tests.pages import names_on_cards
from tests.portal.catalogue.test_search import add


def page_of(client: FlaskClient, question: str, more: str = "", **headers: str) -> str:
    page = client.get(f"/?q={quote_plus(question)}{more}", headers=headers)
    assert page.status_code == 200
    return page.text


def chips(page: str) -> dict[str, str]:
    """Return the text and link of each chip."""
    found = re.findall(r'class="applied-filter" href="(.*?)">(.*?)</a>', page, re.DOTALL)
    return {
        " ".join(re.sub(r"<[^>]+>", " ", messages).split()).removeprefix("Remove "): unescape(link)
        for link, messages in found
    }


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("question", "more", "expected"),
    [
        ("dogs", "", {"Dogs from “ dogs ”": "/"}),
        (
            "kitten",
            "&sex=female",
            {
                "Cats from “ kitten ”": "/?sex=female&age=baby",
                "Baby, under 1 year from “ kitten ”": "/?species=cat&sex=female",
                "Female": "/?q=kitten",
            },
        ),
        (
            "calm dog good with kids and cats",
            "",
            {
                "“ calm ”": "/?q=dog+good+with+kids+and+cats",
                "Dogs from “ dog ”": "/?q=calm+good+with+kids+and+cats",
                "Good with children from “ kids ”": "/?q=calm+dog+good+with+cats",
                "Good with cats from “ cats ”": "/?q=calm+dog+good+with+kids",
            },
        ),
        (
            "female cats or dogs",
            "",
            {
                "Cats or dogs": "/?q=female",
                "Female from “ female ”": "/?q=cats+or+dogs",
            },
        ),
        ("cats", "&species=dog", {}),
        ("dogs", "&species=dog", {}),
        ('"dogs"', "", {'“ "dogs" ”': "/"}),
    ],
)
def test_a_chip_names_the_words_of_its_filter_and_its_link_removes_them(
    client: FlaskClient, shelter: Shelter, question: str, more: str, expected: dict[str, str]
) -> None:
    page = page_of(client, question, more)
    assert chips(unescape(page)) == expected
    assert f'value="{question}"'.replace('""', '"') in unescape(page).replace('""', '"')


@pytest.mark.settings("embedded")
def test_after_a_filter_is_removed_the_focus_is_on_the_next_one_or_on_the_results(
    client: FlaskClient, shelter: Shelter
) -> None:
    add(shelter, "Rex")
    page = page_of(client, "dogs", "&sex=male&age=adult")
    assert re.findall(r'<a id="chip-(\d)" hx-get="([^"]+)" hx-target="#results"', page) == [
        ("0", "/?sex=male&amp;age=adult"),
        ("1", "/?q=dogs&amp;age=adult"),
        ("2", "/?q=dogs&amp;sex=male"),
    ]
    for trigger, more, focused in (
        ("chip-0", "&sex=male&age=adult", ["0"]),
        ("chip-2", "&sex=male", ["1"]),
        ("chip-0", "", ["0"]),
        ("filters", "&sex=male", []),
    ):
        headers = {"HX-Request": "true", "HX-Target": "results", "HX-Trigger": trigger}
        part = client.get(f"/?q=dogs{more}", headers=headers)
        assert "HX-Trigger" in part.headers["Vary"]
        assert re.findall(r'<a id="chip-(\d)"[^>]* data-focus ', part.text) == focused, (trigger, more)
        assert part.text.count("data-focus") == len(focused)
        assert ('data-query="dogs"' in part.text) == bool(focused)
    last = client.get("/", headers=headers | {"HX-Trigger": "chip-0"}).text
    assert re.findall(r"<[^>]*data-focus[^>]*>", last) == [
        '<h2 class="result-count" tabindex="-1" data-focus id="found">'
    ]
    assert 'data-query=""' in last


@pytest.mark.settings("embedded")
def test_a_chosen_filter_overrides_words_and_the_page_says_so(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Rex")
    add(shelter, "Tom", category_id=2)
    assert names_on_cards(page_of(client, "dogs", "&species=dog")) == ["Rex"]
    page = page_of(client, "cats", "&species=dog")
    assert names_on_cards(page) == ["Rex"]
    assert "“<bdi>cats</bdi>” is not used" in page


@pytest.mark.settings("embedded")
def test_negations_in_a_query_are_ignored_and_the_page_says_so(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Rex", size="large")
    add(shelter, "Tom", category_id=2)
    for question, ignored, found in (
        ("cats not from elm road", "not from elm road", ["Tom"]),
        ("no large dogs", "no large dogs", ["Tom", "Rex"]),
        ("without cats and dogs", "without cats", ["Rex"]),
        ("dogs not good with cats", "not good with cats", ["Rex"]),
        ("non shedding dog", "non shedding", ["Rex"]),
        ("cats non-reactive", "non-reactive", ["Tom"]),
    ):
        page = page_of(client, question)
        messages = (
            f"Search cannot leave animals out, so “<bdi>{ignored}</bdi>” was ignored. Use Filters instead."
        )
        assert messages in page
        assert names_on_cards(page) == found, question
    assert "Without <bdi>“not" not in page_of(client, "zzzzz kitten not black")
    assert "was ignored" not in page_of(client, '"no large dogs"')
    add(shelter, "Home")
    assert names_on_cards(page_of(client, "home")) == ["Home"]
    assert "From your search" in page_of(client, "dogs")


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("question", "group", "offered"),
    [
        ("less than 1 year", "baby", []),
        ("under 1", "baby", []),
        ("over eight", "senior", []),
        ("under 2", "", ["baby", "young"]),
        ("younger than one", "baby", []),
        ("6 months and under", "baby", []),
        ("older than 8", "senior", []),
        ("10 years or older", "senior", []),
        ("8+ years", "senior", []),
        ("about 2 years", "young", []),
        ("3+ yrs old", "", ["adult", "senior"]),
        ("under 2 years", "", ["baby", "young"]),
        ("at least 3 years old", "", ["adult", "senior"]),
        ("over 5 yrs", "", ["adult", "senior"]),
        ("under 10 years", "", ["baby", "young", "adult", "senior"]),
    ],
)
def test_a_range_of_ages_is_a_filter_only_within_one_age_group(
    client: FlaskClient, shelter: Shelter, question: str, group: str, offered: list[str]
) -> None:
    add(shelter, "Rex")
    add(shelter, "Tom", category_id=2)
    page = unescape(page_of(client, f"dogs {question}"))
    assert (f"from “<bdi>{question}</bdi>”" in page) == bool(group)
    assert (f'value="{group}">' in page) or not group
    assert (f"“<bdi>{question}</bdi>” covers more than one age group, so it was ignored." in page) == (
        not group
    )
    assert re.findall(r'<a href="/\?q=dogs&age=(\w+)">', page) == offered
    if not group:
        assert names_on_cards(page) == ["Rex"], "the other words still count"
        assert names_on_cards(page_of(client, question)) == ["Tom", "Rex"]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("question", ["under 20 kg", "under 200", "over 8 pounds"])
def test_a_number_that_is_not_an_age_is_a_search_word(
    client: FlaskClient, shelter: Shelter, question: str
) -> None:
    add(shelter, "Rex")
    page = unescape(page_of(client, f"dogs {question}"))
    assert "age group" not in page
    assert f"“<bdi>{question}</bdi>”" in page


def test_bonded_animals_are_found_by_the_word_bonded(client: FlaskClient, shelter: Shelter) -> None:
    for name in ("Salt", "Pepper", "James Bond"):
        add(shelter, name)
    with transaction() as session:
        ids = list(session.scalars(select(Animal.id).order_by(Animal.id)))

    def bond_to(*mates: int) -> None:
        with transaction() as session:
            set_mates(session, session.get_one(Animal, ids[0]), mates, NOW)

    bond_to(ids[1])
    for question in ("bonded", "bonded pair", "bonded pairs", "pair of dogs"):
        assert sorted(names_on_cards(page_of(client, question))) == ["Pepper", "Salt"], question
    assert names_on_cards(page_of(client, "bond"))[0] == "James Bond"
    bond_to()
    assert names_on_cards(page_of(client, "bonded")) == []
    bond_to(ids[1])
    with transaction() as session:
        for each in session.scalars(select(Animal)):
            assert each.words == words_to_index(vars(each))
        session.execute(text("UPDATE animals SET words = 'rex'"))
    with transaction() as session, Operations.context(MigrationContext.configure(session.connection())):
        import_module("adoption.migrations.versions.0017_bonded_words").upgrade()
    assert sorted(names_on_cards(page_of(client, "bonded"))) == ["Pepper", "Salt"], (
        "as an earlier version wrote them"
    )


@pytest.mark.settings("embedded")
def test_a_link_searches_for_animals_named_like_a_filter(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bunny", category_id=2)
    add(shelter, "Thumper", category_id=3)
    page = page_of(client, "bunny")
    assert names_on_cards(page) == ["Thumper"]
    assert 'href="/?q=%22bunny%22">Look for animals called “<bdi>bunny</bdi>” instead (1)' in page
    assert names_on_cards(page_of(client, '"bunny"')) == ["Bunny"]


def test_matches_of_names_rank_before_breeds_colours_places_and_descriptions(
    client: FlaskClient, shelter: Shelter
) -> None:
    add(shelter, "Name Amber")
    add(shelter, "Breed", breed_primary="Amber hound")
    add(shelter, "Looks", colours="Amber, white")
    publish_as(shelter, "Elm Road", "Amber Hill")
    other = factories.project("Harbour")
    factories.animal(other, "Story", description="Has amber eyes.")
    assert names_on_cards(page_of(client, "amber")) == ["Name Amber", "Breed", "Looks", "Story"]
    add(shelter, "Place")
    assert names_on_cards(page_of(client, "amber")) == ["Name Amber", "Breed", "Looks", "Place", "Story"]
    assert names_on_cards(page_of(client, "amber", "&sort=newest")) == [
        "Place",
        "Story",
        "Looks",
        "Breed",
        "Name Amber",
    ]


def publish_as(shelter: Shelter, name: str, place: str) -> None:
    with transaction() as session:
        session.execute(
            update(Project).where(Project.id == shelter.project_id).values(name=name, place=place)
        )
    publish_site(shelter.slug)


def test_pages_of_a_search_show_every_animal_once(client: FlaskClient, shelter: Shelter) -> None:
    expected = []
    for n in range(PAGE_SIZE_MOST + 2 * PAGE_SIZE):
        field = ("name", "breed_primary", "description")[n % 3]
        name = f"N{n}" if field != "name" else f"N{n} Amber"
        add(shelter, name, **({field: "Amber"} if field != "name" else {}))
        expected.append((n % 3, -n, name))
    address: str | None = f"/?q=amber&shown={PAGE_SIZE_MOST}"
    seen: list[str] = []
    while address:
        page = client.get(address).text
        further = re.search(r'rel="next" href="(.*?)(?:#.*?)?"', page)
        address = unescape(further[1]) if further else None
        if not (address and "shown=" in address):  # Otherwise the next page also contains these animals.
            seen += names_on_cards(page)
    assert seen == [name for *_, name in sorted(expected)]


def test_a_search_uses_the_published_name_and_town_of_a_shelter(
    client: FlaskClient, shelter: Shelter
) -> None:
    add(shelter, "Bella", "Rex")
    add(shelter, "Tom", category_id=2)
    publish_as(shelter, "Willow Rescue", "Alderbrook")
    for question in ("willow", "Alderbrook", "alderb", "willow rescue", "bella alderbrook"):
        assert "Bella" in names_on_cards(page_of(client, question)), question
    assert names_on_cards(page_of(client, "cats in Alderbrook")) == ["Tom"]
    assert names_on_cards(page_of(client, "alde")) != []
    assert names_on_cards(page_of(client, "ald")) == []
    publish_as(shelter, "Willow Rescue", "Caldermouth")
    assert names_on_cards(page_of(client, "alderbrook")) == []
    assert len(names_on_cards(page_of(client, "caldermouth"))) == 3
    unpublish_site(shelter.project_id)
    assert names_on_cards(page_of(client, "caldermouth")) == []


@pytest.mark.settings("embedded")
def test_an_empty_result_offers_similar_searches_species_animals_and_the_feed(
    client: FlaskClient, shelter: Shelter
) -> None:
    add(shelter, "Rex", "Max", sex="male")
    add(shelter, "Tom", category_id=2, sex="male")
    page = unescape(page_of(client, "quiet dog", "&sex=male"))
    assert "No dogs match" in page
    near = re.findall(
        r'class="pill" href="([^"]*)"><span>Without <bdi>(.*?)</bdi></span> <span [^>]*>(.*?)<', page
    )
    assert near == [("/?q=dog&sex=male", "“quiet”", "2 dogs")]
    assert 'href="/?species=cat">Cats <span class="pill-count">1</span>' in page
    assert "These dogs are waiting now" in page
    assert page.partition('id="similar"')[2].count("animal-card-name") == 2
    assert 'href="/feed.atom?q=quiet+dog&sex=male"' in page
    assert 'id="species-cat"' in page


@pytest.mark.settings("embedded")
def test_feeds_and_sites_turn_the_same_words_into_filters(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Rex", description="Chases cats.")
    add(shelter, "Tom", category_id=2)
    feed = client.get("/feed.atom?q=cats").text
    assert "<title>Cats" in feed
    assert "Tom" in feed
    assert "Rex" not in feed
    site = {"Host": f"{shelter.slug}.localhost"}
    assert names_on_cards(client.get("/?q=cats", headers=site).text) == ["Tom"]
    assert names_on_cards(client.get("/?q=dog+elm+road", headers=site).text) == ["Rex"]


@pytest.mark.settings("embedded")
def test_the_word_tables_name_only_existing_species() -> None:
    assert len(BREED_NAMES) >= 60
    species = {
        meaning.value for each in MEANINGS.values() for meaning in each if meaning.field == "category_id"
    }
    assert species | set(KIND_WORDS.values()) <= CATEGORIES.keys()
    assert not KIND_WORDS.keys() & MEANINGS.keys()


def test_a_migration_indexes_existing_animals_again(client: FlaskClient, shelter: Shelter) -> None:
    """The rows look like rows of an earlier version. The migration's own function indexes them."""
    add(shelter, "Rex", breed_primary="German shepherd", colours="Sable")
    with transaction() as session:
        session.execute(text("UPDATE animals SET words = 'rex'"))
        session.execute(text("DELETE FROM site_words"))
    assert names_on_cards(page_of(client, "sable")) == []
    migration = import_module("adoption.migrations.versions.0009_search_words")
    with transaction() as session:
        fill(migration, session.connection())
    for question in ("sable", "germanshepherd", "elm"):
        assert names_on_cards(page_of(client, question)) == ["Rex"], question


def fill(migration: Any, connection: Any) -> None:
    with Operations.context(MigrationContext.configure(connection)):
        migration.fill_sites()
        migration.fill_animals()


def test_a_character_that_expands_to_several_words_is_limited_like_words(client: FlaskClient) -> None:
    long = "㍿" * 200
    assert len(TypedQuery.of(long).words) == WORDS_MOST
    page_of(client, long)
