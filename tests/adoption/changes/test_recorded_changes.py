"""What each change of an animal records: its revision, two dates, and its row of ``changes``."""

import io
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from apiflask import APIFlask
from sqlalchemy import delete, func, select, text, update

from adoption.accounts.api_access import api_keys
from adoption.animals import visibility_job
from adoption.animals.models import Animal
from adoption.audit.actors import OPERATOR
from adoption.changes.models import AnimalChange
from adoption.changes.triggers import DERIVED, SET_BY_TRIGGERS, UNSEEN, seen_columns
from adoption.imports import import_job, start_and_cancel, undo, uploads
from adoption.projects.models import Deploy, Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import db, reading, transaction
from tests import factories
from tests.cast import Colleague
from tests.deciding import apply_and_confirm, take_steps
from tests.factories import NOW
from tests.photographs import photo
from tests.staffing import NEW, add_animal, form_in, photo_file, stored_animal


class Recorded(NamedTuple):
    revision: int
    status_changed_at: datetime | None
    shown_at: datetime | None
    order: tuple[int, int]


def recorded(animal_id: int) -> Recorded:
    with reading() as session:
        kept = select(Animal.revision, Animal.status_changed_at, Animal.shown_at).where(
            Animal.id == animal_id
        )
        row = session.execute(kept).one()
        change = session.get_one(AnimalChange, animal_id)
        return Recorded(*row, (change.xid, change.seq))


def edit(owner: Colleague, animal_id: int, **values: str) -> None:
    form = form_in(owner.get(f"animals/{animal_id}").text) | values
    assert owner.post(f"animals/{animal_id}", form).status_code == 303


def press(button: str, **form: str) -> Callable[[Colleague, int], None]:
    def change(owner: Colleague, animal_id: int) -> None:
        sent = {name.replace("_id", f"-{animal_id}"): value for name, value in form.items()}
        assert owner.post(f"animals/{animal_id}/changes", {"do": button, **sent}).status_code == 303

    return change


def change_photo(path: str, photo_at: int = 1, **form: str) -> Callable[[Colleague, int], None]:
    def change(owner: Colleague, animal_id: int) -> None:
        photo_id = stored_animal(animal_id).photos[photo_at].id
        assert owner.post(f"animals/{animal_id}/photos/{photo_id}/{path}", form).status_code == 303

    return change


def order_photos(owner: Colleague, animal_id: int) -> None:
    ids = [str(photo.id) for photo in reversed(stored_animal(animal_id).photos)]
    assert owner.post(f"animals/{animal_id}/photos/order", {"order": ",".join(ids)}).status_code == 303


def add_photo(owner: Colleague, animal_id: int) -> None:
    form = {"photos": [photo_file()]}
    owner.post(f"animals/{animal_id}/photos", form, content_type="multipart/form-data")
    assert len(stored_animal(animal_id).photos) == 3


def add_photo_by_command(owner: Colleague, animal_id: int) -> None:
    with owner.client.application.test_cli_runner().isolated_filesystem():
        Path("rex.jpg").write_bytes(photo())
        run(owner, "animals", "add-photo", owner.slug, str(animal_id), "rex.jpg")


def import_by_command(owner: Colleague, _animal_id: int) -> None:
    with owner.client.application.test_cli_runner().isolated_filesystem():
        Path("animals.csv").write_text("code,name,species\nR1,Rexford,Dog\n")
        run(owner, "animals", "import", owner.slug, "animals.csv")


def run(owner: Colleague, *words: str) -> None:
    assert owner.client.application.test_cli_runner().invoke(args=words).exit_code == 0


def import_file(owner: Colleague, _animal_id: int) -> None:
    file = io.BytesIO(b"code,name,species,status\nR1,Rexford,Dog,adopted\n")
    made = uploads.upload_spreadsheet(owner.project_id, "animals.csv", file, OPERATOR)
    start_and_cancel.request_run(owner.project_id, made.id, False, OPERATOR)
    import_job.run_waiting()


def undo_import(owner: Colleague, animal_id: int) -> None:
    with reading() as session:
        [import_id] = session.scalars(text("SELECT id FROM imports"))
    undo.request_undo(owner.project_id, import_id, OPERATOR)
    import_job.run_waiting()


