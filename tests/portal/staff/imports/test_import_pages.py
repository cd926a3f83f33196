"""Import pages: upload, columns, check, import and result."""

import csv
import io
import re
import shutil
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.animals.models import Animal
from adoption.imports import import_job
from adoption.imports.models import Import
from adoption.imports.undo import UndoCounts
from adoption.spreadsheets.columns.column_meanings import MEANINGS, PHOTOS
from adoption.spreadsheets.columns.program_formats import OWN
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import the_media_store
from portal.staff.imports.labels import GROUPS
from portal.staff.imports.undo_effects import undo_sentences
from tests.adoption.imports.conftest import run_import
from tests.adoption.spreadsheets.sheets import make_xlsx
from tests.cast import Colleague, Shelter

FILE = "code,call name,kind,born,notes\nA1,Rex,Dog,2020-02-28,\n,,Dog,2020-01-01,\n"
COLUMNS = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species", "column-3": "born"}


def upload(who: Colleague, content: str | bytes = FILE, name: str = "animals.csv") -> TestResponse:
    data = content.encode() if isinstance(content, str) else content
    return who.post("imports", {"file": (io.BytesIO(data), name)})


def page_of(who: Colleague, content: str | bytes = FILE) -> str:
    """Upload a file. Return the path of its page."""
    answer = upload(who, content)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def names() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(Animal.name).order_by(Animal.id)))


def chosen(text: str) -> dict[str, str]:
    """Return the meaning of each column on the page."""
    selects = re.findall(r'<select class="select" id="(column-\d+)".*?</select>', text, re.DOTALL)
    blocks = re.findall(r'<select class="select" id="column-\d+".*?</select>', text, re.DOTALL)
    found = [re.search(r'value="([^"]*)" selected', block) for block in blocks]
    return {name: each[1] if each else "" for name, each in zip(selects, found, strict=True)}


def poll(who: Colleague, path: str) -> TestResponse:
    return who.get(path, headers={"HX-Request": "true", "HX-Target": "import-progress"})


def test_columns_are_recognised_and_shown_with_their_values(owner: Colleague) -> None:
    text = owner.get(page_of(owner)).text
    assert chosen(text) == {
        "column-0": "code", "column-1": "", "column-2": "species", "column-3": "born", "column-4": "notes",
    }  # fmt: skip
    assert "call name" in text
    assert "2020-02-28" in text
    assert "all blank" in text


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx"])
def test_each_kind_of_file_is_accepted(owner: Colleague, kind: str) -> None:
    rows = (("code", "name", "species"), ("A1", "Rex", "Dog"))
    content: str | bytes = make_xlsx(*rows)
    if kind != "xlsx":
        content = "\n".join({"csv": ",", "tsv": "\t"}[kind].join(row) for row in rows)
    assert "Rex" in owner.get(page_of(owner, content)).text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty"),
        (b"%PDF-1.7", "This is a PDF"),
        (b"PK\x03\x04nonsense", "damaged"),
        (b"one\n1\n", "No column of the header was recognised"),
        (b"name,species\n", "no rows below it"),
    ],
)
def test_a_rejected_file_has_a_reason(owner: Colleague, content: bytes, sentence: str) -> None:
    answer = upload(owner, content)
    is_known_at_once = not content or content.startswith(b"%PDF")
    assert answer.status_code == (422 if is_known_at_once else 303)
    page = answer if is_known_at_once else owner.get(answer.headers["Location"])
    assert sentence in page.text
    assert "<title>Error:" in page.text


def test_without_a_file_the_form_asks_for_one(owner: Colleague) -> None:
    answer = owner.post("imports", {"file": (io.BytesIO(b""), "")})
    assert (answer.status_code, "Choose a file first" in answer.text) == (422, True)


def test_a_column_is_corrected_and_the_preview_follows(owner: Colleague) -> None:
    path = page_of(owner)
    assert owner.post(f"{path}/columns", dict(COLUMNS)).status_code == 303
    text = owner.get(path).text
    assert chosen(text)["column-1"] == "name"
    assert re.search(r'<span class="strong" dir="auto">Rex</span>', text)
    assert "there is neither a name nor a code" in text


