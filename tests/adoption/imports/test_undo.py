"""Undo of an import: rows are restored, deleted, or kept because of later changes."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update

from adoption.animals.models import Animal, CareRecord
from adoption.animals.photo_models import Photo
from adoption.audit.models import AuditEntry
from adoption.errors import Conflict, NotFound
from adoption.imports import import_job, start_and_cancel, undo
from adoption.imports.models import Import, ImportChange
from adoption.imports.undo import UndoCounts
from adoption.orders.models import Order
from adoption.storage.database import reading, transaction
from tests.adoption.imports import webservers
from tests.adoption.imports.conftest import SOMEBODY, reload_import, run_import, start
from tests.adoption.imports.test_import_job import Killed, clock_that_raises, fetch_context, much_later
from tests.adoption.spreadsheets.sheets import stored_animals
from tests.cast import Shelter
from tests.photographs import photo

BEFORE = (
    "code,name,species,breed,born,fee,description,microchip,good with dogs\n"
    "A1,Rex,Dog,Beagle,2020-02-28,90,A long story of a dog that nobody wanted until today.,985,yes\n"
    "A2,Bo,Dog,Pug,,,,,\n"
)
FILE = (
    "code,name,species,breed,born,fee,description,microchip,good with dogs\n"
    "A1,Max,Dog,Boxer,2020-02-28,120,Another story of the same dog that is longer than the mark.,986,no\n"
    "A2,Bo,Dog,Pug,,,,,\n"
    "A3,Ida,Cat,Siamese,2021-01-01,,New here,987,\n"
    "A4,Al,Dog,,,,,,\n"
)


def undo_import(shelter: Shelter, of: Import) -> UndoCounts:
    found = undo.count_undo(shelter.project_id, of.id)
    undo.request_undo(shelter.project_id, of.id, SOMEBODY)
    import_job.run_waiting()
    done = reload_import(of)
    assert (done.state, done.failure) == ("undone", "")
    assert UndoCounts(**json.loads(done.undone or "{}")) == found, "the confirmation shows the same numbers"
    return found


def set_animal(code: str, **values: Any) -> None:
    with transaction() as session:
        session.execute(update(Animal).where(Animal.code == code).values(values))


def without_times(animals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in each.items() if key not in ("updated_at", "revision")}
        for each in animals
    ]


def test_an_undo_restores_everything(shelter: Shelter) -> None:
    run_import(shelter, BEFORE)
    before = stored_animals(shelter)
    made, _ = run_import(shelter, FILE)
    assert len(stored_animals(shelter)) == 4
    assert undo_import(shelter, made) == UndoCounts(deleted=2, restored=1)
    assert without_times(stored_animals(shelter)) == without_times(before)
    with reading() as session:
        actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
        assert actions[-2:] == ["import.undo-started", "import.undone"]
        assert session.scalar(select(func.count()).select_from(ImportChange)) == 1, "of the first import"
    _, again_in = run_import(shelter, FILE)
    assert (again_in["created"], again_in["updated"]) == (2, 1)


def test_an_undo_keeps_later_changes(shelter: Shelter) -> None:
    run_import(shelter, BEFORE)
    made, _ = run_import(shelter, FILE)
    set_animal("A1", name="Maximilian")
    set_animal("A3", description="Typed by the staff")
    assert undo_import(shelter, made) == UndoCounts(deleted=1, removed=1, restored=1, kept=1)
    animals = {each["code"]: each for each in stored_animals(shelter)}
    assert (animals["A1"]["name"], animals["A1"]["breed_primary"]) == ("Maximilian", "Beagle")
    assert animals["A3"]["removed_at"] is not None
    assert animals["A3"]["description"] == "Typed by the staff"
    assert "A4" not in animals


def test_an_undo_keeps_and_reports_animals_with_applications(shelter: Shelter) -> None:
    made, _ = run_import(shelter, FILE)
    animal = stored_animals(shelter)[2]
    now = datetime.now(UTC)
    with transaction() as session:
        session.add(
            Order(
                project_id=shelter.project_id,
                animal_id=animal["id"],
                status="placed",
                created_at=now,
                updated_at=now,
            )
        )
    assert undo_import(shelter, made) == UndoCounts(deleted=3, with_applications=1)
    assert [each["code"] for each in stored_animals(shelter)] == ["A3"]


def test_a_killed_undo_is_resumed(shelter: Shelter) -> None:
    rows = "".join(f"B{number},Rex {number},Dog\n" for number in range(60))
    made, _ = run_import(shelter, f"code,name,species\n{rows}")
    undo.request_undo(shelter.project_id, made.id, SOMEBODY)
    with pytest.raises(Killed):
        import_job.run_waiting(now=clock_that_raises(1, 0, Killed()))
    assert 0 < len(stored_animals(shelter)) < 60
    import_job.run_waiting(now=much_later)
    assert (reload_import(made).state, stored_animals(shelter)) == ("undone", [])
    assert json.loads(reload_import(made).undone)["deleted"] == 60


def test_a_cancelled_import_can_be_undone(shelter: Shelter) -> None:
    made = start(shelter, "code,name,species\n" + "".join(f"B{n},Rex {n},Dog\n" for n in range(60)))
    with pytest.raises(Killed):
        import_job.run_waiting(now=clock_that_raises(25, 0, Killed()))
    with transaction() as session:
        session.execute(update(Import).values(state="cancelled", finished_at=datetime.now(UTC)))
    assert undo_import(shelter, made).deleted == 25
    assert stored_animals(shelter) == []


def test_an_undo_deletes_the_photos_of_the_import(shelter: Shelter) -> None:
    with webservers.serving() as web:
        web.paths["/rex.jpg"] = webservers.respond_with(photo())
        start(shelter, "code,name,species\nA1,Rex,Dog\n")
        import_job.run_waiting()
        header = "ID,AnimalName,Type,photo1\n"
        file = f"{header}A1,Rex,Dog,{web.at('/rex.jpg')}\nA2,Bo,Dog,{web.at('/rex.jpg')}\n"
        made = start(shelter, file)
        import_job.run_waiting(fetch_context(web))
        assert reload_import(made).photos_done == 2
    assert undo_import(shelter, made) == UndoCounts(deleted=1, photos=1)
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Photo)) == 0


def test_an_undo_lifts_a_hold_of_the_import(shelter: Shelter) -> None:
    run_import(shelter, "code,name,species\nA1,Rex,Dog\n")
    made, _ = run_import(shelter, "code,name,species,status\nA1,Rex,Dog,hold\n")
    assert stored_animals(shelter)[0]["listed"] is False
    undo_import(shelter, made)
    with reading() as session:
        assert session.scalars(select(CareRecord.on_hold)).all() == [False]
    assert stored_animals(shelter)[0]["listed"] is True


def test_an_import_that_cannot_be_undone_has_a_reason(shelter: Shelter, neighbour: Shelter) -> None:
    made, _ = run_import(shelter, BEFORE)
    tried, _ = run_import(shelter, FILE, dry_run=True)
    with pytest.raises(NotFound):
        undo.count_undo(neighbour.project_id, made.id)
    with pytest.raises(Conflict):
        undo.request_undo(shelter.project_id, tried.id, SOMEBODY)
    later = datetime.now(UTC) + timedelta(days=31)
    with pytest.raises(Conflict, match="30 days"):
        undo.request_undo(shelter.project_id, made.id, SOMEBODY, later)
    undo.forget_undo_records(later)
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(ImportChange)) == 0


def test_an_undo_shows_no_animal_that_was_put_on_hold_after_the_import(shelter: Shelter) -> None:
    run_import(shelter, "code,name,species,listed\nA1,Rex,Dog,yes\n")
    made, _ = run_import(shelter, "code,name,species,listed\nA1,Max,Dog,no\n")
    assert stored_animals(shelter)[0]["listed"] is False
    with transaction() as session:
        session.add(CareRecord(animal_id=stored_animals(shelter)[0]["id"], on_hold=True))
    assert undo_import(shelter, made) == UndoCounts(restored=1)
    animal = stored_animals(shelter)[0]
    assert (animal["name"], animal["listed"], animal["on_hold"]) == ("Rex", False, True)


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_cancelled_import_that_is_restarted_can_be_undone(shelter: Shelter, dry_run: bool) -> None:
    made, _ = run_import(shelter, FILE)
    with transaction() as session:
        session.execute(update(Import).values(state="cancelled"))
    start_and_cancel.request_run(shelter.project_id, made.id, dry_run, SOMEBODY)
    import_job.run_waiting()
    assert undo_import(shelter, made).deleted == 4
    assert stored_animals(shelter) == []
