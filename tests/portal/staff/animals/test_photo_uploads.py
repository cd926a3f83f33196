"""Photos that are being processed: on the page of their animal, on public pages, and in the queue."""

import io
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from adoption import media_sweep
from adoption.animals import photo_upload_job
from adoption.animals.image_encoding import Picture, develop
from adoption.animals.image_format_detection import BROKEN
from adoption.animals.image_subprocess import ProcessLost
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photo_upload_job import (
    ATTEMPTS_MOST,
    GIVEN_UP,
    STALE_AFTER,
    process_next,
    process_waiting,
)
from adoption.animals.photo_uploads import WAITING_MOST
from adoption.animals.photos import remove_photo
from adoption.clocks import utc_now
from adoption.errors import FileRefused, Unavailable
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import the_media_store
from tests.cast import Colleague
from tests.locks import wait_until_blocked
from tests.pages import ParsedPage
from tests.photographs import BLUE, GREEN, RED, photo
from tests.portal.staff.animals.test_photos import HTMX, MULTIPART, ids_of, picture
from tests.staffing import add_animal, audit_entries, stored_animal

pytestmark = pytest.mark.settings("embedded")

Run = Callable[[str], None]


def send(who: Colleague, animal_id: int, *files: object, alt: str = "", htmx: bool = False) -> str:
    form = {"photos": list(files), "alt": alt}
    answer = who.post(
        f"animals/{animal_id}/photos", form, content_type=MULTIPART, headers=HTMX if htmx else {}
    )
    assert answer.status_code == (200 if htmx else 303), answer.text
    return answer.text


def uploads() -> list[PhotoUpload]:
    with reading() as session:
        return list(session.scalars(select(PhotoUpload).order_by(PhotoUpload.id)))


def files_in(app: APIFlask) -> set[str]:
    folder = Path(app.config["HOMEWARD"].media_url)
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}


def broken() -> tuple[io.BytesIO, str]:
    """A damaged photo with a valid beginning."""
    return io.BytesIO(photo("PNG")[:300]), "rex.png"


def never(_data: bytes) -> Picture:
    raise AssertionError("it was processed")


def test_an_uploaded_photo_is_not_public_until_it_is_processed(
    owner: Colleague, client: FlaskClient, put_off: Run
) -> None:
    id_ = add_animal(owner, "Rex", listed=True)
    tile = send(owner, id_, picture(RED), alt="Rex in the snow", htmx=True)
    [upload] = uploads()
    assert 'data-state="waiting"' in tile
    assert "rex.jpg</bdi> is being processed" in tile
    assert ids_of(id_) == []
    assert "</bdi> is being processed" in owner.get(f"animals/{id_}").text
    for page in (f"/animals/{id_}", "/", f"/media/{upload.file_key}"):
        assert "/media/" not in "".join(
            str(each["src"]) for each in ParsedPage(client.get(page).text).all("img")
        )
    assert client.get(f"/media/{upload.file_key}").status_code == 404
    path, poll = f"animals/{id_}/uploads/{upload.id}", {**HTMX, "HX-Target": f"upload-{upload.id}"}
    assert owner.get(path, headers=poll).status_code == 204
    owner.post(f"{path}/description", {"alt": "Rex on the lawn"})
    put_off("process_photos")
    answer = owner.get(path, headers=poll)
    assert f'id="photo-{ids_of(id_)[0]}"' in answer.text
    assert "The photo is ready" in answer.text
    assert stored_animal(id_).photos[0].alt == "Rex on the lawn"
    assert audit_entries(owner) == [("photo.added", f"Rex ({id_})", "Rex on the lawn")]
    assert the_media_store().read(upload.file_key) is None
    assert "</bdi> is being processed" not in owner.get(f"animals/{id_}").text


def test_photos_keep_their_upload_order_and_a_failed_one_says_why(owner: Colleague, put_off: Run) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED), broken(), picture(BLUE), picture(RED))
    process_waiting()
    found = uploads()
    assert [each.photo_id for each in found] == [ids_of(id_)[0], None, ids_of(id_)[1], ids_of(id_)[0]]
    assert [each.is_repeat for each in found] == [False, False, False, True]
    page = owner.get(f"animals/{id_}").text
    assert f"<bdi>rex.png</bdi>: {BROKEN}" in page
    path, poll = f"animals/{id_}/uploads/{found[1].id}", {**HTMX, "HX-Target": "upload"}
    assert f"rex.png: {BROKEN}" in owner.get(path, headers=poll).text.replace("<bdi>", "").replace(
        "</bdi>", ""
    )
    repeat = owner.get(f"animals/{id_}/uploads/{found[3].id}", headers=poll).text
    assert repeat.startswith('<p id="announcer"')
    owner.post(f"{path}/removal")
    assert BROKEN not in owner.get(f"animals/{id_}").text


