"""Options for parsing the cells of one file, inferred or chosen by the user."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from adoption.spreadsheets.columns.column_recognition import HeaderLayout
from adoption.spreadsheets.import_options import ImportOptions


@dataclass(frozen=True)
class ParseOptions:
    """Options for parsing the cells of one file."""

    layout: HeaderLayout
    day_first: Mapping[int, bool | None]
    """Whether the day comes before the month in each date column, by column place."""
    shouting: bool
    """Whether all names in the file are in capitals."""
    category_id: int | None
    now: datetime
    chosen: ImportOptions = ImportOptions()  # noqa: RUF009 - it is frozen

    @property
    def list_day(self) -> date:
        """The day from which ages count back: the date of the list, or else the day of the import."""
        return self.chosen.list_date or self.now.date()
