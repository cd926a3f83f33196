"""The result of an import or of its dry run."""

from dataclasses import dataclass, field
from typing import Any

from adoption.spreadsheets.code_clashes import CodeClash
from adoption.spreadsheets.row_notes import RowNote


@dataclass
class ImportResult:
    """The result of an import or dry run. Each row counts once: created, updated, unchanged or refused."""

    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    unlisted: int = 0
    """Number of animals that the import hides. The file says that these animals have left or are on hold."""
    further: int = 0
    """Number of rows whose animal also has an earlier row in the file."""
    blanks: int = 0
    """Number of stored values whose cells in the file are blank."""
    blanks_cleared: bool = False
    """Whether the stored values counted in ``blanks`` are cleared. Otherwise they are kept."""
    dry_run: bool = False
    columns: dict[str, str | None] = field(default_factory=dict)
    """The field that each column sets, by the header as written; None for an ignored column."""
    refused: list[RowNote] = field(default_factory=list)
    warnings: list[RowNote] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences about the whole file, such as that a sheet was not read."""
    clashes: list[CodeClash] = field(default_factory=list)
    """Codes that two animals have. The rows of the second animal count as refused."""

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON for other programs."""
        return {
            "rows": self.rows,
            "created": self.created,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "dry_run": self.dry_run,
            "blanks": self.blanks,
            "blanks_cleared": self.blanks_cleared,
            "columns": self.columns,
            "refused": [note.as_json() for note in self.refused],
            "warnings": [note.as_json() for note in self.warnings],
            "notes": self.notes,
        }
