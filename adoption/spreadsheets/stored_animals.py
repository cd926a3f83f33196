"""Lookup of the stored animals that belong to a file's rows."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping, Select, select
from sqlalchemy.orm import Session

from adoption.animals.models import Animal, CareRecord
from adoption.markdown import RENDERED_COLUMNS
from adoption.spreadsheets.rows_of_one_animal import UpsertRow
from adoption.storage.database import Base

ANIMALS = Base.metadata.tables[Animal.__tablename__]
CARE = Base.metadata.tables[CareRecord.__tablename__]


STORED = [column for column in ANIMALS.columns if column.name not in RENDERED_COLUMNS]


def select_stored(project_id: int) -> Select[Any]:
    everything = select(
        *STORED, *(column.label(f"care_{column.name}") for column in CARE.columns)
    ).select_from(ANIMALS.outerjoin(CARE, CARE.c.animal_id == ANIMALS.c.id))
    return everything.where(ANIMALS.c.project_id == project_id).order_by(ANIMALS.c.id)


def animals_by_code(session: Session, project_id: int, codes: Collection[str]) -> dict[str, RowMapping]:
    if not codes:
        return {}
    rows = session.execute(select_stored(project_id).where(ANIMALS.c.code.in_(codes))).mappings()
    return {row["code"]: row for row in rows}


def find_animals(
    session: Session, project_id: int, upsert_rows: Sequence[UpsertRow]
) -> list[RowMapping | None]:
    """Return the stored animal of each row; None for a new animal. Columns of care records are ``care_…``."""
    codes = {upsert_row.parsed.code for upsert_row in upsert_rows if upsert_row.parsed.code is not None}
    names = {upsert_row.parsed.name for upsert_row in upsert_rows if upsert_row.parsed.code is None}
    coded = animals_by_code(session, project_id, codes)
    codeless: defaultdict[tuple[str, int], list[RowMapping]] = defaultdict(list)
    if names:
        alike = select_stored(project_id).where(ANIMALS.c.code.is_(None), ANIMALS.c.name.in_(names))
        for row in session.execute(alike).mappings():
            codeless[row["name"], row["category_id"]].append(row)
    return [
        nth_alike(upsert_row, codeless)
        if upsert_row.parsed.code is None
        else coded.get(upsert_row.parsed.code)
        for upsert_row in upsert_rows
    ]


def nth_alike(
    upsert_row: UpsertRow, codeless: Mapping[tuple[str, int], list[RowMapping]]
) -> RowMapping | None:
    """Return the ``nth`` stored animal among the animals with the row's name, category and birth date.

    If the row has no birth date, stored animals with the birth date of another row are skipped.
    """
    read = upsert_row.parsed
    assert read.name is not None and read.category_id is not None  # noqa: S101, PT018 - codeless rows have both
    born = read.exact_birth
    fitting = [
        row
        for row in codeless.get((read.name, read.category_id), ())
        if (row["birth_date"] == born if born else row["birth_date"] not in upsert_row.taken)
    ]
    return fitting[upsert_row.nth] if upsert_row.nth < len(fitting) else None
