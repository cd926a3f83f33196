"""What is made of a row: what it says of an animal, or why it is refused."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

SHOWN = 200
"""Letters of a cell that are shown beside the reason why it was not taken."""


NO_SPECIES = "this new animal has no species. Add a column species, or say --category Dog"


class RowNote(NamedTuple):
    """A cell that was not taken: its spreadsheet row, the header as written or None, the cell, the reason."""

    row: int
    column: str | None
    value: str
    reason: str
    sheet: str = ""
    """The name of its sheet, if rows of more than one sheet are read."""

    def as_json(self) -> dict[str, Any]:
        """Return the note as other programs read it; it has a sheet only where there is more than one."""
        return {key: value for key, value in self._asdict().items() if key != "sheet" or value}


class RowRefused(Exception):
    def __init__(self, note: RowNote) -> None:
        super().__init__(note.reason)
        self.note = note


Stay = tuple[str, str, int, int]
"""By this the stays of one animal stand in order: arrival, outcome, rank of the record, row."""


@dataclass
class ParsedRow:
    """One row, read. Only what the file says is in it, so that a blank field and an absent one differ."""

    row: int
    sheet: str
    code: str | None
    name: str | None
    category_id: int | None
    values: dict[str, Any]
    """Columns of the animal to be set, by name."""
    care: dict[str, Any]
    """Columns of its care record to be set, by name."""
    estimate: date | None
    """A birth date counted back from an age: it fills a gap, and never replaces a date."""
    stay: Stay
    exact: bool = False
    """From an export of ours: nothing in it is to be weighed against anything else."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected unless an earlier row is of the same animal; None for other rows."""
    blank: frozenset[str] = frozenset()
    """Fields whose cells are all blank."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Addresses of pictures in their order, each after its column's header."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
