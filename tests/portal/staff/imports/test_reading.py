"""Spreadsheets are read by a job, while their page shows progress."""

import io
import re
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import cast

import openpyxl
import pytest
from apiflask import APIFlask
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from adoption.animals.models import Animal
from adoption.clocks import utc_now
from adoption.imports import file_reader_job, import_job
from adoption.imports.file_reader_job import ATTEMPTS_MOST, GIVEN_UP
from adoption.imports.job_lease import ImportClaim
from adoption.imports.models import Import
from adoption.imports.queries import options_of
from adoption.spreadsheets import importer
from adoption.spreadsheets.files import file_reader, xlsx_reader
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage.database import reading, transaction
from tests.adoption.spreadsheets.sheets import make_xlsx
from tests.cast import Colleague
from tests.locks import wait_until_blocked
from tests.portal.staff.imports.test_import_pages import COLUMNS, page_of, poll, upload

pytestmark = pytest.mark.settings("embedded")

Run = Callable[[str], None]
SETUP = {"HX-Request": "true", "HX-Target": "setup"}


def states() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(Import.state).order_by(Import.id)))


@pytest.fixture
def times_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets an entry each time that a file is read."""
    kept = dict(file_reader.READERS)
    times: list[str] = []

    def counted(kind: str) -> file_reader.Reader:
        return lambda *given: (times.append(kind), kept[kind](*given))[1]

    monkeypatch.setattr(file_reader, "READERS", {kind: counted(kind) for kind in kept})
    return times


def test_the_file_is_read_by_a_job_while_the_page_shows_progress(
    owner: Colleague, put_off: Run, times_read: list[str]
) -> None:
    path = page_of(owner, make_xlsx(("code", "name", "species"), ("A1", "Rex", "Dog")))
    page = owner.get(path).text
    assert "Waiting to start" in page
    assert 'http-equiv="refresh"' in page
    assert '<progress class="progress"' in poll(owner, path).text
    assert "Being read" in owner.get("imports").text
    assert owner.post(f"{path}/columns", dict(COLUMNS)).status_code == 409
    assert times_read == []
    put_off("read_imports")
    assert times_read == ["xlsx"]
    assert poll(owner, path).headers["HX-Redirect"] == path
    assert "Rex" in owner.get(path).text


def test_a_changed_column_is_previewed_after_the_file_is_read_again(
    owner: Colleague, put_off: Run, times_read: list[str]
) -> None:
    path = page_of(owner)
    put_off("read_imports")
    answer = owner.post(f"{path}/columns", dict(COLUMNS), headers=SETUP)
    assert "Updating the preview" in answer.text
    assert 'hx-trigger="every 1s"' in answer.text
    assert 'value="name" selected' in answer.text
    assert owner.get(path, headers=SETUP).status_code == 204
    assert 'http-equiv="refresh"' in owner.get(path).text
    assert len(times_read) == 1
    put_off("read_imports")
    after = owner.get(path, headers=SETUP)
    assert "The preview is up to date" in after.text
    assert re.search(r'<span class="strong" dir="auto">Rex</span>', after.text)
    # Choices are kept if they are made while a worker reads the file with earlier choices.
    owner.post(f"{path}/columns", {**COLUMNS, "column-4": "notes"}, headers=SETUP)
    claim = file_reader_job.claim_next_file(utc_now())
    owner.post(f"{path}/columns", {**COLUMNS, "column-4": ""}, headers=SETUP)
    assert claim is not None
    file_reader_job.read_claimed_file(claim, utc_now)
    assert states() == ["reading"]
    put_off("read_imports")
    assert "The preview is up to date" in owner.get(path, headers=SETUP).text


def test_photos_that_are_unticked_while_the_file_is_read_stay_unticked(
    owner: Colleague, put_off: Run, times_read: list[str]
) -> None:
    path = page_of(owner)
    put_off("read_imports")
    owner.post(f"{path}/columns", {**COLUMNS, "photos": "yes"}, headers=SETUP)
    claim = file_reader_job.claim_next_file(utc_now())
    owner.post(f"{path}/columns", dict(COLUMNS), headers=SETUP)
    assert claim is not None
    file_reader_job.read_claimed_file(claim, utc_now)
    assert (states(), len(times_read)) == (["uploaded"], 2)
    with reading() as session:
        assert not options_of(session.scalars(select(Import)).one()).photos


def test_starting_an_import_reads_the_file_again_only_if_a_choice_has_changed(
    owner: Colleague, put_off: Run, times_read: list[str]
) -> None:
    path = page_of(owner)
    put_off("read_imports")
    owner.post(f"{path}/columns", dict(COLUMNS))
    put_off("read_imports")
    assert len(times_read) == 2
    assert owner.post(f"{path}/start", {**COLUMNS, "run": "try"}).status_code == 303
    put_off("read_imports")
    assert (states(), len(times_read)) == (["waiting"], 2)
    import_job.run_waiting()
    # With another choice, the import begins only after the file is read again.
    changed = {**COLUMNS, "column-3": "", "run": "import"}
    assert owner.post(f"{path}/start", changed).status_code == 303
    assert states() == ["reading"]
    assert "Waiting to start" in owner.get(path).text
    put_off("read_imports")
    assert states() == ["waiting"]
    import_job.run_waiting()
    assert states() == ["done"]


def test_an_invalid_choice_is_an_error_after_the_file_is_read(owner: Colleague, put_off: Run) -> None:
    path = page_of(owner)
    put_off("read_imports")
    owner.post(f"{path}/start", {**COLUMNS, "column-4": "name", "run": "import"})
    put_off("read_imports")
    text = owner.get(path).text
    assert 'id="column-4-error"' in text
    assert "<title>Error:" in text
    import_job.run_waiting()
    assert states() == ["uploaded"]
    # The page also shows a question that the new choices leave open.
    path = page_of(owner, "name,kind\nRex,Dog\n")
    put_off("read_imports")
    owner.post(f"{path}/start", {"columns": "1", "column-0": "name", "column-1": "", "run": "import"})
    put_off("read_imports")
    assert 'id="category-error"' in owner.get(path).text
    assert states() == ["uploaded", "uploaded"]


def test_files_of_accounts_are_read_in_turns(owner: Colleague, outsider: Colleague, put_off: Run) -> None:
    for _ in range(3):
        upload(owner)
    upload(outsider)
    for _ in range(2):
        claim = file_reader_job.claim_next_file(utc_now())
        assert claim is not None
        file_reader_job.read_claimed_file(claim, utc_now)
    assert sorted(states()) == ["reading", "reading", "uploaded", "uploaded"]
    with reading() as session:
        done = set(session.scalars(select(Import.project_id).where(Import.state == "uploaded")))
    assert done == {owner.project_id, outsider.project_id}
    # While one worker reads a file of an account, no other worker takes the account's next file.
    assert file_reader_job.claim_next_file(utc_now()) is not None
    assert file_reader_job.claim_next_file(utc_now()) is None


def test_a_file_that_kills_its_workers_repeatedly_fails(owner: Colleague, put_off: Run) -> None:
    path = page_of(owner)
    for number in range(ATTEMPTS_MOST + 1):
        claim = file_reader_job.claim_next_file(utc_now() + timedelta(minutes=5 * number))
        assert claim is not None
    file_reader_job.read_claimed_file(claim, utc_now)
    assert GIVEN_UP in owner.get(path).text
    assert states() == ["failed"]


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
def test_a_choice_that_is_saved_while_a_worker_claims_the_file_is_not_lost(
    owner: Colleague, put_off: Run, app: APIFlask
) -> None:
    path = page_of(owner)
    put_off("read_imports")
    owner.post(f"{path}/columns", {**COLUMNS, "column-4": "notes"}, headers=SETUP)

    def claim() -> object:
        with app.app_context():
            return file_reader_job.claim_next_file(utc_now())

    with ThreadPoolExecutor() as pool:
        with transaction() as session:
            chosen = session.scalars(select(Import).with_for_update()).one()
            chosen.options = ImportOptions(columns={0: "name", 4: "description"}).to_json()
            session.flush()
            work = pool.submit(claim)
            wait_until_blocked(work)
        claimed = cast(ImportClaim, work.result())
    assert claimed.options.columns == {0: "name", 4: "description"}


def test_a_file_with_an_internal_error_is_not_read_repeatedly(
    owner: Colleague, put_off: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = page_of(owner)

    def unsure(*_given: object) -> None:
        raise IntegrityError(None, None, ValueError("a row that breaks a rule"))

    monkeypatch.setattr(file_reader_job, "preview_claimed_file", unsure)
    file_reader_job.read_waiting()
    assert "because of a fault on our side" in owner.get(path).text
    assert states() == ["failed"]


def workbook(texts: int, rows: int = 2) -> bytes:
    """Return a workbook with many shared strings. Its rows use only one of them."""
    content = make_xlsx(("name", "species"), *[("Rex", "Dog")] * rows)
    shared = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    shared += b"<si><t>a</t></si>" * texts + b"</sst>"
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            if member.filename != "xl/sharedStrings.xml":
                new.writestr(member, old.read(member))
        new.writestr("xl/sharedStrings.xml", shared)
    return made.getvalue()


def test_a_workbook_with_many_more_shared_texts_than_cells_is_rejected(
    owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx_reader, "SHARED_MOST", 100)
    loaded: list[int] = []
    load = openpyxl.load_workbook
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *a, **k: (loaded.append(1), load(*a, **k))[1])
    for texts in (101, 202):
        assert "too large to be read" in owner.get(page_of(owner, workbook(texts))).text
    assert loaded == []
    assert "Rex" in owner.get(page_of(owner, make_xlsx(("name", "species"), *[("Rex", "Dog")] * 300))).text


def test_a_shared_text_counts_towards_the_size_of_each_row(
    owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "TEXT_BYTES_MOST", 30_000)
    path = page_of(owner, make_xlsx(("name", "species", "description"), *[("Rex", "Dog", "x" * 5_000)] * 10))
    owner.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()
    assert "The texts of all rows together have more than" in owner.get(path).text
    with reading() as session:
        assert session.scalars(select(Animal.id)).all() == []


def test_the_file_of_a_failed_upload_is_not_kept(owner: Colleague) -> None:
    path = page_of(owner, "one\n1\n")
    assert re.search("This file can.t be imported", owner.get(path).text)
    with reading() as session:
        assert session.scalars(select(Import.file_key)).all() == [""]
    assert owner.post(f"{path}/start", {"run": "import"}).status_code == 409
