"""Exports of animals.

Importing an export again changes nothing. An export imported elsewhere exports the same bytes.
"""

import csv
import io
import json
from datetime import date
from typing import IO, Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adoption.animals.age_groups import AGE_GROUPS, stored_age_group
from adoption.animals.allowed_values import CATEGORIES, COATS, SEXES, SIZES, STATUSES, animal_name
from adoption.animals.models import Animal, CareRecord
from adoption.errors import NotFound
from adoption.markdown import RENDERED_COLUMNS
from adoption.spreadsheets.columns.column_recognition import letters, recognise_header
from adoption.spreadsheets.columns.program_formats import OWN
from adoption.spreadsheets.exports.export_formats import export_json
from adoption.spreadsheets.exports.own_format import COLUMNS, FORMULA_STARTS
from adoption.spreadsheets.exports.xlsx import write_xlsx
from adoption.storage.database import transaction
from tests.adoption.spreadsheets.sheets import (
    TODAY,
    count_rows,
    export_csv,
    import_file,
    make_ods,
    stored_animals,
)
from tests.cast import Shelter


def insert_animal(shelter: Shelter, **fields: Any) -> None:
    """Insert an animal into the database without validation."""
    care = {key: fields.pop(key) for key in list(fields) if key in CareRecord.__table__.columns}
    animal = {
        "name": "Rex",
        "category_id": 1,
        "status": "available",
        "created_at": TODAY,
        "updated_at": TODAY,
    }
    with transaction() as session:
        added = Animal(project_id=shelter.project_id, **animal | fields)
        session.add(added)
        if care:
            added.care = CareRecord(**care)