def test_htmx_swaps_the_form_after_a_choice_and_announces_it(owner: Colleague) -> None:
    path = page_of(owner)
    headers = {"HX-Request": "true", "HX-Target": "setup"}
    answer = owner.post(f"{path}/columns", dict(COLUMNS), headers=headers)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith("<form")
    assert "The preview is up to date" in answer.text


def test_one_field_for_two_columns_is_an_error_at_the_second(owner: Colleague) -> None:
    path = page_of(owner)
    answer = owner.post(f"{path}/start", {**COLUMNS, "column-4": "name", "run": "import"})
    assert answer.status_code == 422
    assert 'id="column-4-error"' in answer.text
    assert 'href="#column-4"' in answer.text
    assert chosen(answer.text)["column-4"] == "name"
    import_job.run_waiting()
    assert names() == []


def test_species_and_ambiguous_dates_are_asked_about_only_if_needed(
    owner: Colleague,
) -> None:
    plain = owner.get(page_of(owner)).text
    assert 'id="category"' not in plain
    assert 'name="day_first"' not in plain
    path = page_of(owner, "name,born\nRex,4/5/2020\n")
    columns = {"columns": "1", "column-0": "name", "column-1": "born"}
    answer = owner.post(f"{path}/start", {**columns, "run": "try"})
    assert answer.status_code == 422
    assert 'id="category-error"' in answer.text
    assert "4/5/2020, which can be read both ways" in answer.text
    form = {**columns, "category": "Dog", "day_first": "day"}
    assert owner.post(f"{path}/start", {**form, "run": "import"}).status_code == 303
    import_job.run_waiting()
    assert names() == ["Rex"]


def test_a_file_is_checked_imported_and_its_rejected_rows_downloaded(owner: Colleague) -> None:
    path = page_of(owner)
    owner.post(f"{path}/start", {**COLUMNS, "column-4": "", "run": "try"})
    assert "Waiting to start" in owner.get(path).text
    import_job.run_waiting()
    tried = owner.get(path).text
    assert "This was a test. Nothing has been saved" in tried
    assert names() == []
    owner.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()
    text = owner.get(path).text
    assert "The import is done" in text
    assert "1 row needs fixing" in text
    assert re.search(r"1 column wasn.t used</summary>\s*<p[^>]*>notes</p>", text)
    assert names() == ["Rex"]
    answer = owner.get(f"{path}/refused.csv")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.get_data().decode("utf-8-sig").splitlines()[1].startswith(",,Dog,2020-01-01,,call name: ")
    assert "1 new, 0 updated" in owner.get("imports").text


def test_going_back_does_not_repeat_an_import(owner: Colleague) -> None:
    path = page_of(owner)
    owner.post(f"{path}/start", {**COLUMNS, "run": "import"})
    assert owner.post(f"{path}/start", {**COLUMNS, "run": "import"}).status_code == 409
    import_job.run_waiting()
    assert owner.post(f"{path}/start", {"run": "import"}).status_code == 409
    assert owner.post(f"{path}/columns", dict(COLUMNS)).status_code == 409


def test_progress_survives_a_reload_and_is_announced_per_quarter(owner: Colleague) -> None:
    path = page_of(owner)
    owner.post(f"{path}/start", {**COLUMNS, "run": "import"})
    now = datetime.now(UTC)
    values = {"state": "running", "beat_at": now, "rows_total": 100, "rows_done": 30, "claim": "x"}
    with transaction() as session:
        session.execute(update(Import).values(values))
    for _ in range(2):
        assert 'max="100" value="30"' in owner.get(path).text
    assert 'http-equiv="refresh"' in owner.get(path).text
    first = poll(owner, f"{path}?seen=0").text
    assert "25% of the rows" in first
    assert "announcer" not in poll(owner, f"{path}?seen=1").text
    with transaction() as session:
        session.execute(update(Import).values(state="cancelled", claim=""))
    ended = poll(owner, f"{path}?seen=1")
    assert ended.headers["HX-Retarget"] == "#import"
    assert "The import was stopped" in ended.text


def test_cancelling_an_import_is_confirmed_with_the_file_name(owner: Colleague) -> None:
    path = page_of(owner)
    owner.post(f"{path}/start", {**COLUMNS, "run": "import"})
    question = owner.get(f"{path}/cancel")
    assert "Stop importing animals.csv?" in question.text
    answer = owner.post(f"{path}/cancel")
    assert answer.status_code == 303
    text = owner.get(path).text
    assert "The import was stopped" in text
    assert "Nothing was saved" in text
    assert owner.get(f"{path}/cancel").status_code == 303


