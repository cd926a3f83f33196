"""Parsed rows: the values that a row sets in its animal."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from adoption.spreadsheets.row_notes import RowNote
from adoption.translations import message

NO_SPECIES = message(
    "this new animal has no species. Write the species in a column, or choose one species for all such rows"
)


Stay = tuple[str, str, int, int]
"""Sort key of a stay among an animal's stays: arrival, outcome, rank of the record, and row index."""


@dataclass
class ParsedRow:
    """A parsed row, with the fields that the file sets. A blank cell also sets its field."""

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
    """A birth date that was counted back from an age. The estimate never replaces a known birth date."""
    stay: Stay
    exact: bool = False
    """Whether the row is from our own export. In our own export, each column sets only its own field."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected if no earlier row is about the same animal.

    None means that the row needs no earlier row.
    """
    blank: frozenset[str] = frozenset()
    """Fields whose cells in this row are all blank."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a column's header and a photo URL, in order."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