def comparable(animals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the animals without the columns that differ between projects."""
    own = {"id", "animal_id", "project_id", "words", "created_at", "updated_at", *RENDERED_COLUMNS}
    return [{key: value or None for key, value in animal.items() if key not in own} for animal in animals]


def test_an_export_has_one_row_per_animal(shelter: Shelter) -> None:
    insert_animal(
        shelter, code="A1", birth_date=date(2020, 1, 31), fee_cents=12550, good_with_cats=False, on_hold=True
    )
    header, row = csv.reader(io.StringIO(export_csv(shelter)))
    animal = dict(zip(header, row, strict=True))
    assert header == list(OWN)
    assert (animal["code"], animal["species"], animal["status"]) == ("A1", "Dog", "available")
    assert (animal["birth_date"], animal["fee"]) == ("2020-01-31", "125.50")
    assert (animal["good_with_cats"], animal["good_with_dogs"], animal["on_hold"]) == ("no", "", "yes")


def test_every_field_of_an_animal_is_exported() -> None:
    """A new column must be in the export, or in this list with a reason."""
    left_out = {
        "id", "project_id", "created_at", "updated_at", "animal_id",  # the service's own
        "shown_at", "status_changed_at", "revision",  # follow from the changes
        "published", "words", *RENDERED_COLUMNS,  # follow from the rest
        "removed_at", "listed_before_removal",  # of removed animals
        "preview_number", "preview_made_at",  # of a link that expires
        "bond_id",  # refers to another animal, which may have no code
    }  # fmt: skip
    every = {*Animal.__table__.columns.keys(), *CareRecord.__table__.columns.keys()}
    assert {column.field for column in COLUMNS.values()} == every - left_out


def test_an_export_is_recognised_by_its_header() -> None:
    layout = recognise_header(list(OWN))
    assert layout.format == "Homeward"
    assert len(layout.columns) + len(layout.codes) == len(OWN)
    assert len({letters(name) for name in OWN}) == len(OWN)


@pytest.mark.parametrize("start", [*FORMULA_STARTS, "'", "'="])
def test_formulas_are_escaped_in_an_export_and_unescaped_in_an_import(shelter: Shelter, start: str) -> None:
    insert_animal(shelter, code="A1", description=f"{start}SUM(A1)")
    cells = next(csv.DictReader(io.StringIO(export_csv(shelter), newline="")))
    assert not any(cell.startswith(FORMULA_STARTS) for cell in cells.values())
    assert count_rows(import_file(shelter, export_csv(shelter))) == (1, 0, 0, 1, 0)


def test_an_export_does_not_clean_up_texts(shelter: Shelter) -> None:
    insert_animal(
        shelter, code="A1", name="*Rex`", breed_primary="Pug Mix", description="<b>&amp; </b>\r\n\r\n\r\n 1"
    )
    before = stored_animals(shelter)
    assert count_rows(import_file(shelter, export_csv(shelter))) == (1, 0, 0, 1, 0)
    assert stored_animals(shelter) == before


class Pipe:
    """A file that cannot seek, like standard output in a pipe."""

    def __init__(self) -> None:
        self.gone = b""

    def write(self, more: bytes) -> int:
        self.gone += more
        return len(more)

    def flush(self) -> None:
        pass


def test_an_xlsx_export_has_the_same_bytes_in_a_file_and_in_a_pipe(shelter: Shelter) -> None:
    insert_animal(shelter, code="A1")
    file, pipe = io.BytesIO(), Pipe()
    write_xlsx(shelter.slug, file)
    write_xlsx(shelter.slug, cast(IO[bytes], pipe))
    assert file.getvalue() == pipe.gone


def test_an_export_has_no_animals_of_other_projects(shelter: Shelter, neighbour: Shelter) -> None:
    insert_animal(shelter, code="A1")
    assert "A1" not in export_csv(neighbour)
    with pytest.raises(NotFound):
        export_csv(Shelter(shelter.client, 0, 0, "nowhere", ""))


def test_an_export_without_some_columns_can_be_imported(shelter: Shelter) -> None:
    insert_animal(shelter, code="A1", description="kept")
    rows = list(csv.DictReader(io.StringIO(export_csv(shelter))))
    file = io.StringIO()
    some = [name for name in OWN if name not in ("description", "status", "species")]
    writer = csv.DictWriter(file, some, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    assert count_rows(import_file(shelter, file.getvalue())) == (1, 0, 0, 1, 0)


LETTERS = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
AWKWARD = st.sampled_from(
    [
        "",
        "'",
        "''=1",
        "=1+1",
        "@x",
        "+",
        "-",
        "\t",
        "\r",
        "\n",
        '"',
        '",',
        ";",
        "\ufeff",
        " x ",
        "#N/A",
        "1E+5",
        "*",
        "<p>",
        "&amp;",
        "N/A",
        "\x85\u2028",
    ]
)


def text(longest: int) -> st.SearchStrategy[str]:
    return st.builds(lambda a, b: (a + b)[:longest], AWKWARD, st.text(LETTERS, max_size=20))


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def nameable(name: str) -> bool:
    try:
        return bool(animal_name(name))
    except ValueError:
        return False


TRI = st.sampled_from([True, False, None])
ANIMALS = st.fixed_dictionaries(
    {
        "name": text(200).filter(nameable).map(animal_name),
        "category_id": st.sampled_from(list(CATEGORIES)),
        "status": st.sampled_from(STATUSES),
        "listed": st.booleans(),
        "breed_primary": optional(text(100)),
        "breed_secondary": optional(text(100)),
        "breed_mixed": st.booleans(),
        "breed_unknown": st.booleans(),
        "sex": optional(st.sampled_from(SEXES)),
        "altered": TRI,
        "birth_date": optional(st.dates(date(1, 1, 1), date(2024, 1, 1))),
        "birth_date_estimated": st.booleans(),
        "age_group": optional(st.sampled_from(list(AGE_GROUPS))),
        "size": optional(st.sampled_from(SIZES)),
        "coat": optional(st.sampled_from(COATS)),
        "colours": optional(text(200)),
        "good_with_children": TRI,
        "good_with_dogs": TRI,
        "good_with_cats": TRI,
        "house_trained": TRI,
        "declawed": TRI,
        "shots_current": TRI,
        "tags": st.lists(st.sampled_from(["quiet", "Loves water", "é", "=1"]), unique=True).map(
            lambda tags: json.dumps(tags, ensure_ascii=False)
        ),
        "video_url": st.sampled_from([None, "https://video.example/rex?v=1"]),
        "special_needs": st.booleans(),
        "special_needs_note": text(300),
        "fee_cents": optional(st.integers(0, 2**31 - 1)),
        "description": text(300),
        "arrival_date": optional(st.dates(date(1, 1, 1), date(2030, 1, 1))),
    }
).map(lambda animal: animal | {"age_group": stored_age_group(animal["age_group"], animal["birth_date"])})
CARE = st.fixed_dictionaries(
    {
        "microchip": optional(text(50)),
        "on_hold": st.booleans(),
        "in_quarantine": st.booleans(),
        "internal_notes": text(300),
        "surrenderer": text(300),
        "foster_address": text(300),
        "arrival_details": text(300),
    }
)
CODES = st.text(LETTERS, min_size=1, max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(animals=st.dictionaries(CODES, st.tuples(ANIMALS, st.just({}) | CARE), max_size=4))
def test_an_export_imported_elsewhere_exports_the_same_bytes(
    shelter: Shelter, neighbour: Shelter, animals: dict[str, Any]
) -> None:
    with transaction() as session:
        session.query(Animal).delete()
    for code, (fields, care) in animals.items():
        insert_animal(shelter, code=code, **fields, **care)
    first = export_csv(shelter)
    if not animals:
        return
    before = stored_animals(shelter)
    assert count_rows(import_file(shelter, first)) == (len(animals), 0, 0, len(animals), 0)
    assert stored_animals(shelter) == before
    assert count_rows(import_file(neighbour, first)) == (len(animals), len(animals), 0, 0, 0)
    assert export_csv(neighbour) == first
    assert comparable(stored_animals(neighbour)) == comparable(before)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("kind", ["xlsx", "ods", "json"])
def test_an_export_in_every_format_imports_the_same_animals(
    shelter: Shelter, neighbour: Shelter, kind: str
) -> None:
    insert_animal(
        shelter,
        code="0012",
        name="=Rex",
        description="two  spaces\n\n <b>& lines</b>",
        microchip="985112000000001",
        on_hold=True,
        birth_date=date(2020, 2, 28),
        fee_cents=12550,
        colours="Black, White",
        good_with_cats=False,
        tags='["quiet", "loves water"]',
    )
    insert_animal(shelter, code="'A", name="ポチ", age_group="adult", status="sold")
    first = export_csv(shelter)
    file = io.BytesIO()
    match kind:
        case "xlsx":
            write_xlsx(shelter.slug, file)
        case "json":
            export_json(shelter.slug, file, private=True)
        case _:
            file.write(make_ods(*csv.reader(io.StringIO(first, newline=""))))
    assert count_rows(import_file(neighbour, file.getvalue())) == (2, 2, 0, 0, 0)
    assert export_csv(neighbour) == first
    assert count_rows(import_file(shelter, file.getvalue())) == (2, 0, 0, 2, 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)
@given(animals=st.lists(ANIMALS, max_size=4))
def test_animals_without_a_code_survive_an_export_and_import(
    shelter: Shelter, neighbour: Shelter, animals: list[Any]
) -> None:
    with transaction() as session:
        session.query(Animal).delete()
    for fields in animals:
        insert_animal(shelter, **fields)
    first = export_csv(shelter)
    if animals:
        assert count_rows(import_file(shelter, first)) == (len(animals), 0, 0, len(animals), 0)
        import_file(neighbour, first)
        assert export_csv(neighbour) == first