def adopt(owner: Colleague, animal_id: int) -> None:
    client = owner.client.application.test_client()
    take_steps(owner, apply_and_confirm(client, animal_id), "approve", "complete")


def change_many(owner: Colleague, animal_id: int, **form: str) -> None:
    sent = {"do": "status", "status": "sold", "id": str(animal_id)} | form
    assert owner.post("animals/changes", sent).status_code == 303


def undo_change(owner: Colleague, _animal_id: int) -> None:
    address = re.search(r'action="([^"]+/reversal)"', owner.get("animals").text)
    assert address
    owner.post(address[1])


def remove(owner: Colleague, animal_id: int) -> None:
    assert owner.post("animals/removal", {"id": str(animal_id)}).status_code == 303


def unpublish(owner: Colleague, _animal_id: int) -> None:
    assert owner.post("settings/offline").status_code == 303


def publish(owner: Colleague, _animal_id: int) -> None:
    assert owner.post("settings/deploys").status_code == 303


def nothing(_owner: Colleague, _animal_id: int) -> None:
    pass


def bond(owner: Colleague, animal_id: int) -> None:
    edit(owner, add_animal(owner, "Ash"), bonded_with=f"Rex ({animal_id})")


def hold_mate(owner: Colleague, animal_id: int) -> None:
    press("hold")(owner, stored_animal(animal_id).id + 1)


PATHS = {
    "a saved form": (nothing, lambda owner, id_: edit(owner, id_, name="Rexford"), 1, False),
    "a status in a form": (nothing, lambda owner, id_: edit(owner, id_, status="pending"), 1, True),
    "a form without a change": (nothing, edit, 0, False),
    "a new bond": (nothing, bond, 1, False),
    "a bonded animal on hold": (bond, hold_mate, 1, False),
    "a status in the list": (nothing, press("status", status_id="pending"), 1, True),
    "the same status again": (nothing, press("status", status_id="available"), 0, False),
    "a hold": (nothing, press("hold"), 1, False),
    "the end of a hold": (press("hold"), press("unhold"), 1, False),
    "a removal": (nothing, remove, 1, False),
    "an undone removal": (remove, undo_change, 1, False),
    "a bulk change": (nothing, change_many, 1, True),
    "an undone bulk change": (change_many, undo_change, 1, True),
    "a new photo": (nothing, add_photo, 1, False),
    "a new photo by command": (nothing, add_photo_by_command, 1, False),
    "the same photo again": (add_photo, add_photo, 0, False),
    "a described photo": (nothing, change_photo("description", alt="Rex asleep"), 1, False),
    "a moved photo": (nothing, change_photo("position", to="first"), 1, False),
    "photos in another order": (nothing, order_photos, 1, False),
    "a removed photo": (nothing, change_photo("removal", 0), 1, False),
    "an import": (nothing, import_file, 1, True),
    "an import by command": (nothing, import_by_command, 1, False),
    "the same import again": (import_file, import_file, 0, False),
    "an undone import": (import_file, undo_import, 1, True),
    "an adoption": (nothing, adopt, 2, True),
    "an unpublished site": (nothing, unpublish, 1, False),
    "a published site": (unpublish, publish, 1, False),
}
"""The ways to change an animal.

Each has a preparation, the change, by how much the revision grows, and whether the status changes.
"""


@pytest.mark.parametrize("path", PATHS)
def test_each_change_is_recorded(owner: Colleague, path: str) -> None:
    prepare, change, growth, is_new_status = PATHS[path]
    animal_id = add_animal(owner, "Rex", code="R1", photos=2)
    prepare(owner, animal_id)
    before = recorded(animal_id)
    change(owner, animal_id)
    after = recorded(animal_id)
    assert after.revision - before.revision == growth
    assert (after.order > before.order) == bool(growth)
    assert (after.status_changed_at != before.status_changed_at) == is_new_status
    if is_new_status:
        assert after.status_changed_at == stored_animal(animal_id).updated_at
    assert after.shown_at == NOW, "it never moves back or forward"


