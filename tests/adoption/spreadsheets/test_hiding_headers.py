"""Animals that a file marks as not adoptable stay hidden. The mark can have any header and words."""

import pytest

from adoption.spreadsheets.statuses.hiding_headers import find_hiding_meaning
from tests.adoption.spreadsheets.sheets import export_csv, import_file, make_csv, stored_animals
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")

# Each row is a header, a cell, and whether the animal is listed. TODAY is 15 June 2024.
CELLS = (
    ("Do not publish", "yes", False),
    ("Do not publish", "no", True),
    ("DoNotShowOnWebsite", "1", False),
    ("Not ready", "needs surgery", False),
    ("Not available until", "2024-07-01", False),
    ("Not available until", "2024-06-01", True),
    ("Not Yet Adoptable", "TRUE", False),
    ("Inactive", "Y", False),
    ("Inactive", "0", True),
    ("Quarantine status", "until Friday", False),
    ("Is in isolation?", "yes", False),
    ("Stray hold until", "2030-01-01", False),
    ("Stray hold until", "2024-06-15", False),
    ("Stray hold until", "2024-06-14", True),
    ("Hold expires", "06/07/2024", False),
    ("Hold expires", "someday", False),
    ("Hold Reason", "court", False),
    ("Medical Hold", "no", True),
    ("Medical Hold", "x", False),
    ("Emancipation Date", "2024-06-20", False),
    ("Available date", "2024-06-20", False),
    ("Available date", "2024-06-10", True),
    ("Available date", "now", True),
    ("Available date", "when spayed", False),
    ("Cruelty case", "1", False),
    ("Not for adoption", "see manager", False),
    ("Not for adoption", "n", True),
    ("Non-shelter", "yes", False),
    ("Deceased", "yes", False),
    ("Deceased?", "No", True),
    ("Date deceased", "2024-01-01", False),
    ("Date of euthanasia", "2024-01-01", False),
    ("DOA", "1", False),
    ("PTS date", "2024-01-01", False),
    ("Cause of death", "parvo", False),
    ("Not yet available", "yes", False),
    ("Returned to owner", "2024-01-01", False),
    ("Transferred", "no", True),
    ("Escaped", "x", False),
    ("Archived", "true", False),
    ("Private", "yes", False),
    ("Permanent foster", "yes", False),
    ("Stray period ends", "2024-07-01", False),
    ("Owned animal", "yes", False),
    ("In care", "no", False),
    ("Date out", "2024-06-01", False),
    ("Date out", "2024-07-01", True),
    ("In Custody", "perhaps", False),
    ("Kennel status", "NURSERY", False),
    ("Animal flags", "courtesy", True),
    ("Animal flags", "courtesy, Bite Hold", False),
    ("Animal flags", "Do not adopt out", False),
)


def test_a_header_about_visibility_hides_an_animal(shelter: Shelter) -> None:
    columns = list(dict.fromkeys(header for header, _, _ in CELLS))
    rows = [
        [f"A{number}", "Dog", *(cell if header == column else "" for column in columns)]
        for number, (header, cell, _) in enumerate(CELLS)
    ]
    result = import_file(shelter, make_csv(["code", "species", *columns], *rows))
    assert result.refused == []
    seen = [
        (header, cell, animal["listed"])
        for (header, cell, _), animal in zip(CELLS, stored_animals(shelter), strict=True)
    ]
    assert seen == list(CELLS)
    doubtful = {note.column for note in result.warnings}
    assert {"Do not publish", "Not ready", "Animal flags", "Kennel status", "In Custody"} <= doubtful
    assert "Deceased?" not in doubtful


@pytest.mark.parametrize("header", ["Publish", "Publish to web", "Adoptable", "Available for adoption"])
def test_a_publication_column_shows_only_published_animals(shelter: Shelter, header: str) -> None:
    cells = ("yes", "no", "", "perhaps", "2024-06-01", "2024-07-01")
    import_file(
        shelter, make_csv(["code", "species", header], *([cell or "none", "Cat", cell] for cell in cells))
    )
    assert [animal["code"] for animal in stored_animals(shelter) if animal["listed"]] == ["yes", "2024-06-01"]


