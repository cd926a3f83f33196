"""Import jobs: results, cancellation, jobs that are killed, and photo downloads."""

import errno
import io
import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from adoption.animals import photo_uploads
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photo_upload_job import TURNS
from adoption.animals.photo_uploads import receive_photo
from adoption.audit.models import AuditEntry
from adoption.clocks import utc_now
from adoption.errors import Conflict, FileRefused, Invalid, NotFound
from adoption.imports import (
    file_storage,
    import_choices,
    import_job,
    job_lease,
    row_reports,
    start_and_cancel,
    uploads,
)
from adoption.imports.job_lease import Clock
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.queries import STALE_AFTER
from adoption.imports.safe_fetch import FetchContext
from adoption.projects.models import Project
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage.database import reading, transaction
from tests import factories
from tests.adoption.imports import webservers
from tests.adoption.imports.conftest import FILE, SOMEBODY, reload_import, run_import, start, upload
from tests.adoption.imports.webservers import PhotoServer
from tests.adoption.spreadsheets.sheets import stored_animals
from tests.cast import Shelter
from tests.photographs import photo

MANY = "code,name,species\n" + "".join(f"A{number},Rex {number},Dog\n" for number in range(60))


def set_values(of: Import, **values: Any) -> None:
    with transaction() as session:
        session.execute(update(Import).where(Import.id == of.id).values(values))


def audit_actions() -> list[str]:
    with reading() as session:
        return list(
            session.scalars(
                select(AuditEntry.action).where(AuditEntry.action.like("import.%")).order_by(AuditEntry.id)
            )
        )


class Killed(BaseException):
    """The end of the process. No code catches this exception."""


def clock_that_raises(rows: int, photos: int, met: BaseException) -> Clock:
    """Return a clock that raises ``met`` once, as soon as these numbers of rows and photos are done."""
    left = [met]

    def now() -> datetime:
        with reading() as session:
            each = session.scalars(select(Import).where(Import.state == "running")).first()
        if each and each.rows_total and each.rows_done >= rows and each.photos_done >= photos and left:
            raise left.pop()
        return datetime.now(UTC)

    return now


def much_later() -> datetime:
    return datetime.now(UTC) + STALE_AFTER * 2


def test_an_import_stores_rows_and_reports_the_result(shelter: Shelter) -> None:
    done, result = run_import(shelter)
    assert (done.state, done.rows_done, done.rows_total) == ("done", 3, 3)
    assert (result["created"], result["refused_count"], result["warnings_count"]) == (2, 1, 1)
    assert result["refused"][0]["row"] == 3
    assert [each["name"] for each in stored_animals(shelter)] == ["Rex", "Possy"]
    assert audit_actions() == ["import.started", "import.finished"]


def test_a_dry_run_reports_the_same_and_writes_nothing(shelter: Shelter) -> None:
    tried, would = run_import(shelter, dry_run=True)
    assert (tried.state, stored_animals(shelter)) == ("done", [])
    start_and_cancel.request_run(shelter.project_id, tried.id, False, SOMEBODY)
    import_job.run_waiting()
    result = json.loads(reload_import(tried).result)
    assert {**would, "dry_run": False} == result
    assert len(stored_animals(shelter)) == 2


def test_importing_the_same_file_again_changes_nothing(shelter: Shelter) -> None:
    run_import(shelter)
    before = stored_animals(shelter)
    _, result = run_import(shelter)
    assert (result["created"], result["updated"], result["unchanged"]) == (0, 0, 2)
    assert stored_animals(shelter) == before


def test_an_import_uses_the_chosen_columns(shelter: Shelter) -> None:
    made = upload(shelter, "code,call name,kind\nA1,Rex,Dog\n")
    chosen = ImportOptions(columns={0: "code", 1: "name", 2: "species"})
    import_choices.store_choices(shelter.project_id, made.id, chosen)
    start_and_cancel.request_run(shelter.project_id, made.id, False, SOMEBODY)
    import_job.run_waiting()
    assert [each["name"] for each in stored_animals(shelter)] == ["Rex"]


