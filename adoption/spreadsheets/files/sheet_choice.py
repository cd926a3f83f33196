"""Choice of the sheets to read from a workbook."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adoption.errors import FileRefused, Invalid
from adoption.spreadsheets.columns.column_recognition import HeaderLayout
from adoption.spreadsheets.files.header_row_search import EMPTY, HeaderFound, find_header, narrowed
from adoption.spreadsheets.files.raw_tables import RawRow, Table
from adoption.translations import message

NO_ROWS = message("The file has a header and no rows below it.")


@dataclass
class Sheets:
    """The sheets of a file: the sheets to read, the names of all sheets, and notes."""

    read: list["OpenTable"]
    names: list[str]
    """The names of all readable sheets, including hidden ones."""
    notes: list[str]
    """Sentences about the sheets that are not read."""


class OpenTable:
    """A table with its header."""

    def __init__(self, table: Table) -> None:
        """Find the header. Raises FileRefused if the table has no header."""
        self.table = table
        self.found: HeaderFound = find_header(table.rows())
        self.first = next((each for each in self.found.rows if any(c.strip() for c in each.cells)), None)

    @property
    def layout(self) -> HeaderLayout:
        return self.found.layout

    @property
    def has_animals(self) -> bool:
        """Whether the table's columns have the names or codes of animals, and also facts about animals."""
        names = {"name", "code"} & {column.field for column in (*self.layout.columns, *self.layout.codes)}
        named = names or self.layout.codes
        return self.first is not None and bool(named) and self.layout.known >= 2

    @property
    def rank(self) -> tuple[bool, int, int]:
        return self.first is not None, self.layout.known, sum(map(bool, self.layout.header))

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows below the header."""
        header = self.found.header.row
        return (narrowed(record) for record in self.table.rows() if record.row > header)


def choose_sheets(tables: Sequence[Table], chosen: Sequence[str] = ()) -> Sheets:
    """Return the sheets with animals, or the sheets that the user has chosen by name.

    If no sheet has animals, return the sheet with the most known columns, so that the user can map its
    columns. Raises FileRefused if no sheet can be read, and Invalid if a chosen sheet does not exist.
    """
    opened, refusal = open_tables(tables)
    if chosen:
        return Sheets(chosen_tables(opened, chosen, tables), [each.table.name for each in opened], [])
    visible = [each for each in opened if not each.table.is_hidden]
    read = [each for each in visible if each.has_animals]
    if not read and any(each.has_animals for each in opened):
        names = ", ".join(f'"{each.table.name}"' for each in opened if each.has_animals)
        raise FileRefused(
            f"The animals of this workbook are on a hidden sheet: {names}. Unhide the sheet, "
            "then save the workbook."
        )
    if not read:
        if not visible:
            raise refusal or FileRefused(EMPTY)
        read = [max(visible, key=lambda each: each.rank)]
        if len(tables) == 1 and read[0].first is None:
            raise FileRefused(NO_ROWS)
    notes = [why_not_read(each) for each in opened if each not in read and (each.first or len(tables) > 1)]
    return Sheets(read, [each.table.name for each in opened], notes)


def open_tables(tables: Sequence[Table]) -> tuple[list[OpenTable], FileRefused | None]:
    opened: list[OpenTable] = []
    refusal: FileRefused | None = None
    for table in tables:
        try:
            opened.append(OpenTable(table))
        except FileRefused as why:
            refusal = why if refusal is None or str(refusal) == EMPTY else refusal
    return opened, refusal


def chosen_tables(opened: list[OpenTable], chosen: Sequence[str], tables: Sequence[Table]) -> list[OpenTable]:
    names = [each.name for each in tables]
    for name in chosen:
        if name not in names:
            listed = ", ".join(f'"{each}"' for each in names)
            raise Invalid([("sheets", f'has no sheet "{name}". The sheets are {listed}')])
    read = [each for each in opened if each.table.name in chosen]
    if not any(each.first for each in read):
        raise FileRefused(NO_ROWS if read else EMPTY)
    return read


def why_not_read(each: OpenTable) -> str:
    name = each.table.name
    if each.table.is_hidden:
        return f'The hidden sheet "{name}" is not read.'
    if each.first is None:
        return f'The sheet "{name}" is not read: it has no rows below its header.'
    return f'The sheet "{name}" is not read: it does not seem to list animals.'
