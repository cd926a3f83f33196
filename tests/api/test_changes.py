"""GET /v1/changes: an exact copy of the project's animals."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from sqlalchemy import select, update

from adoption.accounts.api_access import api_keys
from adoption.animals.animal_audit import Editor
from adoption.animals.bulk_changes import change_animals
from adoption.animals.bulk_undo import undo_bulk_change
from adoption.animals.models import Animal
from adoption.audit.actors import OPERATOR
from adoption.changes.change_feed import KEPT_FOR, forget_gone_animals
from adoption.changes.models import AnimalChange
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import db, reading
from tests.api.test_paging import next_address
from tests.cast import Shelter


class Mirror:
    """A program that follows the feed and keeps what it says."""

    def __init__(self, shelter: Shelter, limit: int = 2) -> None:
        self.shelter, self.address = shelter, f"/v1/changes?limit={limit}"
        self.ids: set[int] = set()

    def read_page(self) -> list[tuple[int, str]]:
        answer = self.shelter.get(self.address)
        assert answer.status_code == 200, answer.text
        self.address = next_address(answer.headers["Link"]) or ""
        assert self.address
        page = [(one["animalId"], one["change"]) for one in answer.json]
        self.ids |= {id_ for id_, change in page if change == "changed"}
        self.ids -= {id_ for id_, change in page if change == "gone"}
        return page

    def read(self) -> list[tuple[int, str]]:
        found = []
        while page := self.read_page():
            found += page
        return found


def editor(shelter: Shelter) -> Editor:
    return Editor(OPERATOR, shelter.account_id, shelter.project_id)


def listed_ids(shelter: Shelter) -> set[int]:
    return {one["id"] for one in shelter.get("/v1/pets?limit=100").json}


def test_a_copy_that_follows_the_feed_equals_the_list(shelter: Shelter, neighbour: Shelter) -> None:
    neighbour.add("Minnow")
    mirror, by = Mirror(shelter), editor(shelter)
    first, second, third = [shelter.add(name) for name in ("Rex", "Bo", "Ida")]
    assert mirror.read() == [(first, "changed"), (second, "changed"), (third, "changed")]
    done: list[int] = []

    def change(ids: list[int], what: str, value: str) -> Callable[[], object]:
        return lambda: done.append(change_animals(by, ids, what, value).change_id or 0)

    for act, expected in (
        (change([first], "status", "pending"), [(first, "changed")]),
        (change([second, third], "on_hold", "yes"), [(second, "gone"), (third, "gone")]),
        (lambda: undo_bulk_change(by, done[-1]), [(second, "changed"), (third, "changed")]),
        (change([first], "removed", "yes"), [(first, "gone")]),
        (change([first], "removed", "no"), [(first, "changed")]),
        (lambda: shelter.add("Al"), [(third + 1, "changed")]),
        (lambda: unpublish_site(shelter.project_id), 4),
        (lambda: publish_site(shelter.slug), 4),
    ):
        act()
        found = mirror.read()
        assert len(found) == expected if isinstance(expected, int) else sorted(found) == expected
        assert mirror.ids == listed_ids(shelter)
    assert {*mirror.ids} == {first, second, third, third + 1}


def test_changes_include_the_animals_that_are_not_gone(shelter: Shelter) -> None:
    rex, bo, al = [shelter.add(name) for name in ("Rex", "Bo", "Al")]
    change_animals(editor(shelter), [bo], "removed", "yes")
    answer = shelter.get("/v1/changes?limit=2&include=animal")
    records = [shelter.get(f"/v1/animals/{id_}").json for id_ in (rex, al)]
    assert [one["animal"] for one in answer.json] == records
    [gone] = shelter.get(next_address(answer.headers["Link"]) or "").json
    assert (gone["animalId"], gone["change"], "animal" in gone) == (bo, "gone", False)
    assert shelter.get("/v1/changes?include=photos").status_code == 400


def test_an_animal_appears_once_with_its_newest_change(shelter: Shelter) -> None:
    rex, bo = shelter.add("Rex"), shelter.add("Bo")
    change_animals(editor(shelter), [rex], "status", "pending")
    mirror = Mirror(shelter)
    assert mirror.read() == [(bo, "changed"), (rex, "changed")]
    assert mirror.read() == []


def test_an_empty_page_has_the_address_of_the_next_request(shelter: Shelter) -> None:
    shelter.add("Rex")
    mirror = Mirror(shelter)
    mirror.read()
    answer = shelter.get(mirror.address)
    assert (answer.json, next_address(answer.headers["Link"])) == ([], mirror.address)
    again = shelter.get(mirror.address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.headers["Link"]) == (304, answer.headers["Link"])
    with time_machine.travel(datetime.now(UTC) + timedelta(days=90)):
        assert shelter.get(mirror.address).status_code == 200
        added = shelter.add("Bo")
        assert Mirror.read(mirror) == [(added, "changed")]


@pytest.mark.settings("embedded")
def test_an_address_is_valid_for_90_days_after_everything_was_read(shelter: Shelter) -> None:
    for name in ("Rex", "Bo", "Ida"):
        shelter.add(name)
    first_page = next_address(shelter.get("/v1/changes?limit=1").headers["Link"])
    assert first_page
    now = datetime.now(UTC)
    with time_machine.travel(now + timedelta(days=80)):
        second_page = next_address(shelter.get(first_page).headers["Link"])
    assert second_page
    with time_machine.travel(now + timedelta(days=91)):
        for address in (first_page, second_page):
            answer = shelter.get(address)
            assert (answer.status_code, answer.json["code"]) == (410, "gone")
            assert "start again without after" in answer.json["message"]


@pytest.mark.settings("embedded")
def test_an_address_is_of_one_project_and_for_keys_that_read(shelter: Shelter, neighbour: Shelter) -> None:
    shelter.add("Rex")
    address = next_address(shelter.get("/v1/changes").headers["Link"])
    assert address
    assert neighbour.get(address).status_code == 400
    for wrong in ("after=x", "after=WzEsMSwxXQ." + "0" * 32, "after=", "limit=0", "limit=101", "cursor=x"):
        assert shelter.get(f"/v1/changes?{wrong}").status_code == 400, wrong
    shelter.key = api_keys.create_key(shelter.slug, scopes=("orders:read",))[1]
    assert shelter.get("/v1/changes").status_code == 403


@pytest.mark.settings("scaled")
def test_a_change_that_is_committed_late_is_never_lost(shelter: Shelter) -> None:
    slow, quick = shelter.add("Slow"), shelter.add("Quick")
    mirror = Mirror(shelter)
    mirror.read()
    with db.engine.connect() as connection:
        connection.execute(update(Animal).where(Animal.id == slow).values(name="Slower"))
        change_animals(editor(shelter), [quick], "status", "pending")
        assert mirror.read() == []
        connection.commit()
    assert sorted(mirror.read()) == [(slow, "changed"), (quick, "changed")]


def test_old_rows_of_animals_that_are_gone_are_deleted(shelter: Shelter) -> None:
    gone, kept, newest = [shelter.add(name) for name in ("Rex", "Bo", "Ida")]
    change_animals(editor(shelter), [gone], "removed", "yes")
    change_animals(editor(shelter), [newest], "removed", "yes")
    now = datetime.now(UTC)
    for days, left in ((-1, {gone, kept, newest}), (1, {kept, newest})):
        forget_gone_animals(now + KEPT_FOR + timedelta(days=days))
        with reading() as session:
            assert set(session.scalars(select(AnimalChange.animal_id))) == left
