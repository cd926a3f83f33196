"""The result of parsing a row: an animal's values."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from adoption.spreadsheets.row_notes import RowNote
from adoption.translations import message

NO_SPECIES = message(
    "this new animal has no species. Write it in a species column, or choose one for all such rows"
)


Stay = tuple[str, str, int, int]
"""Sort key of an animal's stays: arrival, outcome, rank of the record, and row."""


@dataclass
class ParsedRow:
    """A parsed row, with only the fields that the file sets. A blank field differs from a missing field."""

    row: int
    sheet: str
    code: str | None
    name: str | None
    category_id: int | None
    values: dict[str, Any]
    """The values to set in the animal, by column."""
    care: dict[str, Any]
    """The values to set in the care record, by column."""
    estimate: date | None
    """A birth date counted back from an age. It never replaces a known birth date."""
    stay: Stay
    exact: bool = False
    """Whether the row is from our own export. There, each column sets only its own field."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected if no earlier row has the same animal;

    None for rows that need no earlier row.
    """
    blank: frozenset[str] = frozenset()
    """Fields that have only blank cells."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Photo URLs in order, each with its column's header before it."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
