"""Fees, descriptions, microchips and private notes in spreadsheets."""

from datetime import date

import pytest

from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    import_shelter_manager_row,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "cents"),
    [
        ("$125.00", 12500),
        ("1.250,00 €", 125000),
        ("1,250", 125000),
        ("80 USD", 8000),
        ("80,-", 8000),
        (".50", 50),
        ("R$ 125", 12500),
        ("¥12,000", 1200000),
        ("12000円", 1200000),
        ("kostenlos", 0),
        ("waived", 0),
        ("0", 0),
        ("", None),
        ("Not shown", None),
    ],
)
def test_fees_are_read(shelter: Shelter, written: str, cents: int | None) -> None:
    assert import_row(shelter, adoption_fee=written)["fee_cents"] == cents


def test_a_fee_with_a_point_before_three_digits_is_reported(shelter: Shelter) -> None:
    result = import_file(shelter, 'code,species,fee\nA1,Dog,12.345\nA2,Dog,1.250 €\nA3,Dog,"1.250,00"\n')
    assert [animal["fee_cents"] for animal in stored_animals(shelter)] == [1234500, 125000, 125000]
    assert [note.row for note in result.warnings] == [2, 3]


def test_a_fee_in_prose_is_reported_and_left_blank(shelter: Shelter) -> None:
    result = import_file(shelter, "code,species,fee\nA1,Dog,From $50 up to $75\n")
    assert [note.column for note in result.warnings] == ["fee"]
    assert only_animal(shelter)["fee_cents"] is None


def test_petfinder_columns_waive_and_hide_fees(shelter: Shelter) -> None:
    assert import_row(shelter, adoption_fee="90", adoption_fee_waived="1")["fee_cents"] == 0
    assert import_row(shelter, adoption_fee="90", display_adoption_fee="0")["fee_cents"] is None


def test_fees_of_shelter_manager_are_in_cents(shelter: Shelter) -> None:
    assert import_shelter_manager_row(shelter, fee="12500")["fee_cents"] == 12500


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<p>Hi!</p><p>I am <b>Rex</b>.<br>Ask &amp; see</p>", "Hi!\n\nI am Rex.\nAsk & see"),
        ("<ul><li>calm</li><li>old</li></ul>", "- calm\n- old"),
        ("one\r\n\r\n\r\n\r\ntwo", "one\n\ntwo"),
        (
            "see <https://example.org/rex> or <sam@example.org>",
            "see <https://example.org/rex> or <sam@example.org>",
        ),
        (
            "First line\nsecond, with <b>one</b> word<o:p></o:p>\n\nlast",
            "First line\nsecond, with one word\n\nlast",
        ),
        ("5 < 6 &quot;yes&quot;", '5 < 6 "yes"'),
        ("<style>p {}</style><script>x()</script>Hi<!-- no -->", "Hi"),
    ],
)
def test_descriptions_become_plain_paragraphs(shelter: Shelter, written: str, text: str) -> None:
    assert import_row(shelter, description=written)["description"] == text


def test_the_pick_up_address_is_removed_from_a_petharbor_memo(shelter: Shelter) -> None:
    memo = (
        "Received on: 555-0100<p></p> Found Near: 1 ELM RD, KENT<p></p> Description: Black Cat<p></p> "
        "Age: 5 YEARS<p></p> Current Location: Shelter<p></p>Hi! I am Rex.<p></p>Adoption Fee: $30.00<p></p>"
    )
    header = ["impound_no", "Animal_ID", "Record_Type", "animal_type", "Memo"]
    import_file(shelter, make_csv(header, ["K1", "A1", "ADOPTABLE", "Cat", memo]))
    assert only_animal(shelter)["description"] == "Hi! I am Rex."


def test_microchip_and_hidden_comments_are_private(shelter: Shelter) -> None:
    animal = import_shelter_manager_row(
        shelter,
        identichipnumber="981020023666391",
        animalhiddendetails="bites postmen",
        intakereason="Moving",
    )
    assert (animal["microchip"], animal["internal_notes"]) == ("981020023666391", "bites postmen")
    assert (animal["arrival_details"], animal["description"]) == ("Moving", "")


def test_a_microchip_in_rounded_scientific_notation_is_dropped(shelter: Shelter) -> None:
    result = import_file(shelter, "code,species,microchip\nA1,Dog,9.8102E+14\n1.2E+05,Dog,\n")
    assert [(note.row, note.column) for note in result.warnings] == [(2, "microchip")]
    assert [(note.row, note.column) for note in result.refused] == [(3, "code")]


@pytest.mark.parametrize(
    ("written", "kept_as"),
    [
        ('="985112000000001"', "985112000000001"),
        ("'985112000000001", "985112000000001"),
        ("985112000000001.0", "985112000000001"),
        ("9.85E+14", None),
        ("9,85E+14", None),
        ("9.85112E14", None),
        ("yes", None),
    ],
)
def test_a_microchip_number_is_read_or_reported(shelter: Shelter, written: str, kept_as: str | None) -> None:
    result = import_file(shelter, make_csv(["code", "species", "microchip"], ['="0012"', "Dog", written]))
    assert (only_animal(shelter)["code"], only_animal(shelter)["microchip"]) == ("0012", kept_as)
    assert [note.column for note in result.warnings] == ([] if kept_as else ["microchip"])


def test_an_apostrophe_that_marks_a_cell_as_text_is_removed(shelter: Shelter) -> None:
    header = ["code", "name", "species", "dob", "fee", "description"]
    import_file(shelter, make_csv(header, ["'00123", "'36", "Dog", "'2020-02-28", "'125.50", "'\uff1d1+1"]))
    import_file(shelter, make_csv(header, ["A2", "'Tis", "Dog", "", "", "'quoted' text"]))
    first, second = stored_animals(shelter)
    assert (first["code"], first["name"], first["birth_date"]) == ("00123", "36", date(2020, 2, 28))
    assert (first["fee_cents"], first["description"]) == (12550, "\uff1d1+1")
    assert (second["name"], second["description"]) == ("'Tis", "'quoted' text")