def test_one_of_several_hiding_columns_is_enough_to_hide_an_animal(shelter: Shelter) -> None:
    header = "code,species,Deceased Date,Euthanized,Medical hold,Legal hold,Published,Publish to web\n"
    rows = (
        "A1,Dog,2024-01-01,,,,yes,yes\n"
        "A2,Dog,,Y,,,yes,yes\n"
        "A3,Dog,,,no,yes,yes,yes\n"
        "A4,Dog,,,yes,no,yes,yes\n"
        "A5,Dog,,,,,yes,no\n"
        "A6,Dog,,N,no,no,yes,yes\n"
    )
    import_file(shelter, header + rows)
    assert [animal["listed"] for animal in stored_animals(shelter)] == [False] * 5 + [True]
    assert [animal["on_hold"] for animal in stored_animals(shelter)] == [None, None, True, True, None, None]


SHELTER_MANAGER = "ANIMALCODE,ANIMALNAME,ANIMALSPECIES,ANIMALFLAGS,ANIMALEUTHANIZED,ANIMALDECEASEDREASON\n"


def test_flags_of_shelter_manager_hide_an_animal(shelter: Shelter) -> None:
    rows = (
        "A1,Quin,Dog,quarantine,,\n"
        "A2,Cru,Dog,crueltycase,,\n"
        'A3,Nfa,Dog,"notforadoption,courtesy",,\n'
        "A4,Nons,Cat,nonshelter,,\n"
        "A5,Euth,Cat,,Y,\n"
        "A6,Ret,Cat,courtesy,N,Died in care\n"
    )
    import_file(shelter, SHELTER_MANAGER + rows)
    found = [
        (animal["listed"], animal["on_hold"], animal["in_quarantine"]) for animal in stored_animals(shelter)
    ]
    assert found == [
        (False, False, True),
        (False, True, False),
        (False, None, None),
        (False, None, None),
        (False, None, None),
        (True, None, None),
    ]


STATUSES = (
    ("Available - Behind the Scenes", "available", True),
    ("Available - ITFF Behavior", "available", True),
    ("Available Now", "available", True),
    ("Available (in foster)", "available", True),
    ("Adoptable - Urgent", "available", True),
    ("In foster care", "available", True),
    ("Adoption Pending - Awaiting Pick-up", "pending", True),
    ("Adopted!", "sold", True),
    ("Released", "available", False),
    ("Awaiting Triage", "available", False),
    ("Medical Observation", "available", False),
    ("Coming soon", "available", False),
    ("Not yet available", "available", False),
    ("Available soon", "available", False),
    ("Available - not for adoption", "available", False),
    ("Available after surgery", "available", False),
    ("Pending transfer", "available", False),
    ("Pending - RTO", "available", False),
    ("Available - medical", "available", False),
    ("On Shelter", "available", False),
    ("RIP", "available", False),
    ("Closed", "available", False),
    ("banana", "available", False),
    ("Urgent", "available", False),
    ("Foster-to-Adopt", "pending", True),
)


def test_an_unknown_status_hides_the_animal_and_is_reported(shelter: Shelter) -> None:
    rows = [[f"A{number}", "Dog", word] for number, (word, _, _) in enumerate(STATUSES)]
    result = import_file(shelter, make_csv(["Animal #", "Species", "Stage"], *rows))
    assert (result.created, result.refused) == (len(STATUSES), [])
    found = [
        (word, animal["status"], animal["listed"])
        for (word, _, _), animal in zip(STATUSES, stored_animals(shelter), strict=True)
    ]
    assert found == list(STATUSES)
    unknown = {note.value for note in result.warnings}
    assert {"Awaiting Triage", "Medical Observation", "banana", "Available soon"} <= unknown
    assert not unknown & {"RIP", "Adopted!", "Available Now"}