def test_photo_download_is_offered_only_if_there_are_urls(owner: Colleague) -> None:
    header = "ID,AnimalName,Type,photo1\n"
    with_one = owner.get(page_of(owner, f"{header}A1,Rex,Dog,https://pictures.example/rex.jpg\n")).text
    assert re.search(r'<input type="checkbox" id="photos" name="photos" checked>', with_one)
    assert (
        'type="checkbox" id="photos"' not in owner.get(page_of(owner, f"{header}A1,Rex,Dog,rex.jpg\n")).text
    )


def test_an_uploaded_file_has_no_url(owner: Colleague) -> None:
    page_of(owner)
    with reading() as session:
        key = session.scalars(select(Import.file_key)).one()
    assert the_media_store().read(key) == FILE.encode()
    for path in (f"/media/{key}", f"/media/{key.rpartition('/')[2]}", f"/static/../{key}", f"/{key}"):
        assert owner.client.get(path).status_code == 404


def test_html_in_imported_names_is_escaped(owner: Colleague) -> None:
    answer = upload(
        owner, "code,name,species\nA1,<b>Rex,Dog\n", "C:\\files\\<img src=x onerror=alert(1)>.csv"
    )
    text = owner.get(str(answer.headers["Location"])).text
    assert "<img src=x" not in text
    assert "&lt;b&gt;Rex" in text
    assert "C:\\files" not in text


def stored(who: Colleague, content: str) -> None:
    path = page_of(who, content)
    who.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()


def test_rejected_rows_are_fixed_and_imported_from_the_download(owner: Colleague) -> None:
    content = 'code,name,species,notes\nA1,Rex,Dog,"=1+1"\nA2,"Bo, ""the cat""",,"two\nlines"\n,,Cat,\n'
    path = page_of(owner, content)
    owner.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()
    report = owner.get(f"{path}/refused.csv").get_data().decode("utf-8-sig")
    header, *rows = csv.reader(io.StringIO(report, newline=""))
    assert header == ["code", "name", "species", "notes", "Problem"]
    assert [row[:4] for row in rows] == [["A2", 'Bo, "the cat"', "", "two\nlines"], ["", "", "Cat", ""]]
    assert rows[0][4].startswith("species: the species is blank")
    again = page_of(owner, report.replace('the cat""",,', 'the cat""",Cat,'))
    assert chosen(owner.get(again).text)["column-4"] == ""
    owner.post(f"{again}/start", {"run": "import"})
    import_job.run_waiting()
    assert names() == ["Rex", 'Bo, "the cat"']


def test_a_problem_of_a_whole_column_is_listed_once_with_its_rows(owner: Colleague) -> None:
    rows = "".join(f"A{number},Rex,Dog,size {number}\n" for number in range(30))
    path = page_of(owner, f"code,name,species,size\n{rows}")
    owner.post(f"{path}/start", {"run": "try"})
    import_job.run_waiting()
    text = owner.get(path).text
    assert "30 cells to check" in text
    assert "and 29 more" in text
    assert "size 0, size 1, size 2" in text
    assert "size 7" not in text


def test_undoing_an_import_is_confirmed_with_counts(owner: Colleague) -> None:
    path = page_of(owner, "code,name,species\nA1,Rex,Dog\nA2,Bo,Dog\n")
    assert owner.get(f"{path}/undo").status_code == 409
    owner.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()
    assert f'href="{path}/undo"' in owner.get(path).text
    question = owner.get(f"{path}/undo").text
    assert "Undo the import of animals.csv?" in question
    assert "2 animals that this import added will be deleted." in question
    owner.post(f"{path}/undo")
    assert "Undoing" in owner.get(path).text
    import_job.run_waiting()
    text = owner.get(path).text
    assert "The import was undone" in text
    assert "2 animals that this import added were deleted." in text
    assert f"{path}/undo" not in text
    assert names() == []
    assert owner.post(f"{path}/undo").status_code == 409


