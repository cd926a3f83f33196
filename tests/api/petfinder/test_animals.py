"""GET /petfinder/v2/animals and animals/{id}: fields, filters, places, orders and pages."""

from datetime import UTC, datetime
from urllib.parse import urljoin

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import update

from adoption.projects.models import Project
from adoption.settings import Settings
from adoption.storage.database import transaction
from api.petfinder import animals
from tests import factories
from tests.api.petfinder.conftest import ADDRESS, Program, add_biscuit

NOW = datetime(2026, 11, 29, tzinfo=UTC)
INVALID = "https://www.petfinder.com/developers/v2/docs/errors/ERR-00002/"


@time_machine.travel(NOW, tick=False)
def test_an_animal_has_petfinders_fields(app: APIFlask, program: Program, elm_road: Project) -> None:
    id_ = add_biscuit(elm_road)
    settings: Settings = app.config["HOMEWARD"]
    animal = program.ask(f"/animals/{id_}").json["animal"]
    photo = f"{settings.platform_url}media/{id_:032}{0:032}"
    photos = {"small": "400.webp", "medium": "400.webp", "large": "800.jpeg", "full": "1200.webp"}
    urls = {size: f"{photo}-{end}" for size, end in photos.items()}
    assert animal.pop("description").startswith("Biscuit loves walks. She runs far.")
    assert animal.pop("url").endswith(f"/animals/{id_}-biscuit")
    assert animal.pop("status_changed_at") == "2026-11-01T08:30:15+0000"
    assert animal == {
        "id": id_,
        "organization_id": "NJ333",
        "type": "Dog",
        "species": "Dog",
        "breeds": {"primary": "Akita", "secondary": "Pug", "mixed": True, "unknown": False},
        "colors": {"primary": "Black", "secondary": "White", "tertiary": None},
        "age": "Young",
        "gender": "Female",
        "size": "Extra Large",
        "coat": "Short",
        "attributes": {
            "spayed_neutered": True,
            "house_trained": True,
            "declawed": None,
            "special_needs": False,
            "shots_current": True,
        },
        "environment": {"children": True, "dogs": False, "cats": None},
        "tags": ["Calm"],
        "name": "Biscuit",
        "organization_animal_id": "E-1",
        "photos": [urls],
        "primary_photo_cropped": urls,
        "videos": [],
        "status": "adoptable",
        "published_at": "2026-11-01T08:30:15+0000",
        "distance": None,
        "contact": {
            "email": elm_road.contact_email or None,
            "phone": None,
            "address": {
                "address1": "12 Elm Road",
                "address2": None,
                "city": "Passaic",
                "state": "NJ",
                "postcode": "07055",
                "country": "US",
            },
        },
        "_links": {
            "self": {"href": f"/v2/animals/{id_}"},
            "type": {"href": "/v2/types/dog"},
            "organization": {"href": "/v2/organizations/nj333"},
        },
    }


@pytest.mark.settings("embedded")
def test_unknown_values_do_not_break_strict_programs(program: Program) -> None:
    bare = factories.project("Bare")
    animal = program.ask(f"/animals/{factories.animal(bare, 'Gap', category_id=9)}").json["animal"]
    assert [animal[name] for name in ("age", "size", "gender", "type", "species")] == [
        *["Unknown"] * 3,
        "Scales, Fins & Other",
        "Fish",
    ]
    address = animal["contact"]["address"]
    assert all(isinstance(address[name], str) for name in ("city", "state", "postcode", "country"))
    assert (animal["photos"], animal["tags"], animal["primary_photo_cropped"]) == ([], [], None)
    assert (animal["description"], animal["coat"], animal["organization_id"]) == (None, None, f"HW{bare.id}")
    assert list(animal["attributes"].values()) == [False, False, None, False, False]