def test_columns_about_an_adoption_set_the_status(shelter: Shelter) -> None:
    header = "code,species,Adopted,Adoption date,Reserved for,Foster to adopt,Date out\n"
    rows = (
        "A1,Dog,yes,,,,2024-05-02\nA2,Dog,,2024-05-01,,,\nA3,Dog,,2024-07-01,,,\nA4,Dog,,,Ann Smith,,\n"
        "A5,Dog,,,,yes,\nA6,Dog,no,,no,no,\n"
    )
    import_file(shelter, header + rows)
    found = [(animal["status"], animal["listed"]) for animal in stored_animals(shelter)]
    assert found == [
        ("sold", True), ("sold", True), ("available", True), ("pending", True), ("pending", True),
        ("available", True),
    ]  # fmt: skip


def test_a_hiding_column_added_to_our_export_hides_animals(shelter: Shelter) -> None:
    import_file(
        shelter, "code,name,species,status\nA1,a,Dog,available\nA2,b,Dog,available\nA3,c,Dog,available\n"
    )
    header, *rows = export_csv(shelter).splitlines()
    cells = (",", "yes,", ",2024-07-01")
    file = "\n".join(
        [f"{header},Do not publish,Stray hold until", *map(",".join, zip(rows, cells, strict=True))]
    )
    result = import_file(shelter, file)
    found = [(animal["listed"], animal["on_hold"]) for animal in stored_animals(shelter)]
    assert found == [(True, None), (False, None), (False, True)]
    assert result.columns["Do not publish"] == "listed"
    assert [note.row for note in result.warnings] == [3]


def test_comment_columns_may_have_the_same_name(shelter: Shelter) -> None:
    result = import_file(shelter, "code,species,Comments,Comments\nA1,Dog,shy,loud\n")
    assert (result.created, [animal["internal_notes"] for animal in stored_animals(shelter)]) == (1, ["shy"])
    assert result.columns["Comments (column 4)"] is None


def test_a_hold_also_hides_an_adopted_animal(shelter: Shelter) -> None:
    import_file(
        shelter,
        "code,species,status,quarantine,hold\nA1,Dog,Adopted,yes,\nA2,Dog,Adopted,,yes\nA3,Dog,Adopted,,\n",
    )
    found = [(animal["status"], animal["listed"]) for animal in stored_animals(shelter)]
    assert found == [("sold", False), ("sold", False), ("sold", True)]


@pytest.mark.parametrize(
    ("header", "dead", "other"),
    [("Estado", "Fallecida", "Texas"), ("Stato", "deceduto", "Toscana"), ("状態", "死亡", "?")],
)
def test_a_status_of_death_in_another_language_hides(
    shelter: Shelter, header: str, dead: str, other: str
) -> None:
    import_file(shelter, f"code,name,species,{header}\nA1,Rex,Dog,{dead}\nA2,Bo,Dog,{other}\n")
    assert [animal["listed"] for animal in stored_animals(shelter)] == [False, True]


def test_a_hiding_status_overrides_a_foster_home(shelter: Shelter) -> None:
    import_file(
        shelter,
        "code,species,status,movement type\nA1,Dog,Not available,Foster\nA2,Dog,Not available,Adoption\n"
        "A3,Dog,zzz,Foster\n",
    )
    found = [(animal["status"], animal["listed"]) for animal in stored_animals(shelter)]
    assert found == [("available", False), ("sold", True), ("available", False)]


@pytest.mark.parametrize(
    "header",
    [
        "Household size", "Threshold", "Publisher", "Hold harmless", "Notes", "Staff Notes", "Hidden notes",
        "Phone", "Address", "Total", "Shots", "Adoption counselor", "Adopter", "Email", "Weight", "Location",
        "Unit", "Show date", "Bonded", "Litter", "Markings", "List", "Listing URL", "Deadline",
        "Release form signed", "Last published",
    ],
)  # fmt: skip
def test_an_ordinary_header_hides_no_animal(header: str) -> None:
    assert find_hiding_meaning(header) is None
