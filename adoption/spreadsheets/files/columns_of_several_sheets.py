"""Join of the columns of several sheets under one header."""

from collections.abc import Sequence

from adoption.animals.parsing import cell_parsers
from adoption.animals.parsing.text_cleanup import letters
from adoption.spreadsheets.columns.column_recognition import MappedColumn, recognise_header
from adoption.spreadsheets.files.raw_tables import RawRow
from adoption.spreadsheets.files.sheet_choice import OpenTable


class JoinedColumns:
    """The columns of several tables under one header.

    A column of a later table joins the column with the same header, or else the column with the same meaning.
    If no column has the same header or meaning, the joined header gets another column.
    """

    def __init__(self, tables: Sequence[OpenTable]) -> None:
        self.header: list[str] = [cell.strip() for cell in tables[0].found.header.cells]
        self.places: list[list[int] | None] = [None]
        for each in tables[1:]:
            self.places.append(self.join(each))
        self.layout = tables[0].layout if len(tables) == 1 else recognise_header(self.header)
        self.species = [species_told(each) for each in tables]
        """The species that each table's name shows; empty for a table with a species column."""
        self.species_place = next((each.place for each in self.layout.columns if is_species(each)), None)
        if any(self.species) and self.species_place is None:
            self.species_place = len(self.header)
            self.header.append("Species")
            self.layout = recognise_header(self.header)

    def join(self, table: OpenTable) -> list[int]:
        """Return the places that the table's columns have under the joined header."""
        by_name = {letters(header): place for place, header in reversed(list(enumerate(self.header)))}
        joined = recognise_header(self.header)
        by_meaning = {each.meaning: each.place for each in (*joined.columns, *joined.codes[:1])}
        meant = {each.place: each.meaning for each in (*table.layout.columns, *table.layout.codes[:1])}
        taken: set[int] = set()
        places = []
        for place, cell in enumerate(table.found.header.cells):
            to = by_name.get(letters(cell)) if letters(cell) else None
            if to is None or to in taken:
                to = by_meaning.get(meant.get(place, ""))
            if to is None or to in taken:
                to = len(self.header)
                self.header.append(cell.strip())
            taken.add(to)
            places.append(to)
        return places

    def move(self, index: int, record: RawRow) -> RawRow:
        """Return a row of the table at ``index``, with its cells under the joined header."""
        if record.trouble:
            return record
        places, species = self.places[index], self.species[index]
        if places is not None:
            cells = [""] * len(self.header)
            for place, cell in zip(places, record.cells, strict=False):
                cells[place] = cell
            kept = [note for note in record.notes if note.place < len(places)]
            notes = [note._replace(place=places[note.place]) for note in kept]
            record = record._replace(cells=cells, notes=notes)
        if species and self.species_place is not None:
            cells = record.cells + [""] * (self.species_place + 1 - len(record.cells))
            cells[self.species_place] = species
            record = record._replace(cells=cells)
        return record


def is_species(column: MappedColumn) -> bool:
    return column.field == "category"


def species_told(table: OpenTable) -> str:
    """Return the sheet's name if the name is a species, such as Dogs, and if no column has the species."""
    if any(map(is_species, table.layout.columns)) or not table.table.name:
        return ""
    return "" if cell_parsers.parse_species(table.table.name).word else table.table.name
