"""GET /v1/animals and GET /v1/animals/{id}: members, sparse fields, shelters and ETags."""

import json
import re
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import update

from adoption.accounts.api_access.api_keys import create_key
from adoption.animals.models import Animal
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from api.animal_members import MEMBERS
from tests import cast, factories
from tests.domains import add_verified_row

EARLY = datetime(2026, 11, 1, 8, 30, 15, 250_000, tzinfo=UTC)
ON_REQUEST = {"description", "descriptionHtml"}


@pytest.fixture
def elm_key(app: APIFlask, elm: Project) -> cast.Shelter:
    from tests.api.conftest import client_of

    return cast.Shelter(client_of(app), elm.account_id, elm.id, elm.slug, create_key(elm.slug)[1])


def add_biscuit(elm: Project, **rest: Any) -> int:
    """Add an animal of which everything but one answer is known."""
    known: dict[str, Any] = {
        "code": "E-1",
        "breed_primary": "Akita",
        "sex": "female",
        "altered": True,
        "birth_date": date(2024, 11, 20),
        "size": "medium",
        "coat": "short",
        "colours": "Black, White",
        "good_with_children": True,
        "good_with_dogs": False,
        "fee_cents": 12_500,
        "description": "Biscuit **loves** walks. " + "She runs far. " * 20,
        "tags": '["Calm"]',
        "arrival_date": date(2026, 10, 1),
        "created_at": EARLY,
    }
    return factories.animal(elm, "Biscuit", photos=2, **known | rest)


@time_machine.travel(datetime(2026, 11, 29, tzinfo=UTC), tick=False)
def test_a_record_has_every_public_field(app: APIFlask, elm: Project, elm_key: cast.Shelter) -> None:
    id_ = add_biscuit(elm)
    found = elm_key.get(f"/v1/animals/{id_}").json
    root = app.config["HOMEWARD"].platform_url
    assert list(found) == [name for name in MEMBERS if name != "descriptionHtml"]
    expected = {
        "species": "dog",
        "breeds": {"primary": "Akita", "secondary": None, "mixed": False, "unknown": False},
        "ageGroup": "young",
        "birthDate": "2024-11-20",
        "birthDateEstimated": False,
        "altered": True,
        "colours": ["Black", "White"],
        "goodWith": {"children": True, "dogs": False, "cats": None},
        "houseTrained": None,
        "specialNeeds": False,
        "specialNeedsNote": None,
        "tags": ["Calm"],
        "fee": {"kind": "asked", "amount": "125.00", "currency": "USD"},
        "bondedWith": [],
        "language": "en",
        "shelter": {"id": elm.id, "name": "Elm Road", "url": f"http://elm-road.{root.partition('//')[2]}"},
        "url": f"{root}animals/{id_}-biscuit",
        "arrivalDate": "2026-10-01",
        "createdAt": "2026-11-01T08:30:15Z",
        "shownAt": "2026-11-01T08:30:15Z",
        "updatedAt": "2026-11-28T00:00:00Z",
    }
    assert {name: found[name] for name in expected} == expected
    assert found["summary"].startswith("Biscuit loves walks. She runs far.")
    assert len(found["summary"]) <= 200
    # Booleans are not 0 and 1, on either database.
    assert '"altered":true' in elm_key.get(f"/v1/animals/{id_}").text


def test_what_is_not_known_is_null(elm: Project, elm_key: cast.Shelter) -> None:
    gap = elm_key.get(f"/v1/animals/{factories.animal(elm, 'Gap')}").json
    unknown = {name for name, value in gap.items() if value is None}
    known = {"id", "name", "status", "categoryId", "species", "breeds", "goodWith", "specialNeeds", "tags"}
    known |= {"fee", "bondedWith", "language", "photos", "shelter", "url"}
    known |= {"createdAt", "shownAt", "statusChangedAt", "updatedAt", "revision"}
    assert unknown == set(MEMBERS) - known - {"descriptionHtml"}
    assert set(gap["goodWith"].values()) == {None}
    assert gap["fee"] == {"kind": "hidden", "amount": None, "currency": "USD"}
    free = factories.animal(elm, "Free", fee_cents=0)
    assert elm_key.get(f"/v1/animals/{free}").json["fee"]["kind"] == "waived"


