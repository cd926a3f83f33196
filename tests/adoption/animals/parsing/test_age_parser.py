"""Ages and age groups in spreadsheets, and the birth dates estimated from them."""

from datetime import date

import pytest

from tests.adoption.spreadsheets.sheets import (
    TODAY,
    count_rows,
    import_file,
    import_row,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("age", "born"),
    [
        ("3 years", date(2017, 1, 1)),
        ("9 years 2 months.", date(2010, 11, 1)),
        ("6 WEEKS", date(2019, 11, 20)),
        ("1 year 1 month", date(2018, 12, 1)),
        ("1/2/0", date(2018, 11, 1)),
        ("NO AGE", None),
        ("Adult", None),
    ],
)
def test_an_age_counts_back_from_the_date_in_its_row(shelter: Shelter, age: str, born: date | None) -> None:
    animal = import_row(shelter, age_upon_outcome=age, outcome_type="Adoption", datetime="2020-01-01")
    assert animal["birth_date_estimated"] is (born is not None)
    assert animal["birth_date"] == born


def test_an_age_without_a_date_counts_back_from_the_import(shelter: Shelter) -> None:
    file = "code,species,age,intakedate\nD1,Dog,10 weeks,\nD2,Dog,3 years,2020-01-01\n"
    import_file(shelter, file)
    assert [each["birth_date"] for each in stored_animals(shelter)] == [date(2024, 4, 6), date(2020, 1, 1)]


def test_an_age_imported_again_later_changes_nothing(shelter: Shelter) -> None:
    file = "code,name,species,age,born\nA1,Rex,Dog,2 years,\n"
    import_file(shelter, file)
    assert only_animal(shelter)["birth_date"] == date(2022, 6, 15)
    later = TODAY.replace(month=9)
    assert count_rows(import_file(shelter, file, now=later)) == (1, 0, 0, 1, 0)


def test_a_birth_date_takes_precedence_over_an_age(shelter: Shelter) -> None:
    animal = import_row(shelter, age="2 years", born="2020-03-04")
    assert (animal["birth_date"], animal["birth_date_estimated"]) == (date(2020, 3, 4), False)


def test_an_impossible_age_is_reported(shelter: Shelter) -> None:
    result = import_file(shelter, "code,species,age\nA1,Dog,900 years\n")
    assert [note.column for note in result.warnings] == ["age"]


MONTHS_BY_AGE = {
    "2y3m": 27, "2yr3mo": 27, "2Years4Months": 28, "1,5 years": 18, "1/2 year": 6, "½ year": 6,
    "2½ years": 30, "1 1/2 years": 18, "3yo": 36, "3YO": 36, "7 y/o": 84, "six months": 6,
    "Adult (3 years)": 36,
    "2 Jahre alt": 24, "2 años y 3 meses": 27, "2 ans": 24, "2 anni": 24, "um ano": 12,
    "1 jaar en 2 maanden": 14, "2歳3ヶ月": 27, "３歳": 36,
}  # fmt: skip


REPORTED_MONTHS_BY_AGE = {
    "3": 36, "0.5": 6, "Approx 5": 60, "10+ years": 120, "10 Months - 1 Year": 11, "2-3 years": 30,
    "<1 year": 6, "3 years or older": 36, "2 a 3 años": 30,
}  # fmt: skip


NOT_AN_AGE = (
    "-1 years",
    "unknown",
    "?",
    "45",
    "2020",
    "2 years, 10 kg",
    "Adult/Senior",
    "1 year 2 years",
    "soon",
)


def test_ages_are_read_in_every_common_format(shelter: Shelter) -> None:
    ages = {**MONTHS_BY_AGE, **REPORTED_MONTHS_BY_AGE, **dict.fromkeys(NOT_AN_AGE)}
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(ages)]
    result = import_file(shelter, make_csv(["code", "species", "age"], *rows))
    born = {text: animal["birth_date"] for text, animal in zip(ages, stored_animals(shelter), strict=True)}
    today = TODAY.date()
    assert {
        text: day and (today.year - day.year) * 12 + today.month - day.month for text, day in born.items()
    } == ages
    assert {note.value for note in result.warnings} == {*REPORTED_MONTHS_BY_AGE, *NOT_AN_AGE}


def test_an_age_group_is_kept_until_a_birth_date_is_known(shelter: Shelter) -> None:
    words = {
        "Adult": "adult",
        "Young Adult": "young",
        "cachorro": "baby",
        "成犬": "adult",
        "Anziano": "senior",
    }
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(words)]
    result = import_file(shelter, make_csv(["code", "species", "age"], *rows))
    assert [each["age_group"] for each in stored_animals(shelter)] == list(words.values())
    assert (result.warnings, {each["birth_date"] for each in stored_animals(shelter)}) == ([], {None})
    import_file(shelter, make_csv(["code", "species", "dob"], ["A0", "Dog", "2020-01-31"]))
    again = import_file(shelter, make_csv(["code", "species", "age"], *rows))
    assert count_rows(again) == (5, 0, 0, 5, 0)
    assert [each["age_group"] for each in stored_animals(shelter)] == [None, *list(words.values())[1:]]


def test_a_header_can_contain_the_unit_of_ages(shelter: Shelter) -> None:
    result = import_file(shelter, make_csv(["code", "species", "Age (months)"], ["A1", "Dog", "18"]))
    assert (only_animal(shelter)["birth_date"], result.warnings) == (date(2022, 12, 15), [])
