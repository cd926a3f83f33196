"""Options for parsing the cells of one file: inferred from its rows, or chosen by the user."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from adoption.animals.spreadsheets.header_formats import HeaderLayout
from adoption.animals.spreadsheets.import_options import ImportOptions


@dataclass(frozen=True)
class ParseOptions:
    """How the cells of one file are read."""

    layout: HeaderLayout
    day_first: Mapping[int, bool | None]
    """By the place of a date's column."""
    shouting: bool
    """Every name of the file is in capitals."""
    category_id: int | None
    now: datetime
    chosen: ImportOptions = ImportOptions()  # noqa: RUF009 - it is frozen

    @property
    def list_day(self) -> date:
        """The day that ages count back from: when the list was made, else the day of the import."""
        return self.chosen.list_date or self.now.date()