@pytest.mark.usefixtures("app")
def test_each_effect_of_an_undo_is_a_sentence() -> None:
    counts = UndoCounts(deleted=1500, removed=1, with_applications=2, restored=1, kept=1, photos=1)
    assert undo_sentences(counts, is_done=False) == [
        "1,500 animals that this import added will be deleted.",
        "1 animal that this import added will be moved to the removed animals, because of later changes.",
        "2 animals that this import added will be kept, because of applications.",
        "1 animal that this import updated will be set back to the earlier values.",
        "Later changes to 1 animal that this import updated will be kept.",
        "1 photo that this import added to existing animals will be removed.",
    ]
    assert undo_sentences(counts, is_done=True)[1].startswith("1 animal that this import added was moved")
    assert undo_sentences(UndoCounts(), is_done=False) == ["There is nothing left to undo."]


def test_a_blank_cell_is_asked_about_with_a_count(owner: Colleague) -> None:
    stored(owner, "code,name,species,breed\nA1,Rex,Dog,Beagle\nA2,Bo,Dog,\n")
    path = page_of(owner, "code,name,species,breed\nA1,Rex,Dog,\nA2,Bo,Dog,\n")
    text = owner.get(path).text
    assert "Your file has a blank cell for 1 stored value" in text
    assert re.search(r'value="keep" checked', text)
    assert "--" not in re.sub(r"<!--.*?-->|<[^>]*>", "", text), "the page names no option of a command"
    owner.post(f"{path}/start", {**BASE, "blanks": "clear", "run": "import"})
    import_job.run_waiting()
    assert "The value was cleared" in owner.get(path).text
    with reading() as session:
        assert session.scalars(select(Animal.breed_primary).order_by(Animal.id)).all() == [None, None]


BASE = {
    "columns": "1",
    "column-0": "code",
    "column-1": "name",
    "column-2": "species",
    "column-3": "breed_primary",
}


def test_the_page_lists_codes_of_two_animals_and_asks_before_an_import(owner: Colleague) -> None:
    stored(owner, "code,name,species\nA1,Rex,Dog\nA2,Bo,Dog\n")
    path = page_of(owner, "code,name,species\nA1,Tom,Cat\nA2,Ida,Rabbit\nA3,Al,Dog\n")
    form = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species", "run": "import"}
    answer = owner.post(f"{path}/start", form)
    assert answer.status_code == 422
    assert 'href="#clashes"' in answer.text
    assert "Rex (Dog), which you already have" in answer.text
    assert "Tom (Cat), row 2" in answer.text
    answered = {**form, "clash-code-1": "A1", "clash-choice-1": "new", "clash": "skip"}
    assert owner.post(f"{path}/columns", answered).status_code == 303
    assert re.search(r'id="clash-choice-1".*?value="new" selected', owner.get(path).text, re.DOTALL)
    owner.post(f"{path}/start", answered)
    import_job.run_waiting()
    assert names() == ["Rex", "Bo", "Tom", "Al"]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("content", "columns", "meanings", "right"),
    [
        (  # no header is known
            "Kod,Imię,Gatunek,Płeć,Stan\n1,Burek,pies,on,wolny\n2,Mruczka,kotka,ona,zajęty\n",
            ("code", "name", "species", "sex", "status"),
            {
                "pies": "Dog",
                "kotka": "Cat",
                "on": "male",
                "ona": "female",
                "wolny": "available",
                "zajęty": "pending",
            },
            [("Burek", 1, "male", "available", True), ("Mruczka", 2, "female", "pending", True)],
        ),
        (  # coded values
            "Name,Type,Sex,Status\nRex,1,2,ok\nTom,2,1,ok\n",
            ("name", "species", "sex", "status"),
            {
                "1": {"species": "Dog", "sex": "male"},
                "2": {"species": "Cat", "sex": "female"},
                "ok": "adopted",
            },
            [("Rex", 1, "female", "sold", True), ("Tom", 2, "male", "sold", True)],
        ),
    ],
)
def test_columns_and_values_in_any_language_are_mapped_on_the_page(
    owner: Colleague, content: str, columns: tuple[str, ...], meanings: dict[str, Any], right: list[Any]
) -> None:
    path = page_of(owner, content)
    form = {"columns": "1", **{f"column-{place}": choice for place, choice in enumerate(columns)}}
    owner.post(f"{path}/columns", form)
    text = owner.get(path).text
    assert "a word that is not understood" in text
    for place, number, value in re.findall(r'name="text-(\d+)-(\d+)" value="([^"]*)"', text):
        meaning = (
            meanings[value] if isinstance(meanings[value], str) else meanings[value][columns[int(place)]]
        )
        form |= {f"text-{place}-{number}": value, f"value-{place}-{number}": meaning}
    owner.post(f"{path}/columns", form)
    assert "a word that is not understood" not in owner.get(path).text
    owner.post(f"{path}/start", {**form, "run": "import"})
    import_job.run_waiting()
    with reading() as session:
        fields = (Animal.name, Animal.category_id, Animal.sex, Animal.status, Animal.listed)
        assert [tuple(row) for row in session.execute(select(*fields).order_by(Animal.id))] == right