def test_an_import_with_open_questions_does_not_start(shelter: Shelter) -> None:
    made = upload(shelter, "name,born\nRex,4/5/2020\n")
    with pytest.raises(Invalid) as why:
        start_and_cancel.request_run(shelter.project_id, made.id, True, SOMEBODY)
    assert {name for name, _ in why.value.violations} == {"category", "day_first"}
    import_choices.store_choices(shelter.project_id, made.id, ImportOptions(category="Dog", day_first=True))
    start_and_cancel.request_run(shelter.project_id, made.id, False, SOMEBODY)
    import_job.run_waiting()
    assert str(stored_animals(shelter)[0]["birth_date"]) == "2020-05-04"


def test_ambiguous_dates_below_the_preview_fail_with_the_question(shelter: Shelter) -> None:
    rows = "".join(f"A{number},Rex,Dog,\n" for number in range(2_100)) + "B1,Bo,Dog,4/5/2020\n"
    made, _ = run_import(shelter, f"code,name,species,born\n{rows}")
    assert made.state == "failed"
    assert "day or the month first" in made.failure
    assert "--" not in made.failure, "a page has no command options"


def kill_after_a_chunk(of: Shelter) -> Import:
    made = start(of, MANY)
    with pytest.raises(Killed):
        import_job.run_waiting(now=clock_that_raises(25, 0, Killed()))
    return made


def test_an_import_killed_half_way_is_resumed_without_loss_or_duplicates(shelter: Shelter) -> None:
    made = kill_after_a_chunk(shelter)
    assert len(stored_animals(shelter)) == 25, "chunks are imported completely or not at all"
    import_job.run_waiting()
    assert reload_import(made).state == "running", "its job may still be running"
    import_job.run_waiting(now=much_later)
    done = reload_import(made)
    result = json.loads(done.result)
    assert (done.state, done.created) == ("done", 60)
    assert (result["created"], result["unchanged"]) == (60, 0), "reported as if it had not been killed"
    assert len(stored_animals(shelter)) == 60


def stored_imports() -> list[Import]:
    with reading() as session:
        return list(session.scalars(select(Import).order_by(Import.id)))


def test_a_job_that_lost_its_lease_writes_nothing(shelter: Shelter) -> None:
    made = start(shelter, MANY)
    first = job_lease.claim_next_import(utc_now)
    assert first is not None
    second = job_lease.claim_next_import(much_later)
    assert second is not None
    import_job.run_claimed_import(first, FetchContext(), utc_now)
    assert (stored_animals(shelter), reload_import(made).state) == ([], "running")
    import_job.run_claimed_import(second, FetchContext(), utc_now)
    assert (len(stored_animals(shelter)), reload_import(made).state) == (60, "done")


def test_one_import_of_a_project_runs_at_a_time(shelter: Shelter, neighbour: Shelter) -> None:
    first, second, theirs = start(shelter), start(shelter), start(neighbour)
    taken = [job_lease.claim_next_import(utc_now) for _ in range(3)]
    assert [claim.import_id for claim in taken if claim] == [first.id, theirs.id]
    assert reload_import(second).state == "waiting"
    with pytest.raises(IntegrityError):
        set_values(second, state="running")
    for claim in filter(None, taken):
        import_job.run_claimed_import(claim, FetchContext(), utc_now)
    import_job.run_waiting()
    assert reload_import(second).state == "done"


def test_an_account_waits_for_at_most_one_import_of_another_account(
    shelter: Shelter, neighbour: Shelter
) -> None:
    job_lease.TURNS.last = 0
    second_site = factories.project("Elm Road Cats")
    with transaction() as session:
        session.get_one(Project, second_site.id).account_id = shelter.account_id
    sites = (shelter, replace(shelter, project_id=second_site.id, slug=second_site.slug))
    first, second = map(start, sites)
    theirs = start(neighbour)
    taken = [job_lease.claim_next_import(utc_now) for _ in range(3)]
    assert [claim.import_id for claim in taken if claim] == [first.id, theirs.id]
    for claim in filter(None, taken):
        import_job.run_claimed_import(claim, FetchContext(), utc_now)
    import_job.run_waiting()
    assert reload_import(second).state == "done"