def test_a_duplicate_photo_keeps_its_alt_text(owner: Colleague, put_off: Run) -> None:
    id_ = add_animal(owner, "Rex")
    for alt in ("", "Rex on the lawn", "Rex asleep"):
        send(owner, id_, picture(RED), alt=alt)
        process_waiting()
    _, described, refused = (f"animals/{id_}/uploads/{each.id}" for each in uploads())
    assert stored_animal(id_).photos[0].alt == "Rex on the lawn", "the photo had none"
    poll = {**HTMX, "HX-Target": "upload"}
    item = owner.get(described, headers=poll).text
    assert 'hx-swap-oob="true"' in item.partition("</li>")[0]
    assert 'value="Rex on the lawn"' in item
    reason = "already, described as “Rex on the lawn”. Your description was not saved: “{}”."
    assert reason.format("Rex asleep") in owner.get(refused, headers=poll).text
    assert reason.format("Rex asleep") in owner.get(f"animals/{id_}").text
    owner.post(f"{refused}/description", {"alt": "Rex awake"})
    assert reason.format("Rex awake") in owner.get(f"animals/{id_}").text
    owner.post(f"{described}/description", {"alt": ""})
    owner.post(f"{refused}/removal")
    assert "Your description" not in owner.get(f"animals/{id_}").text
    assert [each.alt for each in stored_animal(id_).photos] == ["Rex on the lawn"]


def test_a_waiting_photo_can_be_removed_and_counts_for_limits(
    owner: Colleague, put_off: Run, app: APIFlask
) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, *(picture((number, 0, 0)) for number in range(20)))
    assert len(uploads()) == 20
    assert re.findall(r'hx-trigger="every (\d+)s"', owner.get(f"animals/{id_}").text) == [
        str(seconds) for seconds in range(2, 22)
    ]
    send(owner, id_, picture(GREEN))
    assert "at most 20 photos" in owner.get(f"animals/{id_}").text
    first = uploads()[0]
    owner.post(f"animals/{id_}/uploads/{first.id}/removal", headers={**HTMX, "HX-Target": "x"})
    assert first.file_key not in files_in(app)
    poll = {**HTMX, "HX-Target": "x"}
    assert owner.get(f"animals/{id_}/uploads/{first.id}", headers=poll).text == ""
    other = {"account_id": owner.account_id, "animal_id": add_animal(owner, "Bo"), "file_key": "uploads/00"}
    with transaction() as session:
        session.add_all(PhotoUpload(**other, created_at=utc_now()) for _ in range(WAITING_MOST - 19))
    send(owner, id_, picture(GREEN))
    assert (
        f"{WAITING_MOST} photos of your account are still being processed" in owner.get(f"animals/{id_}").text
    )


def test_a_photo_processed_meanwhile_is_described_and_not_removed(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED))
    [upload] = uploads()
    path = f"animals/{id_}/uploads/{upload.id}"
    owner.post(f"{path}/description", {"alt": "Rex on the lawn"})
    assert stored_animal(id_).photos[0].alt == "Rex on the lawn"
    assert f'id="photo-{ids_of(id_)[0]}"' in owner.post(f"{path}/removal", headers=HTMX).text
    owner.post(f"{path}/removal")
    assert "Remove it there if you do not want it" in owner.get(f"animals/{id_}").text
    assert [each.id for each in uploads()] == [upload.id]
    assert len(ids_of(id_)) == 1


def test_photos_of_accounts_are_processed_in_turns(
    owner: Colleague, outsider: Colleague, put_off: Run
) -> None:
    theirs, mine = add_animal(owner, "Rex"), add_animal(outsider, "Bo")
    send(owner, theirs, *(picture((number, 0, 0)) for number in range(4)))
    send(outsider, mine, picture(RED))
    assert process_next(develop)
    assert process_next(develop)
    done = [each.account_id for each in uploads() if each.finished_at]
    assert sorted(done) == sorted([owner.account_id, outsider.account_id])
    # While one worker processes a photo of an account, no other worker takes the account's next photo.
    with transaction() as session:
        waiting = select(func.min(PhotoUpload.id)).where(PhotoUpload.finished_at.is_(None)).scalar_subquery()
        session.execute(
            update(PhotoUpload).where(PhotoUpload.id == waiting).values(claimed_at=utc_now(), attempts=1)
        )
    assert not process_next(never)


def test_a_photo_that_kills_its_worker_repeatedly_fails(owner: Colleague, put_off: Run) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED), picture(BLUE))
    tried = []

    def dying(data: bytes) -> Picture:
        tried.append(data)
        raise ProcessLost("it was killed")

    for _ in range(ATTEMPTS_MOST):
        process_next(dying)
    process_next(never)
    assert len(tried) == ATTEMPTS_MOST
    assert [each.failure for each in uploads()] == [GIVEN_UP, ""]
    with transaction() as session:
        session.execute(
            update(PhotoUpload)
            .where(PhotoUpload.failure == "")
            .values(claimed_at=utc_now() - STALE_AFTER * 2)
        )
    process_waiting()
    assert len(ids_of(id_)) == 1


