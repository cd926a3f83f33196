"""The daily comparison of stored files with their rows."""

from datetime import datetime, timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import delete, select

from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photo_variants import jpeg_file_name, photo_file_names, social_media_file_name
from adoption.animals.photos import add_photo
from adoption.clocks import utc_now
from adoption.media_sweep import SERVICES, UNTOUCHED_FOR, sweep_media
from adoption.operator_alerts.causes import FILES_MISSING, FILES_SHARED
from adoption.operator_alerts.models import OperatorAlert
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import MediaStore
from tests import factories
from tests.adoption.storage.test_media_store import store as store
from tests.photographs import photo, scene

pytestmark = pytest.mark.settings("embedded")


def tomorrow() -> datetime:
    return utc_now() + UNTOUCHED_FOR + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def use_store(app: APIFlask, store: MediaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "homeward.photos", store)


def names_in(store: MediaStore) -> set[str]:
    return {each.name for each in store.files() if not each.name.startswith(f"{SERVICES}/")}


def alert(cause: str) -> OperatorAlert | None:
    with reading() as session:
        return session.scalar(
            select(OperatorAlert).where(OperatorAlert.cause == cause, OperatorAlert.closed_at.is_(None))
        )


def test_old_files_without_a_row_are_removed(elm: Project, store: MediaStore) -> None:
    id_ = factories.animal(elm)
    one, other = (add_photo(elm.id, id_, photo(picture=scene(width))) for width in (288, 304))
    store.keep({"uploads/0a": b"x", "imports/0a.refused.csv": b"x", "notes.txt": b"x"})
    with transaction() as session:  # as if the process had died before the removal of the files
        session.execute(delete(Photo).where(Photo.id == other.id))
    assert sweep_media() == 0
    assert sweep_media(tomorrow()) == len(photo_file_names(other.digest, other.width)) + 2
    assert names_in(store) == {*photo_file_names(one.digest, one.width), "notes.txt"}
    assert alert(FILES_MISSING) is None


def test_upload_files_of_processed_photos_are_removed(elm: Project, store: MediaStore) -> None:
    upload = {"account_id": elm.account_id, "animal_id": factories.animal(elm), "created_at": utc_now()}
    with transaction() as session:
        session.add(PhotoUpload(**upload, file_key="uploads/0a", finished_at=tomorrow()))
        session.add(PhotoUpload(**upload, file_key="uploads/0b"))
    store.keep({"uploads/0a": b"x", "uploads/0b": b"x"})
    assert sweep_media(tomorrow()) == 1
    assert names_in(store) == {"uploads/0b"}


def test_missing_photo_files_are_reported_until_they_are_back(elm: Project, store: MediaStore) -> None:
    ids = [factories.animal(elm) for _ in range(12)]
    for id_ in ids:
        kept = add_photo(elm.id, id_, photo())
    lost = photo_file_names(kept.digest, kept.width)[0]
    content = store.read(lost) or b""
    store.drop([lost, social_media_file_name(kept.digest)])
    store.keep({jpeg_file_name(kept.digest, kept.width): b"x"})
    sweep_media()
    assert alert(FILES_MISSING) is None, "they may be about to be written"
    sweep_media(tomorrow())
    found = alert(FILES_MISSING)
    assert found is not None
    assert found.detail == f"12 photos, of animals {', '.join(map(str, ids[:10]))} and 2 more."
    store.keep({lost: content})
    sweep_media(tomorrow() + timedelta(days=1))
    assert alert(FILES_MISSING) is None, "older photos have no file for sharing"


def test_no_file_is_removed_while_another_service_uses_the_store(
    app: APIFlask, elm: Project, store: MediaStore
) -> None:
    theirs = {f"{'a' * 64}-400.webp", "uploads/0a"}
    store.keep(dict.fromkeys(sorted(theirs), b"x") | {f"{SERVICES}/other.example": b""})
    for _ in range(2):
        assert sweep_media(tomorrow()) == 0
    assert names_in(store) == theirs
    found = alert(FILES_SHARED)
    assert found is not None
    assert "other.example" in found.detail
    assert f"This service is {app.config['HOMEWARD'].platform_name}." in found.detail
    store.drop([f"{SERVICES}/other.example"])
    assert sweep_media(tomorrow() + timedelta(days=1)) == 2
    assert alert(FILES_SHARED) is None
