"""The preview of an import: questions, rows, and the values that the import then stores."""

import io
import re
from pathlib import Path

import pytest

from adoption.accounts.plan_changes import set_plan
from adoption.imports import import_job
from tests.adoption.spreadsheets.sheets import stored_animals
from tests.cast import Colleague

pytestmark = pytest.mark.settings("embedded")
FILES = Path(__file__).parents[3] / "adoption" / "spreadsheets" / "files"


def upload(who: Colleague, name: str) -> str:
    answer = who.post("imports", {"file": (io.BytesIO((FILES / name).read_bytes()), name)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def import_file(who: Colleague, name: str, **answers: str) -> str:
    """Import a file with the recognised columns. Return the text of the page with the result."""
    path = upload(who, name)
    page = who.get(path).text
    columns = re.findall(r'<select class="select" id="(column-\d+)".*?</select>', page, re.DOTALL)
    blocks = re.findall(r'<select class="select" id="column-\d+".*?</select>', page, re.DOTALL)
    chosen = [re.search(r'value="([^"]*)" selected', block) for block in blocks]
    form = {name: found[1] if found else "" for name, found in zip(columns, chosen, strict=True)}
    answer = who.post(f"{path}/start", {"columns": "1", **form, **answers, "run": "import"})
    assert answer.status_code == 303, answer.text
    import_job.run_waiting()
    return who.get(path).text


@pytest.mark.parametrize(
    ("name", "animal"),
    [
        ("german.csv", ("Bello", "Dog", "male", "2020-02-28", "available", 25000)),
        ("spanish.csv", ("Luna", "Dog", "female", "2020-02-28", "available", None)),
    ],
)
def test_files_in_other_languages_are_previewed(
    owner: Colleague, name: str, animal: tuple[object, ...]
) -> None:
    import_file(owner, name)
    (only,) = stored_animals(owner)
    fields = ("name", "category", "sex", "birth_date", "status", "fee_cents")
    found = [str(only[each]) if each == "birth_date" else only[each] for each in fields]
    assert tuple(found) == animal


def test_the_preview_asks_about_two_animals_with_one_code(owner: Colleague) -> None:
    page = owner.get(upload(owner, "two-animals-one-code.csv")).text
    assert "One code belongs" in page
    text = import_file(owner, "two-animals-one-code.csv", clash="new")
    assert "The import is done" in text
    assert [(each["code"], each["name"]) for each in stored_animals(owner)] == [
        ("A1", "Rex"),
        ("A1-2", "Tom"),
        ("A2", "Bo"),
    ]


def test_another_shelters_file_never_changes_an_animal_into_another(owner: Colleague) -> None:
    import_file(owner, "ours.csv")
    before = stored_animals(owner)
    page = owner.get(upload(owner, "another-shelters.csv")).text
    assert "Rex (Dog), which you already have" in page
    import_file(owner, "another-shelters.csv", clash="skip")
    assert stored_animals(owner) == before


def test_the_preview_shows_the_dates_that_an_answer_changes(owner: Colleague) -> None:
    path = upload(owner, "one-date-column-open.csv")
    page = owner.get(path).text
    preview = page[page.index('id="preview-title"') :]
    assert "2024-05-25" in preview, "a day after the twelfth"
    assert "2024-02-01" in preview


def test_a_check_asks_about_rows_below_the_preview(owner: Colleague) -> None:
    set_plan(owner.slug, "pro")
    rows = "".join(f"B{number},Rex,Dog,available\n" for number in range(2_001))
    content = f"code,name,species,status\n{rows}A1,Bo,Dog,zzz\nA1,Tom,Cat,available\n"
    answer = owner.post("imports", {"file": (io.BytesIO(content.encode()), "long.csv")})
    path = str(answer.headers["Location"])
    columns = {"column-0": "code", "column-1": "name", "column-2": "species", "column-3": "status"}
    assert "One code belongs" not in owner.get(path).text
    owner.post(f"{path}/start", {"columns": "1", **columns, "run": "try"})
    import_job.run_waiting()
    page = owner.get(f"{path}?columns=").text
    assert "One code belongs" in page
    [(number, _)] = re.findall(r'name="text-3-(\d+)" value="(zzz)"', page)
    assert owner.post(f"{path}/start", {"run": "import"}).status_code == 422
    answers = {"clash-code-1": "A1", "clash-choice-1": "new", f"text-3-{number}": "zzz"}
    answers[f"value-3-{number}"] = "pending"
    owner.post(f"{path}/start", {"columns": "1", **columns, **answers, "run": "import"})
    import_job.run_waiting()
    last = [(each["code"], each["status"]) for each in stored_animals(owner)[-2:]]
    assert last == [("A1", "pending"), ("A1-2", "available")]


def test_questions_about_a_rescues_own_list_use_the_words_of_the_page(owner: Colleague) -> None:
    page = owner.get(upload(owner, "own-list.csv")).text
    for asked in ("When was this list made?", "Values"):
        assert asked in page
    text = re.sub(r"<[^>]*>", " ", page)
    assert not re.search(r"--[a-z]", text), "the page names no option of the command"
    done = re.sub(r"<[^>]*>", " ", import_file(owner, "own-list.csv"))
    assert not re.search(r"--[a-z]", done)
    assert {each["name"]: str(each["arrival_date"]) for each in stored_animals(owner)}["Rex"] == "2024-04-03"