@pytest.mark.settings("embedded")
def test_hidden_animals_are_404_and_pending_ones_are_found_by_id(program: Program, elm_road: Project) -> None:
    pending = factories.animal(elm_road, status="pending")
    found = program.ask(f"/animals/{pending}").json["animal"]
    assert (found["status"], found["tags"]) == ("adoptable", ["Adoption pending"])
    assert program.names("") == []
    away, draft = factories.project("Away"), factories.project("Draft", published=False)
    hidden = [factories.animal(elm_road, listed=False), factories.animal(draft), factories.animal(away)]
    with transaction() as session:
        session.execute(update(Project).where(Project.id == away.id).values(in_directory=False))
    for id_ in (*hidden, 10**20, "x"):
        assert program.ask(f"/animals/{id_}").status_code == 404
    assert program.names("") == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "Akira Biscuit Tom"),
        ("type=dog&animal_type=cat", "Akira Biscuit"),
        ("type=Cat", "Tom"),
        ("type=DOG,cat", "Akira Biscuit Tom"),
        ("type=scales-fins-other", ""),
        ("type=Scales,+Fins+%26+Other", ""),
        ("breed=akita,beagle", "Akira Biscuit"),
        ("breed=akita&breed=beagle", "Akira Biscuit"),
        ("breed[]=Akita&breed[]=Beagle", "Akira Biscuit"),
        ("breed=Angora%2C+English", "Tom"),
        ("size=extra+large", "Biscuit"),
        ("size=small,xlarge", "Biscuit"),
        ("gender=Female", "Biscuit"),
        ("gender=unknown", "Akira Tom"),
        ("age=young", "Biscuit"),
        ("color=black", "Biscuit"),
        ("coat=short", "Biscuit"),
        ("status=adopted", "Gone"),
        ("status=found", ""),
        ("name=Bis", "Biscuit"),
        ("name=dog", ""),
        ("organization=nj333", "Biscuit Tom"),
        ("organization=NJ333,XX1", "Biscuit Tom"),
        ("organization=XX1", ""),
        ("good_with_children=1&good_with_dogs=false", "Biscuit"),
        ("good_with_dogs=true", ""),
        ("house_trained=true&special_needs=0", "Biscuit"),
        ("declawed=0", ""),
        ("after=2026-11-02&before=2030-01-01", "Akira Tom"),
        ("before=2026-11-02T00:00:00+00:00", "Biscuit"),
        ("location=07055&distance=10", "Biscuit Tom"),
        ("location=07055&distance=11&sort=distance", "Biscuit Tom Akira"),
        ("location=07055&sort=-distance&type=dog", "Akira Biscuit"),
        ("location=40.86,+-74.13&distance=10", "Biscuit Tom"),
        ("location=Passaic,+NJ&distance=10", "Biscuit Tom"),
        ("location=Newark,+New+Jersey&distance=10", "Akira Biscuit Tom"),
        ("location=nj", "Biscuit Tom"),
        ("location=New+York&organization=NJ333", ""),
        ("sort=-recent", "Biscuit Akira Tom"),
        ("sort=random", "Akira Biscuit Tom"),
        ("limit=&page=", "Akira Biscuit Tom"),
    ],
)
def test_filters(program: Program, elm_road: Project, query: str, found: str) -> None:
    add_biscuit(elm_road)
    new_york = {"postcode": "10001", "city": "New York", "region": "NY"}
    hudson = factories.project("Hudson", **ADDRESS | new_york)
    factories.animal(hudson, "Akira", breed_primary="Beagle")
    factories.animal(elm_road, "Tom", category_id=2, breed_primary="Angora, English")
    factories.animal(elm_road, "Gone", status="sold")
    names = program.names(query)
    assert (names if "sort=" in query and "random" not in query else sorted(names)) == found.split()


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("query", "path", "beginning"),
    [
        ("type=Dragon", "type", "type must be one of: dog, cat"),
        ("size=tiny", "size", "size must be one of"),
        ("status=lost", "status", "status must be one of: adoptable"),
        ("good_with_cats=maybe", "good_with_cats", "good_with_cats must be true"),
        ("after=soon", "after", "after must be a date"),
        ("sort=size", "sort", "sort must be one of"),
        ("sort=distance", "sort", "sort needs location"),
        ("sort=distance&location=NJ", "sort", "A state has no distance"),
        ("distance=5", "distance", "distance needs location"),
        ("location=07055&distance=501", "distance", "distance must be a whole number from 1 to 500"),
        ("location=07055&distance=-1", "distance", "distance must be a whole number"),
        ("location=00000", "location", "Could not determine location. There is no ZIP code"),
        ("location=91,0", "location", "Could not determine location."),
        ("location=Nowhere,+ZZ", "location", "Could not determine location."),
        ("page=0", "page", "page must be"),
        ("page=x", "page", "page must be"),
        ("limit=101", "limit", "limit must be a whole number from 1 to 100"),
        ("limit=0", "limit", "limit must be"),
    ],
)
def test_a_wrong_value_is_an_error(program: Program, query: str, path: str, beginning: str) -> None:
    answer = program.ask(f"/animals?{query}")
    assert (answer.status_code, answer.content_type) == (400, "application/problem+json")
    (entry,) = answer.json["invalid-params"]
    assert answer.json | {"invalid-params": []} == {
        "type": INVALID,
        "status": 400,
        "title": "Invalid Request",
        "detail": "The request contains invalid parameters.",
        "invalid-params": [],
    }
    assert (entry["in"], entry["path"]) == ("query", path)
    assert entry["message"].startswith(beginning)