def test_an_unavailable_media_store_costs_a_photo_no_attempt(owner: Colleague, put_off: Run) -> None:
    send(owner, add_animal(owner, "Rex"), picture(RED))

    def away(_data: bytes) -> Picture:
        raise Unavailable("The photos cannot be reached at the moment.")

    with pytest.raises(Unavailable):
        process_waiting(away)
    [upload] = uploads()
    assert (upload.attempts, upload.claimed_at, upload.failure) == (0, None, "")


def test_no_photo_is_decoded_in_a_web_worker(
    owner: Colleague, put_off: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import ImageFile

    decoded = []
    load = ImageFile.ImageFile.load
    sent = [picture(RED), (io.BytesIO(photo("PNG")), "a.png"), (io.BytesIO(photo("WEBP")), "a.webp")]
    monkeypatch.setattr(
        ImageFile.ImageFile, "load", lambda self: (decoded.append(self.format), load(self))[1]
    )
    id_ = add_animal(owner, "Rex")
    send(owner, id_, *sent)
    put_off("process_photos")
    assert len(ids_of(id_)) == 3
    assert decoded == []


def test_only_files_without_a_row_are_removed_after_a_day(
    owner: Colleague, put_off: Run, app: APIFlask
) -> None:
    tomorrow = utc_now() + timedelta(days=1, minutes=1)
    media_sweep.sweep_media(tomorrow)  # files of other tests
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED), picture(BLUE))
    put_off("process_photos")
    one, two = ids_of(id_)
    send(owner, id_, picture(GREEN))
    owner.post("imports", {"file": (io.BytesIO(b"name,species\nRex,Dog\n"), "a.csv")})
    rows = files_in(app)
    digest = "a" * 64
    orphans = {
        "uploads/0a",
        "imports/0a",
        "imports/0a.refused.csv",
        f"{digest}-400.avif",
        f"{digest}-share.jpeg",
    }
    the_media_store().keep(dict.fromkeys(sorted({*orphans, "notes.txt"}), b"x"))
    media_sweep.sweep_media()
    assert orphans <= files_in(app)
    with transaction() as session:  # as if the process had died before the removal of the files
        digest = session.scalars(select(Photo.digest).where(Photo.id == two)).one()
        session.execute(Photo.__table__.delete().where(Photo.id == two))  # type: ignore[attr-defined]
    media_sweep.sweep_media(tomorrow)
    gone = {each for each in rows if each.startswith(digest)}
    assert gone
    assert rows - gone <= files_in(app)
    assert not (orphans | gone) & files_in(app)
    assert "notes.txt" in files_in(app)
    remove_photo(owner.project_id, id_, one)
    the_media_store().drop(["notes.txt"])


def test_a_crash_between_file_and_row_leaves_no_file(
    owner: Colleague, put_off: Run, app: APIFlask, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_, before = add_animal(owner, "Rex"), files_in(app)
    send(owner, id_, picture(RED))

    def full(*_args: object) -> None:
        raise MemoryError

    monkeypatch.setattr(photo_upload_job, "add_stored_photo", full)
    process_next()
    assert {each for each in files_in(app) - before if not each.startswith("uploads/")} == set()


def test_a_photo_with_an_internal_error_fails_and_the_next_ones_are_processed(
    owner: Colleague, put_off: Run, caplog: pytest.LogCaptureFixture
) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED), picture(BLUE))
    faulty = the_media_store().read(uploads()[0].file_key)

    def unsure(data: bytes) -> Picture:
        if data == faulty:
            raise IntegrityError(None, None, ValueError("a row that breaks a rule"))
        return develop(data)

    process_waiting(unsure)
    assert [each.failure for each in uploads()] == [GIVEN_UP, ""]
    assert len(ids_of(id_)) == 1
    assert "Traceback" in caplog.text


def test_a_worker_that_lost_its_lease_stores_no_photo(owner: Colleague, put_off: Run) -> None:
    id_ = add_animal(owner, "Rex")
    send(owner, id_, picture(RED))

    def late(_data: bytes) -> Picture:
        assert photo_upload_job.claim_next_upload(utc_now() + STALE_AFTER * 2) is not None
        raise endings.pop()

    for ending in (FileRefused(BROKEN), ProcessLost("it was killed"), Unavailable("no store")):
        endings = [ending]
        with suppress(Unavailable):
            process_next(late)
        [upload] = uploads()
        assert upload.claimed_at is not None
        assert upload.finished_at is None
        assert the_media_store().has(upload.file_key)
        with transaction() as session:
            session.execute(update(PhotoUpload).values(claimed_at=None, attempts=0))


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
@pytest.mark.parametrize("gone", ["photo", "animal"])
def test_a_photo_that_is_removed_while_a_worker_claims_it_is_not_processed(
    owner: Colleague, put_off: Run, app: APIFlask, gone: str
) -> None:
    send(owner, add_animal(owner, "Rex"), picture(RED))

    def claim() -> object:
        with app.app_context():
            return photo_upload_job.claim_next_upload(utc_now())

    with ThreadPoolExecutor() as pool:
        with transaction() as session:
            session.execute(delete(PhotoUpload if gone == "photo" else Animal))
            session.flush()
            work = pool.submit(claim)
            wait_until_blocked(work)
        assert work.result() is None
    assert not process_next(never)