def add_by_form(owner: Colleague) -> None:
    assert owner.post("animals/new", NEW).status_code == 303


def add_by_api(owner: Colleague) -> None:
    _, key = api_keys.create_key(owner.slug)
    headers = {"Authorization": f"Bearer {key}"}
    answer = owner.client.post("/v1/pets", json={"name": "Biscuit", "categoryId": 1}, headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize("add", [add_by_form, add_by_api, lambda owner: import_file(owner, 0)])
@pytest.mark.parametrize("is_published", [True, False])
def test_a_new_animal_is_shown_since_it_was_added_or_published(
    owner: Colleague, add: Callable[[Colleague], None], is_published: bool
) -> None:
    if not is_published:
        unpublish_site(owner.project_id)
    add(owner)
    with reading() as session:
        animal = session.scalars(select(Animal)).one()
    assert (animal.revision, animal.status_changed_at) == (1, animal.created_at)
    assert animal.shown_at == (animal.created_at if is_published else None)
    assert recorded(animal.id).order
    if not is_published:
        deploy = publish_site(owner.slug)
        assert recorded(animal.id).shown_at == deploy.created_at


def test_an_animal_on_hold_is_shown_since_its_release(owner: Colleague) -> None:
    animal_id = add_animal(owner, "Hush", listed=False, care={"on_hold": True})
    assert recorded(animal_id).shown_at is None
    press("unhold")(owner, animal_id)
    assert recorded(animal_id).shown_at == stored_animal(animal_id).updated_at
    first = recorded(animal_id).shown_at
    press("hold")(owner, animal_id)
    press("unhold")(owner, animal_id)
    assert recorded(animal_id).shown_at == first


def test_animals_of_a_large_site_are_shown_since_it_was_published(app: APIFlask) -> None:
    project = factories.project(published=False)
    row = {"project_id": project.id, "category_id": 1, "status": "available", "words": ""}
    row |= {"name": "Acorn", "created_at": NOW, "updated_at": NOW}
    with transaction() as session:
        session.execute(Animal.__table__.insert(), [row] * (visibility_job.PORTION + 1))
    deploy = publish_site(project.slug)
    visibility_job.apply_all(pause=lambda _: None)
    with reading() as session:
        assert session.scalars(select(Animal.shown_at).distinct()).all() == [deploy.created_at]
        assert session.scalars(select(Animal.revision).distinct()).all() == [2]


def test_changes_remain_after_their_animals(owner: Colleague) -> None:
    animal_id = add_animal(owner, "Rex")
    before = recorded(animal_id).order
    with transaction() as session:
        session.execute(delete(Deploy))
        session.execute(delete(Project).where(Project.id == owner.project_id))
    with reading() as session:
        change = session.get_one(AnimalChange, animal_id)
        assert session.scalar(select(func.count()).select_from(Animal)) == 0
    assert (change.xid, change.seq) > before
    assert change.project_id == owner.project_id


def test_leaving_the_directory_is_a_change_of_each_shown_animal(owner: Colleague) -> None:
    shown, hidden = add_animal(owner, "Rex"), add_animal(owner, "Hush", listed=False)
    before = [recorded(id_) for id_ in (shown, hidden)]
    with transaction() as session:
        session.execute(update(Project).values(in_directory=False))
    after = [recorded(id_) for id_ in (shown, hidden)]
    assert after[0].order > before[0].order
    assert (after[0].revision, after[1]) == (before[0].revision, before[1])


def test_the_triggers_see_every_column(app: APIFlask) -> None:
    """A new column of ``animals`` needs a migration that creates the triggers again."""
    with db.engine.connect() as connection:
        names = seen_columns(connection)
        every = {column.name for column in Animal.__table__.columns}
        assert set(names) == every - UNSEEN - DERIVED - SET_BY_TRIGGERS
        if db.engine.dialect.name == "sqlite":
            sql = "SELECT sql FROM sqlite_master WHERE name = 'animals_changed_after_update'"
        else:
            sql = "SELECT prosrc FROM pg_proc WHERE proname = 'animals_revised'"
        source = connection.scalar(text(sql))
    assert [name for name in names if f"NEW.{name}," not in source and f"NEW.{name})" not in source] == []
