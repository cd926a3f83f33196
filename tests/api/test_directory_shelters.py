"""GET /v1/directory/shelters: the shelters that visitors see, with filters, orders and pages."""

import re

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import DIRECTORY_READ
from adoption.projects.models import Project
from adoption.projects.publication import unpublish_site
from adoption.settings import Settings
from adoption.storage.database import transaction
from tests import cast, domains, factories

LIST = "/v1/directory/shelters"
ADDRESS = {"street": "12 Elm Road", "city": "Passaic", "region": "NJ", "postcode": "07055", "country": "US"}


@pytest.fixture
def reader(shelter: cast.Shelter) -> cast.Shelter:
    """A shelter whose secret key reads the directory."""
    _, shelter.key = api_keys.create_key(shelter.slug, scopes=[DIRECTORY_READ])
    return shelter


def change(project_id: int, **columns: object) -> None:
    with transaction() as session:
        session.execute(update(Project).where(Project.id == project_id).values(columns))


def names(reader: cast.Shelter, query: str = "") -> list[str]:
    answer = reader.get(f"{LIST}?{query}")
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json]


def test_a_shelter_has_its_published_texts_and_numbers_of_visible_animals(
    reader: cast.Shelter, app: APIFlask
) -> None:
    texts = {"about": "We *care*.", "contact_phone": "555 0100", "website": "https://elm.example"}
    texts |= {"adoption_policy": "Meet us first.", "contact_email": "adopt@elm.example"}
    elm = factories.project("Elm Street Cats", **ADDRESS, **texts)
    change(elm.id, petfinder_id="NJ333", name="Draft name")
    for status, listed in (("available", True), ("available", True), ("pending", True), ("available", False)):
        factories.animal(elm, status=status, listed=listed)
    settings: Settings = app.config["HOMEWARD"]
    expected = {
        "id": elm.id,
        "slug": "elm-street-cats",
        "name": "Elm Street Cats",
        "url": settings.platform_url.replace("://", "://elm-street-cats."),
        "website": "https://elm.example",
        "about": "We *care*.",
        "email": "adopt@elm.example",
        "phone": "555 0100",
        "address": ADDRESS,
        "location": {"lat": 40.86, "lng": -74.13},
        "adoptionPolicy": "Meet us first.",
        "language": "en",
        "petfinderId": "NJ333",
        "animals": {"available": 2, "pending": 1},
    }
    assert reader.get(f"{LIST}/{elm.id}").json == expected
    assert expected in reader.get(LIST).json


def test_unknown_values_are_null(reader: cast.Shelter) -> None:
    bare = factories.project("Bare")
    found = reader.get(f"{LIST}/{bare.id}").json
    assert found["address"] == dict.fromkeys(ADDRESS)
    assert [found[name] for name in ("website", "about", "location", "petfinderId")] == [None] * 4
    assert "distance" not in found
    assert found["animals"] == {"available": 0, "pending": 0}


@pytest.mark.settings("embedded")
def test_the_address_of_a_shelter_is_its_primary_domain(reader: cast.Shelter) -> None:
    owned = factories.project("Owned", plan="pro")
    domains.add_verified_row(owned.id, "adopt.elm.example", primary_of=owned.id)
    assert "://adopt.elm.example" in reader.get(f"{LIST}/{owned.id}").json["url"]


@pytest.mark.settings("embedded")
def test_only_published_shelters_of_the_directory_are_listed(reader: cast.Shelter) -> None:
    away, draft = factories.project("Away"), factories.project("Draft", published=False)
    assert names(reader) == ["Elm Road Rescue", "Away"]
    change(away.id, in_directory=False)
    assert names(reader) == ["Elm Road Rescue"]
    change(away.id, in_directory=True)
    assert names(reader) == ["Elm Road Rescue", "Away"]
    unpublish_site(away.id)
    assert names(reader) == ["Elm Road Rescue"]
    for hidden in (away.id, draft.id, 10**18, 0, "1x", 2**63, "٣"):
        answer = reader.get(f"{LIST}/{hidden}")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found"), hidden


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=hudson", ["Hudson Cats"]),
        ("q=HUD+cat", ["Hudson Cats"]),
        ("q=new+york", ["Hudson Cats"]),
        ("q=hudson+hudson+cats+new+york+h+c+n+y+ninth", ["Hudson Cats"]),
        ("q=%25", []),
        ("q='", []),
        ("region=ny", ["Hudson Cats"]),
        ("region=NJ&country=ca", []),
        ("country=ca", ["Québec Refuge"]),
        ("region=NY&q=refuge", []),
        ("sort=name", ["Elm Road Rescue", "Hudson Cats", "Québec Refuge"]),
    ],
)
def test_filters_combine(reader: cast.Shelter, query: str, found: list[str]) -> None:
    factories.project("Québec Refuge", region="QC", country="CA")
    factories.project("Hudson Cats", city="New York", region="NY", country="US")
    assert names(reader, query) == found


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("q=", "q must have 1 to 200 characters, without control characters."),
        ("region=", "region must have 1 to 100 characters, without control characters."),
        ("country=USA", "country must be an ISO 3166-1 code such as US, not 'USA'."),
        ("sort=size", "sort must be one of id, name, distance, not 'size'."),
        ("sort=distance", "sort=distance needs near, such as near=07055."),
        ("within=5mi", "within needs near, such as near=07055."),
        ("near=07055&within=5", "within must be a distance such as 25mi or 40km, not '5'."),
        ("near=07055&within=501mi", "within is not a valid distance. The distance can be up to 500mi."),
        ("near=00000", "near is not a known place. There is no ZIP code 00000."),
        ("limit=101", "limit must be a whole number from 1 to 100, not '101'."),
        ("q=a&q=b", "q may be given only once."),
        ("cursor=x", "cursor was not issued for this list with this filter."),
    ],
)
@pytest.mark.settings("embedded")
def test_a_wrong_parameter_is_explained(reader: cast.Shelter, query: str, sentence: str) -> None:
    answer = reader.get(f"{LIST}?{query}")
    assert answer.status_code == 400
    assert answer.json["message"].startswith(sentence)