def test_a_cancelled_import_keeps_whole_chunks_and_their_count(shelter: Shelter) -> None:
    made = kill_after_a_chunk(shelter)
    second = job_lease.claim_next_import(much_later)
    assert second is not None
    start_and_cancel.cancel_import(shelter.project_id, made.id, SOMEBODY)
    assert reload_import(made).state == "running", "the job is running, and will notice"
    import_job.run_claimed_import(second, FetchContext(), utc_now)
    stopped = reload_import(made)
    assert (stopped.state, stopped.created, len(stored_animals(shelter))) == ("cancelled", 25, 25)


def test_a_waiting_or_abandoned_import_is_cancelled_at_once(shelter: Shelter) -> None:
    waiting, dead = start(shelter), upload(shelter)
    assert start_and_cancel.cancel_import(shelter.project_id, waiting.id, SOMEBODY).state == "cancelled"
    set_values(dead, state="running", beat_at=datetime.now(UTC) - STALE_AFTER * 2)
    assert start_and_cancel.cancel_import(shelter.project_id, dead.id, SOMEBODY).state == "cancelled"
    import_job.run_waiting()
    assert stored_animals(shelter) == []
    assert "import.cancelled" in audit_actions()
    with pytest.raises(Conflict):
        start_and_cancel.cancel_import(shelter.project_id, dead.id, SOMEBODY)


def test_an_import_whose_jobs_are_killed_repeatedly_fails(shelter: Shelter) -> None:
    made = start(shelter)
    set_values(made, attempts=import_job.ATTEMPTS_MOST)
    import_job.run_waiting()
    assert (reload_import(made).state, reload_import(made).failure) == ("failed", import_job.TOO_OFTEN)


def test_an_internal_error_fails_the_import_and_the_next_one_runs(shelter: Shelter) -> None:
    made = start(shelter)
    import_job.run_waiting(now=clock_that_raises(3, 0, ZeroDivisionError()))
    assert (reload_import(made).state, reload_import(made).failure) == ("failed", import_job.FAULT)
    assert run_import(shelter)[0].state == "done"


def test_an_import_with_a_full_disk_waits_for_the_next_job(shelter: Shelter) -> None:
    made = start(shelter)
    import_job.run_waiting(now=clock_that_raises(3, 0, OSError(errno.ENOSPC, "No space left on device")))
    assert (reload_import(made).state, reload_import(made).failure) == ("running", "")
    import_job.run_waiting(now=much_later)
    assert reload_import(made).state == "done"


def test_a_report_escapes_formulas(shelter: Shelter) -> None:
    made, _ = run_import(shelter, 'code,name,species,status\n=A1,Rex,Dog,"=HYPERLINK(""x"")"\n')
    report = row_reports.report_of(shelter.project_id, made.id, "warnings").decode("utf-8-sig")
    assert report.splitlines()[0] == "row,column,value,reason"
    assert '"\'=HYPERLINK(""x"")"' in report


def test_an_import_of_another_project_is_not_found_by_the_actions(
    shelter: Shelter, neighbour: Shelter
) -> None:
    made, _ = run_import(shelter)
    for ask in (
        lambda: start_and_cancel.request_run(neighbour.project_id, made.id, False, SOMEBODY),
        lambda: start_and_cancel.cancel_import(neighbour.project_id, made.id, SOMEBODY),
        lambda: import_choices.store_choices(neighbour.project_id, made.id, ImportOptions()),
        lambda: row_reports.report_of(neighbour.project_id, made.id, "refused"),
    ):
        with pytest.raises(NotFound):
            ask()


