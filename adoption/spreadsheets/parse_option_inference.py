"""Inference of parse options from all rows of a file: the code column, and the order of day and month."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from adoption.animals.parsing.date_parser import DayMonthOrder
from adoption.errors import FileRefused
from adoption.spreadsheets.columns.column_meanings import DATES
from adoption.spreadsheets.columns.column_recognition import HeaderLayout
from adoption.spreadsheets.files.file_reader import Sheet
from adoption.spreadsheets.files.header_row_search import unknown_header
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.translations import message

NAMES_TO_TELL = 3
"""The least number of names from which a program's use of capitals is inferred.

If a file has at least this many names, and all names are in capitals, the program writes names in capitals.
"""


class DateOrderUnsure(FileRefused):
    """The dates in a column can be read with either the day or the month first."""

    def __init__(self, header: str, example: str) -> None:
        super().__init__(
            f'The dates in the column "{header}", such as "{example}", can be read with the '
            "day or the month first. Choose the order."
        )
        self.header, self.example = header, example


class NoNameColumn(FileRefused):
    """The file has no column for the animals' names."""


class NoSpeciesColumn(FileRefused):
    """The file has no column for the species."""


@dataclass
class Inference:
    """Facts that can be inferred only from all rows of a file."""

    layout: HeaderLayout
    """The columns, with the code column first.

    If some rows have no code there, further code columns follow.
    """
    dated: dict[int, DayMonthOrder]
    shouting: bool

    @classmethod
    def of(cls, sheet: Sheet) -> "Inference":
        layout = sheet.layout
        names = [column.place for column in layout.columns if column.meaning == "name"]
        dated = {column.place: DayMonthOrder() for column in layout.columns if column.meaning in DATES}
        filled: Counter[int] = Counter()
        cases: Counter[bool] = Counter()
        for record in sheet:
            filled.update(column.place for column in layout.codes if record.cell(column.place).strip())
            for place, order in dated.items():
                order.count(record.cell(place).strip())
            cases.update(
                name.isupper() for name in (record.cell(place).strip() for place in names) if cased(name)
            )
        codes = [column for column in layout.codes if filled[column.place]] or list(layout.codes[:1])
        if codes and filled[codes[0].place] == sheet.count:
            codes = codes[:1]
        shouting = cases[True] >= NAMES_TO_TELL and not cases[False]
        return cls(layout.with_codes(codes), dated, shouting)

    def orders(self, day_first: bool | None) -> dict[int, bool | None]:
        """Return whether the day comes before the month in each date column, by column place.

        The value is None if neither the column nor the user shows the order.
        """
        return {
            place: day_first if order.day_first is None else order.day_first
            for place, order in self.dated.items()
        }

    def refuse_open(self, day_first: bool | None) -> None:
        """Raise DateOrderUnsure if a column has ambiguous dates and the user has not chosen an order."""
        for place, order in self.dated.items():
            if day_first is None and order.open:
                raise DateOrderUnsure(self.layout.header[place], order.example)

    def options(self, chosen: ImportOptions, now: datetime) -> ParseOptions:
        orders = self.orders(chosen.day_first)
        return ParseOptions(self.layout, orders, self.shouting, chosen.category_id, now, chosen)


def infer_options(sheet: Sheet, chosen: ImportOptions, now: datetime) -> ParseOptions:
    """Return the parse options for a file.

    Raises FileRefused if the user must choose an option. The error names the column and the choice.
    """
    survey = Inference.of(sheet)
    refuse_nameless(survey.layout, chosen.category_id)
    survey.refuse_open(chosen.day_first)
    return survey.options(chosen, now)


def cased(text: str) -> bool:
    return text.upper() != text.lower()


def refuse_nameless(layout: HeaderLayout, category_id: int | None) -> None:
    """Raise FileRefused if the file has no column for the animals' names or for the species."""
    own = {column.field for column in layout.columns}
    if not layout.columns:
        raise NoNameColumn(unknown_header(layout.header))
    if not own & {"name", "code"}:
        raise NoNameColumn(
            message(
                "No column has the animals' names or codes. Add a column called name, or a column "
                "called code with the shelter's codes."
            )
        )
    if not own & {"category", "code"} and category_id is None:
        raise NoSpeciesColumn(
            message(
                "No column has the species. Add a column called species, or choose one species "
                "for all animals."
            )
        )