@pytest.fixture
def places(reader: cast.Shelter) -> cast.Shelter:
    for name, postcode in (("Penn", "19103"), ("Hudson", "10001"), ("Elm", "07055")):
        factories.project(name, postcode=postcode, country="US")
    return reader


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("within=10mi", ["Elm"]),
        ("within=11mi", ["Elm", "Hudson"]),
        ("within=17km", ["Elm", "Hudson"]),
        ("within=16km", ["Elm"]),
        ("within=84mi", ["Elm", "Hudson", "Penn"]),
        ("within=84mi&q=penn", ["Penn"]),
        ("", ["Elm", "Hudson"]),
    ],
)
def test_shelters_near_a_place(places: cast.Shelter, query: str, found: list[str]) -> None:
    assert names(places, f"near=07055&sort=distance&{query}".rstrip("&")) == found
    assert sorted(names(places, f"near=07055&{query}".rstrip("&"))) == sorted(found)


def test_a_list_near_a_place_has_distances_and_pages(places: cast.Shelter) -> None:
    found, path = list[dict[str, object]](), f"{LIST}?near=07055&within=84mi&sort=distance&limit=1"
    while path:
        answer = places.get(path)
        found += answer.json  # type: ignore[arg-type]
        link = re.match("<http[^>]*(/v1/[^>]+)>", answer.headers.get("Link", ""))
        path = link[1] if link else ""
    assert [(one["name"], one["distance"]) for one in found] == [
        ("Elm", {"miles": 0, "km": 0}),
        ("Hudson", {"miles": 10, "km": 16}),
        ("Penn", {"miles": 83, "km": 134}),
    ]


@pytest.mark.parametrize("query", ["sort=id", "sort=name", "sort=name&q=r%C3%A9scue+%26+%23"])
def test_pages_have_every_shelter_once(reader: cast.Shelter, query: str) -> None:
    for number in range(6):
        factories.project(f"Rescue {'Same' if number < 4 else number}")
    expected, found, path = names(reader, query), [], f"{LIST}?limit=2&{query}"
    assert len(expected) == 7
    while path:
        answer = reader.get(path)
        found += [one["name"] for one in answer.json]
        link = re.fullmatch(r'<http[^>]*/v1(/[^>]+)>; rel="next"', answer.headers.get("Link", ""))
        path = f"/v1{link[1]}" if link else ""
    assert found == expected


@pytest.mark.settings("embedded")
def test_a_cursor_is_for_one_list_with_its_filters(reader: cast.Shelter) -> None:
    for name in "ABC":
        factories.project(f"Rescue {name}")
    link = reader.get(f"{LIST}?limit=1&q=rescue").headers["Link"]
    cursor = re.search("cursor=([^>&]+)", link)[1]  # type: ignore[index]
    assert len(names(reader, f"q=rescue&cursor={cursor}")) == 3
    text, _, signature = cursor.partition(".")
    for query in (
        f"cursor={cursor}",
        f"q=rescue&sort=name&cursor={cursor}",
        f"q=rescue&cursor={text}x.{signature}",
    ):
        assert reader.get(f"{LIST}?{query}").status_code == 400


@pytest.mark.settings("embedded")
def test_an_unchanged_list_is_304_and_numbers_are_counted_once_a_minute(reader: cast.Shelter) -> None:
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        first = reader.get(LIST)
        assert first.headers["Cache-Control"] == "private, no-cache"
        factories.animal(Project(id=reader.project_id))
        headers = {"If-None-Match": first.headers["ETag"]}
        assert reader.get(LIST, headers=headers).status_code == 304
        clock.shift(60)
        assert reader.get(LIST, headers=headers).json[0]["animals"]["available"] == 1


@pytest.mark.settings("embedded")
def test_a_key_reads_the_directory_only_with_the_scope(client: FlaskClient, shelter: cast.Shelter) -> None:
    answer = shelter.get(LIST)
    assert (answer.status_code, answer.json["code"]) == (403, "insufficient_scope")
    assert "directory:read" in answer.json["message"]
    assert client.get(LIST).status_code == 401