def test_a_record_agrees_with_the_list_of_pets(
    elm: Project, elm_key: cast.Shelter, neighbour: cast.Shelter
) -> None:
    for status in ("available", "sold", "pending"):
        factories.animal(elm, status, status=status, category_id=2)
    hidden, theirs = factories.animal(elm, "Hush", listed=False), neighbour.add("Theirs")
    pets = elm_key.get("/v1/pets").json
    found = elm_key.get("/v1/animals").json
    assert [{name: each[name] for name in pets[0]} for each in found] == pets
    for id_ in (hidden, theirs, "x", 2**63):
        assert elm_key.get(f"/v1/animals/{id_}").status_code == 404


def test_fields_and_includes_choose_the_members(elm: Project, elm_key: cast.Shelter) -> None:
    id_ = add_biscuit(elm)
    lists = {
        "": set(MEMBERS) - ON_REQUEST,
        "fields=name": {"id", "name"},
        "fields=name&include=html": {"id", "name", "descriptionHtml"},
        "include=description,html": set(MEMBERS),
    }
    for query, members in lists.items():
        (found,) = elm_key.get(f"/v1/animals?{query}").json
        assert set(found) == members, query
    for address in ("/v1/animals", f"/v1/animals/{id_}"):
        wrong = elm_key.get(f"{address}?fields=name,nmae")
        assert wrong.status_code == 400
        assert wrong.json["message"].startswith("fields ")
        assert wrong.json["message"].endswith("not 'nmae'.")
    html = elm_key.get(f"/v1/animals/{id_}?fields=id&include=html").json["descriptionHtml"]
    assert html.startswith("<p>Biscuit <strong>loves</strong> walks.")


def test_the_whole_shelter_is_included_on_request(elm: Project, elm_key: cast.Shelter) -> None:
    texts = {"city": "Passaic", "region": "NJ", "contact_email": "hi@elm.example", "about": "We *help*."}
    with transaction() as session:
        session.execute(update(Project).where(Project.id == elm.id).values(petfinder_id="NJ333", **texts))
    publish_site(elm.slug)
    factories.animal(elm, "Ash", status="pending")
    (found,) = elm_key.get("/v1/animals?fields=id&include=shelter").json
    shelter = found["shelter"]
    assert (shelter["email"], shelter["about"]) == ("hi@elm.example", "We *help*.")
    assert (shelter["phone"], shelter["petfinderId"]) == (None, "NJ333")
    assert shelter["address"] == dict.fromkeys(("street", "postcode", "country")) | {
        "city": "Passaic",
        "region": "NJ",
    }
    assert shelter["animals"] == {"available": 0, "pending": 1}


def test_an_unpublished_shelter_reads_its_own_animals(client: Any, app: APIFlask) -> None:
    draft = factories.project("Draft", published=False)
    factories.animal(draft, "Early")
    key = cast.Shelter(client, draft.account_id, draft.id, draft.slug, create_key(draft.slug)[1])
    (found,) = key.get("/v1/animals").json
    assert (found["name"], found["shelter"]["name"], found["shownAt"]) == ("Early", "Draft", None)


def test_a_bond_names_only_animals_that_the_reader_sees(elm: Project, elm_key: cast.Shelter) -> None:
    bond = factories.bond(elm)
    salt, pepper = (factories.animal(elm, name, bond_id=bond) for name in ("Salt", "Pepper"))
    factories.animal(elm, "Hidden", bond_id=bond, listed=False)
    found = elm_key.get("/v1/animals?fields=bondedWith").json
    assert found == [{"id": salt, "bondedWith": [pepper]}, {"id": pepper, "bondedWith": [salt]}]


def test_pages_are_at_the_primary_domain(app: APIFlask, elm: Project, elm_key: cast.Shelter) -> None:
    id_ = factories.animal(elm, "Biscuit")
    add_verified_row(elm.id, "adopt.elm.example", primary_of=elm.id)
    host = urlsplit(app.config["HOMEWARD"].platform_url).hostname
    lists = [
        elm_key.get("/v1/animals?fields=url,shelter", base_url=f"http://{host}{port}").json
        for port in ("", ":8123")
    ]
    assert lists[0] == lists[1]
    (found,) = lists[0]
    assert urlsplit(found["url"]).hostname == "adopt.elm.example"
    assert found["url"] == f"{found['shelter']['url']}animals/{id_}-biscuit"