def test_files_are_deleted_after_30_days_and_the_result_stays(shelter: Shelter) -> None:
    made, result = run_import(shelter)
    fresh = upload(shelter)
    set_values(made, created_at=datetime.now(UTC) - timedelta(days=31))
    assert file_storage.forget_old_files() == 1
    assert (reload_import(made).file_key, json.loads(reload_import(made).result)) == ("", result)
    with pytest.raises(NotFound):
        file_storage.open_import_file(made.file_key)
    assert file_storage.open_import_file(fresh.file_key).read() == FILE.encode()


def test_a_file_that_is_too_large_is_rejected_with_advice(shelter: Shelter) -> None:
    large = io.BytesIO(b"name,species\n" + b"x" * uploads.BYTES_MOST)
    with pytest.raises(FileRefused) as why:
        uploads.upload_spreadsheet(shelter.project_id, "large.csv", large, SOMEBODY)
    assert "20 MB" in why.value.sentence
    assert stored_imports() == []


# Photos


@pytest.fixture
def web() -> Iterator[PhotoServer]:
    with webservers.serving() as serving:
        serving.paths["/rex.jpg"] = webservers.respond_with(photo())
        yield serving


def fetch_context(web: PhotoServer) -> FetchContext:
    return FetchContext(lambda _: ["127.0.0.1"], lambda _: True, frozenset([web.port]), seconds=5)


def with_photos(web: PhotoServer) -> str:
    pictures = (
        f"{web.at('/rex.jpg')},{web.at('/missing.jpg')}\nD2,Bo,Dog,{web.at('/rex.jpg')},rex-as-a-file.jpg"
    )
    web.paths["/missing.jpg"] = webservers.respond_with(b"", 404)
    return f"ID,AnimalName,Type,photo1,photo2\nD1,Rex,Dog,{pictures}\n"


def stored_photos() -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Photo)) or 0


def test_photos_are_downloaded_after_the_rows_and_a_missing_one_is_reported(
    shelter: Shelter, web: PhotoServer
) -> None:
    made = start(shelter, with_photos(web))
    import_job.run_waiting(fetch_context(web))
    done = reload_import(made)
    assert (done.state, done.photos_done, done.photos_total, done.created) == ("done", 3, 3, 2)
    assert stored_photos() == 2
    found = row_reports.report_of(shelter.project_id, made.id, "photos").decode("utf-8-sig").splitlines()
    assert found[1:] == [f"2,photo2,{web.at('/missing.jpg')},the server answers 404"]


def test_photos_of_an_import_take_turns_with_those_of_other_accounts(
    shelter: Shelter, neighbour: Shelter, web: PhotoServer
) -> None:
    animal_id = factories.animal(Project(id=neighbour.project_id))
    other = receive_photo(neighbour.project_id, animal_id, photo("PNG"))
    TURNS.last = shelter.account_id
    start(shelter, with_photos(web))
    import_job.run_waiting(fetch_context(web))
    with reading() as session:
        rows = select(PhotoUpload).order_by(PhotoUpload.finished_at, PhotoUpload.id)
        done = session.scalars(rows).all()
    assert done[0].id == other.id
    assert all(each.finished_at and not each.failure for each in done)
    assert len(done) == 3


def test_the_next_import_downloads_no_stored_photo_again(shelter: Shelter, web: PhotoServer) -> None:
    start(shelter, with_photos(web))
    import_job.run_waiting(fetch_context(web))
    with reading() as session:
        before = session.execute(select(Animal.id, Animal.updated_at).order_by(Animal.id)).all()
    web.asked.clear()
    start(shelter, with_photos(web))
    import_job.run_waiting(fetch_context(web))
    assert ([path for path, _ in web.asked], stored_photos()) == (["/missing.jpg"], 2)
    with reading() as session:
        assert session.execute(select(Animal.id, Animal.updated_at).order_by(Animal.id)).all() == before


@pytest.mark.parametrize("dry_run", [True, False])
def test_no_photo_is_downloaded_in_a_dry_run_or_without_the_option(
    shelter: Shelter, web: PhotoServer, dry_run: bool
) -> None:
    made = upload(shelter, with_photos(web))
    if not dry_run:
        chosen = ImportOptions(photos=False)
        import_choices.store_choices(shelter.project_id, made.id, chosen)
    start_and_cancel.request_run(shelter.project_id, made.id, dry_run, SOMEBODY)
    import_job.run_waiting(fetch_context(web))
    assert (reload_import(made).state, web.asked) == ("done", [])


