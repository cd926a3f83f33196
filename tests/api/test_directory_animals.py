"""GET /v1/directory/animals and GET /v1/directory/animals/{animalId}."""

from typing import Any

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.key_format import DIRECTORY_READ
from adoption.directory.shelters_of_records import RecordShelter, shelters_by_id
from adoption.projects.models import Project
from adoption.storage.database import transaction
from api import animal_records
from api.petfinder import animal_json
from tests import cast, factories
from tests.api.conftest import client_of
from tests.api.petfinder.conftest import Program
from tests.api.test_paging import cursor_of


@pytest.fixture
def reader(app: APIFlask, elm: Project) -> cast.Shelter:
    """Another shelter, whose key can read the directory."""
    other = factories.project("Reader")
    key = create_key(other.slug, scopes=[DIRECTORY_READ])[1]
    return cast.Shelter(client_of(app), other.account_id, other.id, other.slug, key)


def change(project: Project, **columns: Any) -> None:
    with transaction() as session:
        session.execute(update(Project).where(Project.id == project.id).values(columns))


def test_the_directory_has_what_visitors_see(elm: Project, reader: cast.Shelter) -> None:
    hudson, nutmeg = factories.project("Hudson"), factories.project("Nutmeg")
    draft = factories.project("Draft", published=False)
    bond = factories.bond(elm)
    biscuit = factories.animal(elm, "Biscuit", photos=1, bond_id=bond)
    hush = factories.animal(elm, "Hush", bond_id=bond, listed=False)
    zoe = factories.animal(hudson, "Zoë", category_id=3, status="sold")
    horse, early = factories.animal(nutmeg, "Horse"), factories.animal(draft, "Early")
    change(nutmeg, in_directory=False)
    found = reader.get("/v1/directory/animals").json
    assert [(each["id"], each["shelter"]["name"]) for each in found] == [
        (biscuit, "Elm Road"),
        (zoe, "Hudson"),
    ]
    assert found[0]["bondedWith"] == []
    for hidden in (hush, horse, early):
        assert reader.get(f"/v1/directory/animals/{hidden}").status_code == 404
    assert reader.get(f"/v1/directory/animals/{zoe}").json == found[1] | {"description": None}
    queries = {
        "q=zoe": [zoe],
        "species=rabbit": [zoe],
        f"shelter={elm.id}": [biscuit],
        "shelter=hudson": [zoe],
    }
    queries |= {
        "shelter=hudson,elm-road": [biscuit, zoe],
        "shelter=nutmeg,draft,nowhere": [],
        "status=sold": [zoe],
    }
    for query, ids in queries.items():
        answer = reader.get(f"/v1/directory/animals?fields=id&{query}")
        assert [each["id"] for each in answer.json] == ids, query
    assert reader.get("/v1/animals?shelter=hudson").status_code in (400, 403)


@pytest.mark.parametrize("left", [{"live_deploy": None}, {"in_directory": False}])
def test_a_shelter_that_leaves_while_a_page_is_read_shows_no_draft(
    elm: Project, reader: cast.Shelter, monkeypatch: pytest.MonkeyPatch, left: dict[str, Any]
) -> None:
    id_ = factories.animal(elm, "Biscuit")
    program = Program(reader.client, reader.key)
    token = program.sign_in()

    def leave_first(*rest: Any) -> dict[int, RecordShelter]:
        change(elm, **left)
        return shelters_by_id(*rest)

    for module in (animal_records, animal_json):
        monkeypatch.setattr(module, "shelters_by_id", leave_first)
    for path in ("/v1/directory/animals", "/petfinder/v2/animals"):
        for address in (f"{path}/{id_}", path):
            change(elm, live_deploy=1, in_directory=True, name="Draft name")
            headers = {} if path.startswith("/v1") else {"Authorization": f"Bearer {token}"}
            answer = reader.get(address, headers=headers)
            if address != path:
                assert answer.status_code == 404, answer.text
            else:
                assert (answer.json if path.startswith("/v1") else answer.json["animals"]) == []


@pytest.mark.settings("embedded")
def test_an_animal_of_a_project_that_was_just_deleted_is_gone(
    shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = shelter.add()
    monkeypatch.setattr(animal_records, "shelters_by_id", lambda *_: {})
    assert shelter.get("/v1/animals").json == []
    assert shelter.get(f"/v1/animals/{id_}").status_code == 404


def test_every_key_of_the_directory_continues_the_same_pages(
    app: APIFlask, elm: Project, reader: cast.Shelter
) -> None:
    ids = [factories.animal(elm, f"Animal {number}") for number in range(4)]
    cursor = cursor_of(reader, "/v1/directory/animals?limit=2&sort=newest")
    other = create_key(elm.slug, scopes=[DIRECTORY_READ, "pets:read"])[1]
    theirs = cast.Shelter(client_of(app), elm.account_id, elm.id, elm.slug, other)
    again = theirs.get(f"/v1/directory/animals?sort=newest&cursor={cursor}")
    assert [each["id"] for each in again.json] == [ids[1], ids[0]]
    assert theirs.get(f"/v1/animals?sort=newest&cursor={cursor}").status_code == 400


def test_an_own_key_without_the_scope_reads_no_directory(elm: Project, shelter: cast.Shelter) -> None:
    id_ = factories.animal(elm, "Biscuit")
    for path in ("/v1/directory/animals", f"/v1/directory/animals/{id_}"):
        refused = shelter.get(path)
        assert (refused.status_code, refused.json["code"]) == (403, "insufficient_scope")
        assert DIRECTORY_READ in refused.json["message"]