def test_choices_are_remembered_for_the_next_file_with_the_same_header(
    owner: Colleague, outsider: Colleague
) -> None:
    header = "Kod,Imię,Gatunek\n"
    path = page_of(owner, f"{header}1,Burek,pies\n")
    form = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species"}
    owner.post(f"{path}/columns", form)
    owner.post(f"{path}/start", {**form, "text-2-1": "pies", "value-2-1": "Dog", "run": "import"})
    import_job.run_waiting()
    later = page_of(owner, f"{header}2,Azor,pies\n")
    text = owner.get(later).text
    assert "filled in from your last file with these columns" in text
    assert chosen(text) == {"column-0": "code", "column-1": "name", "column-2": "species"}
    assert "a word that is not understood" not in text
    owner.post(f"{later}/start", {"run": "import"})
    import_job.run_waiting()
    assert names() == ["Burek", "Azor"]
    for who, file in ((owner, "Kod,Imię,Gatunek,Uwagi\n3,Ida,pies,\n"), (outsider, f"{header}3,Ida,pies\n")):
        assert "filled in from your last file" not in who.get(page_of(who, file)).text
    third = page_of(owner, f"{header}3,Ida,pies\n")
    assert owner.post(f"{third}/forget-choices").status_code == 303
    assert chosen(owner.get(third).text)["column-0"] == ""
    assert "set as for" not in owner.get(page_of(owner, f"{header}4,Al,pies\n")).text


@pytest.mark.settings("embedded")
def test_the_preview_shows_parsed_values_and_rejected_rows(owner: Colleague) -> None:
    rows = "A1,Rex,Dog,2024-05-03,125,Black,2 years,huge\nA2,Bo,,2024-05-03,,,,\n"
    text = owner.get(page_of(owner, f"code,name,species,intake date,fee,color,age,size\n{rows}")).text
    for each in ("2024-05-03", "$125", "Black", "About 2 years", "huge"):
        assert each in text
    assert "When was this list made?" in text
    assert re.search(r"Rejected.*the species is blank", text, re.DOTALL)
    known = owner.get(page_of(owner, "code,name\nA1,Rex\n")).text
    assert re.search(r"Rejected.*This new animal has no species", known, re.DOTALL)


def test_every_column_meaning_has_a_label() -> None:
    found = {choice for words in GROUPS.values() for choice in words}
    assert found == {*MEANINGS, *OWN, PHOTOS}


def test_a_file_that_cannot_be_stored_is_a_temporary_error(
    owner: Colleague, caplog: pytest.LogCaptureFixture
) -> None:
    folder = the_media_store().folder
    assert folder is not None
    shutil.rmtree(folder / "imports", ignore_errors=True)
    (folder / "imports").write_text("where the folder should be")
    answer = upload(owner)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1
    assert "The files of imports cannot be reached at the moment" in answer.text
    [found] = caplog.messages
    assert answer.headers["X-Request-ID"] in found
    assert "Not a directory" in found
    (folder / "imports").unlink()
    page_of(owner)


@pytest.mark.settings("embedded")
def test_an_import_of_another_project_is_not_found(owner: Colleague, shelter: Shelter) -> None:
    made, _ = run_import(shelter, "code,name,species\nA1,Rex,Dog\n")
    base = page_of(owner).rpartition("/")[0]
    there = f"{base}/{made.id}"
    for path in ("", "/undo", "/cancel", "/refused.csv", "/warnings.csv", "/photos.csv"):
        assert owner.client.get(there + path).status_code == 404, path
    for path in ("/undo", "/cancel", "/start", "/columns", "/forget-choices"):
        assert owner.post(there + path, {"run": "import"}).status_code == 404, path