def test_an_invalid_photo_url_does_not_stop_other_photos(shelter: Shelter, web: PhotoServer) -> None:
    web.paths["/astray"] = webservers.redirect_to("http://[")
    web.paths["/noise"] = lambda to: to.wfile.write(b"noise") and None
    odd = ["http://[", "https://[photo]/1.jpg", "http://a:b:c/", "http://\ufffe/", web.at("/astray")]
    addresses = [*odd, web.at("/noise"), web.at("/rex.jpg")]
    header = ",".join(f"photo{place}" for place, _ in enumerate(addresses, start=1))
    made = start(shelter, f"ID,AnimalName,Type,{header}\nD1,Rex,Dog,{','.join(addresses)}\n")
    import_job.run_waiting(fetch_context(web))
    done = reload_import(made)
    assert (done.state, done.failure, done.photos_done) == ("done", "", len(addresses))
    assert stored_photos() == 1


def test_an_import_killed_during_photos_is_resumed(shelter: Shelter, web: PhotoServer) -> None:
    made = start(shelter, with_photos(web))
    with pytest.raises(Killed):
        import_job.run_waiting(fetch_context(web), clock_that_raises(2, 1, Killed()))
    assert reload_import(made).photos_done == 1
    import_job.run_waiting(fetch_context(web), much_later)
    done = reload_import(made)
    assert (done.state, done.photos_done, json.loads(done.result)["created"]) == ("done", 3, 2)
    assert stored_photos() == 2


def recorded_photos(of: Import) -> list[int | None]:
    """Return the id of each photo that the import has finished."""
    of_import = (ImportPhoto.import_id == of.id, ImportPhoto.done_at.is_not(None))
    with reading() as session:
        return list(session.scalars(select(ImportPhoto.photo_id).where(*of_import).order_by(ImportPhoto.id)))


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_photo_is_recorded_if_the_job_is_killed_after_adding_it(
    shelter: Shelter, web: PhotoServer, is_stopped: bool
) -> None:
    made, left = start(shelter, with_photos(web)), [Killed()]

    def now() -> datetime:
        if stored_photos() and left:
            killed = left.pop()
            if not is_stopped:
                raise killed
            set_values(made, cancelled_at=datetime.now(UTC))
        return datetime.now(UTC)

    with nullcontext() if is_stopped else pytest.raises(Killed):
        import_job.run_waiting(fetch_context(web), now)
    import_job.run_waiting(fetch_context(web), much_later)
    noted = recorded_photos(made)
    assert reload_import(made).state == ("cancelled" if is_stopped else "done")
    assert [each is not None for each in noted] == ([True] if is_stopped else [True, False, True])
    assert [path for path, _ in web.asked].count("/rex.jpg") == stored_photos() == (1 if is_stopped else 2)


def test_a_photo_download_waits_for_unprocessed_photos_of_its_account(
    shelter: Shelter, web: PhotoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_uploads, "WAITING_MOST", 1)
    receive_photo(shelter.project_id, shelter.add("Moss"), photo("PNG"))
    made = start(shelter, with_photos(web))
    import_job.run_waiting(fetch_context(web))
    with reading() as session:
        failures = session.scalars(select(ImportPhoto.failure).where(ImportPhoto.import_id == made.id))
        assert sorted(failures) == ["", "", "the server answers 404"]
    assert stored_photos() == 3


def test_half_a_surrogate_pair_in_a_rejected_row_fails_no_import(shelter: Shelter) -> None:
    half = '{"code": "A1", "name": "Rex\\ud800", "species": "", "extra\\ud800": "x"}'
    made, result = run_import(shelter, f'[{half}, {{"code": "A2", "name": "Bo", "species": "Dog"}}]')
    assert (made.state, result["created"], result["refused_count"]) == ("done", 1, 1)
