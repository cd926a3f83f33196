"""Dates in spreadsheets, and columns where day and month are ambiguous."""

from datetime import date

import pytest

from adoption.errors import FileRefused
from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    "written",
    [
        "2020-02-29",
        "2020-02-29 13:30:00",
        "2020-02-29T13:30:00Z",
        "2/29/2020",
        "29.2.2020",
        "29/02/20",
        "20200229",
        "Feb 29, 2020",
        "29 February 2020",
        "29-Feb-20",
        "02/29/2020 12:00:00 AM",
        "43890",
    ],
)
def test_dates_are_read_in_every_common_format(shelter: Shelter, written: str) -> None:
    assert import_row(shelter, **{"Birth Date": written})["birth_date"] == date(2020, 2, 29)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("31/02/2020", "there is no 31 February. Write dates as year-month-day, such as 2020-02-28"),
        ("29/02/2021", "there is no 29 February 2021. Write dates as year-month-day, such as 2020-02-28"),
        ("2020-13-01", "there is no month 13. Write dates as year-month-day, such as 2020-02-28"),
        ("0000-00-00", "the date is not known, so the field is left blank"),
        ("Unknown", "the date is not known, so the field is left blank"),
        ("N/A", "the date is not known, so the field is left blank"),
        ("soon", "this is not a date that we know. Write dates as year-month-day, such as 2020-02-28"),
        ("2024-07-01", "this day is in the future, so the field is left blank"),
    ],
)
def test_an_impossible_birth_date_is_reported_and_the_stored_date_stays(
    shelter: Shelter, written: str, reason: str
) -> None:
    header = ["code", "species", "dateofbirth"]
    import_file(shelter, make_csv(header, ["A1", "Dog", "2020-01-31"]))
    result = import_file(shelter, make_csv(header, ["A1", "Dog", written], ["A2", "Cat", written]))
    assert (result.refused, [note[1:4] for note in result.warnings]) == (
        [],
        [("dateofbirth", written, reason)] * 2,
    )
    assert [animal["birth_date"] for animal in stored_animals(shelter)] == [date(2020, 1, 31), None]


@pytest.mark.parametrize(
    ("written", "born"),
    [
        ("2019", date(2019, 7, 1)),
        ("May 2019", date(2019, 5, 15)),
        ("2019-05", date(2019, 5, 15)),
        ("05/2019", date(2019, 5, 15)),
    ],
)
def test_a_birth_year_or_month_is_an_estimated_birth_date(shelter: Shelter, written: str, born: date) -> None:
    result = import_file(shelter, make_csv(["code", "species", "dateofbirth"], ["A1", "Dog", written]))
    animal = only_animal(shelter)
    assert (animal["birth_date"], animal["birth_date_estimated"]) == (born, True)
    assert "this is only a" in result.warnings[0].reason


def test_two_digits_that_may_be_a_year_or_a_day_are_read_as_a_recent_year(shelter: Shelter) -> None:
    rows = [["A1", "Dog", "20-02-28"], ["A2", "Dog", "21-11-30"]]
    result = import_file(shelter, make_csv(["code", "species", "dob"], *rows))
    assert [each["birth_date"] for each in stored_animals(shelter)] == [date(2020, 2, 28), date(2021, 11, 30)]
    assert [note.row for note in result.warnings] == [2, 3]


def test_an_impossible_arrival_date_is_reported_and_the_stored_date_stays(shelter: Shelter) -> None:
    import_row(shelter, IntakeDate="2024-01-02")
    result = import_file(shelter, "code,species,IntakeDate\nA1,Dog,31/02/2020\n")
    assert [(note.row, note.column, note.value) for note in result.warnings] == [
        (2, "IntakeDate", "31/02/2020")
    ]
    assert only_animal(shelter)["arrival_date"] == date(2024, 1, 2)


def test_month_names_are_read_in_several_languages(shelter: Shelter) -> None:
    dates = {
        "3. März 2021": date(2021, 3, 3), "15 de mayo de 2020": date(2020, 5, 15),
        "3 août 2019": date(2019, 8, 3),
        "12 maggio 2021": date(2021, 5, 12), "3 set 2020": date(2020, 9, 3), "3 mrt 2020": date(2020, 3, 3),
        "Sept 4, 2020": date(2020, 9, 4), "2020年5月3日": date(2020, 5, 3),
    }  # fmt: skip
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(dates)]
    import_file(shelter, make_csv(["code", "species", "dob"], *rows))
    assert [each["birth_date"] for each in stored_animals(shelter)] == list(dates.values())


def test_one_unambiguous_date_decides_day_or_month_first_for_its_column(shelter: Shelter) -> None:
    import_file(shelter, "code,species,born\nA1,Dog,4/5/2020\nA2,Dog,25/12/2020\nA3,Dog,1/2/2021\n")
    assert [animal["birth_date"] for animal in stored_animals(shelter)] == [
        date(2020, 5, 4),
        date(2020, 12, 25),
        date(2021, 2, 1),
    ]


def test_a_column_of_ambiguous_dates_asks_for_day_or_month_first(shelter: Shelter) -> None:
    file = "code,species,born,arrived\nA1,Dog,4/5/2020,2024-01-01\n"
    with pytest.raises(FileRefused) as refusal:
        import_file(shelter, file)
    assert '"born"' in refusal.value.sentence
    assert "with the day or the month first" in refusal.value.sentence
    import_file(shelter, file, day_first=True)
    assert only_animal(shelter)["birth_date"] == date(2020, 5, 4)
    import_file(shelter, file, day_first=False)
    assert only_animal(shelter)["birth_date"] == date(2020, 4, 5)


def test_a_date_column_with_contradicting_orders_is_a_question(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match='"born"'):
        import_file(shelter, "code,species,born\nA1,Dog,25/12/2020\nA2,Dog,12/25/2020\nA3,Dog,4/5/2020\n")


def test_an_unambiguous_date_column_overrides_the_chosen_order(shelter: Shelter) -> None:
    rows = [["1", "Dog", "03/04/2020", "25/05/2024"], ["2", "Dog", "05/06/2021", "01/02/2024"]]
    import_file(shelter, make_csv(["code", "species", "dob", "intake date"], *rows), day_first=False)
    assert [(each["birth_date"], each["arrival_date"]) for each in stored_animals(shelter)] == [
        (date(2020, 3, 4), date(2024, 5, 25)),
        (date(2021, 5, 6), date(2024, 2, 1)),
    ]