def test_photos_have_the_addresses_of_every_file(app: APIFlask, elm: Project, elm_key: cast.Shelter) -> None:
    id_ = add_biscuit(elm)
    factories.animal(elm, "Bare")
    first, second = elm_key.get(f"/v1/animals/{id_}").json["photos"]
    assert first["id"] < second["id"]
    assert (first["alt"], first["width"], first["height"]) == (None, 1200, 900)
    root = app.config["HOMEWARD"].platform_url
    assert all(each["url"].startswith(f"{root}media/{id_:032}") for each in first["files"])
    sizes = [(each["width"], each["format"]) for each in first["files"]]
    expected = [(width, kind) for kind in ("avif", "webp") for width in (400, 800, 1200)]
    assert sizes == [*expected, (800, "jpeg")]
    assert [len(each["photos"]) for each in elm_key.get("/v1/animals").json] == [2, 0]


def test_the_etag_of_an_animal_changes_with_its_revision_and_age_group(
    elm: Project, elm_key: cast.Shelter
) -> None:
    id_ = add_biscuit(elm)
    unknown = factories.animal(elm, "Gap")
    revision = elm_key.get(f"/v1/animals/{id_}").json["revision"]
    with time_machine.travel(datetime(2027, 11, 1, tzinfo=UTC), tick=False):
        young = elm_key.get(f"/v1/animals/{id_}").headers["ETag"]
        assert re.fullmatch(rf'"{revision}\.young\.[0-9a-f]{{12}}"', young)
        for tag in (young, f"W/{young}", f'"x", {young}', "*"):
            again = elm_key.get(f"/v1/animals/{id_}", headers={"If-None-Match": tag})
            assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", young)
        assert elm_key.get(f"/v1/animals/{unknown}").headers["ETag"].startswith('"1.unknown.')
        missing = elm_key.get("/v1/animals/987654321", headers={"If-None-Match": "*"})
        assert missing.status_code == 404
    with time_machine.travel(datetime(2027, 11, 21, tzinfo=UTC), tick=False):
        older = elm_key.get(f"/v1/animals/{id_}", headers={"If-None-Match": young})
        assert older.status_code == 200
        assert older.headers["ETag"].startswith(f'"{revision}.adult.')
        assert older.json["ageGroup"] == "adult"
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == id_).values(name="Bisc"))
    changed = elm_key.get(f"/v1/animals/{id_}", headers={"If-None-Match": young})
    assert (changed.status_code, changed.json["revision"]) == (200, revision + 1)


CHANGED_SHELTERS = {
    "fields=fee": {"currency": "EUR"},
    "fields=language": {"language": "de"},
    "fields=shelter": {"name": "Elm Street"},
    "include=shelter": {"about": "We moved."},
    "fields=shelter&include=shelter": {"petfinder_id": "NJ333"},
    "fields=url": {},
}
"""Values of a shelter, by the query of a record that has them. The last is a fresh primary domain."""


@pytest.mark.parametrize("query", CHANGED_SHELTERS)
def test_the_etag_of_an_animal_changes_with_its_shelter(
    elm: Project, elm_key: cast.Shelter, query: str
) -> None:
    address = f"/v1/animals/{add_biscuit(elm)}?{query}"
    first = elm_key.get(address)
    copy = {"If-None-Match": first.headers["ETag"]}
    assert elm_key.get(address, headers=copy).status_code == 304
    if values := CHANGED_SHELTERS[query]:
        with transaction() as session:
            session.execute(update(Project).where(Project.id == elm.id).values(**values))
        publish_site(elm.slug)
    else:
        add_verified_row(elm.id, "adopt.elm.example", primary_of=elm.id)
    changed = elm_key.get(address, headers=copy)
    assert changed.status_code == 200
    assert changed.json != first.json
    assert changed.headers["ETag"] != copy["If-None-Match"]


def test_the_etag_of_an_animal_changes_with_its_bonds(elm: Project, elm_key: cast.Shelter) -> None:
    bond = factories.bond(elm)
    salt, pepper = (factories.animal(elm, name, bond_id=bond) for name in ("Salt", "Pepper"))
    address = f"/v1/animals/{salt}?fields=bondedWith"
    copy = {"If-None-Match": elm_key.get(address).headers["ETag"]}
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == pepper).values(listed=False))
    changed = elm_key.get(address, headers=copy)
    assert changed.status_code == 200
    assert changed.json["bondedWith"] == []


def test_a_record_never_has_private_columns(elm: Project, elm_key: cast.Shelter) -> None:
    add_biscuit(elm, words="zqwords")
    everything = elm_key.get("/v1/animals?include=description,html,shelter")
    assert "zqwords" not in everything.text
    assert json.loads(everything.data)