@pytest.mark.settings("embedded")
def test_ignored_parameters_are_named(program: Program) -> None:
    answer = program.ask("/animals?animal_type=dog&foo=1&type=cat")
    assert answer.headers["Homeward-Ignored"] == "animal_type, foo"
    assert "Homeward-Ignored" not in program.ask("/animals?type=cat").headers


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("sort", ["recent", "-recent", "distance", "random"])
def test_pages_by_links_have_every_animal_once(
    program: Program, elm_road: Project, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = factories.project("Other", **ADDRESS)
    ids = {factories.animal((elm_road, other)[number % 2], f"Dog {number}") for number in range(7)}
    found: list[int] = []
    path = f"/v2/animals?sort={sort}&limit=2&location=07055"
    while path:
        body = program.ask(path, base="").json
        found += [one["id"] for one in body["animals"]]
        pages = body["pagination"]
        assert [pages[name] for name in ("count_per_page", "total_count", "total_pages")] == [2, 7, 4]
        assert ("previous" in pages["_links"]) == (pages["current_page"] > 1)
        path = urljoin(path, pages["_links"]["next"]["href"]) if "next" in pages["_links"] else ""
    assert (len(found), set(found)) == (7, ids)
    monkeypatch.setattr(animals, "SKIPPED_AT_ONCE", 4)
    jump = program.ask(f"/animals?sort={sort}&limit=1&page=7&location=07055").json
    assert [one["id"] for one in jump["animals"]] == found[-1:]
    beyond = program.ask(f"/animals?sort={sort}&limit=2&page=5&location=07055").json
    assert (beyond["animals"], list(beyond["pagination"]["_links"])) == ([], ["previous"])


@pytest.mark.settings("embedded")
def test_new_animals_do_not_shift_the_next_page(program: Program, elm_road: Project) -> None:
    first = [factories.animal(elm_road, f"Dog {number}") for number in range(4)]
    page = [one["id"] for one in program.ask("/animals?limit=2").json["animals"]]
    for number in range(5):
        factories.animal(elm_road, f"New {number}")
    page += [one["id"] for one in program.ask("/animals?limit=2&page=2").json["animals"]]
    assert page == first[::-1]
    empty = program.ask("/animals?type=horse").json["pagination"]
    assert (empty["total_count"], empty["total_pages"], empty["_links"]) == (0, 0, {})
