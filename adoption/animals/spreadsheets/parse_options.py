"""How one file is to be read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from adoption.animals.spreadsheets.header_formats import HeaderLayout


@dataclass(frozen=True)
class ParseOptions:
    """How the cells of one file are to be read, as found out from all of its rows."""

    layout: HeaderLayout
    day_first: Mapping[int, bool | None]
    """By the place of a date's column."""
    newest: date | None
    """The newest day in the file that is not in the future: an age with no day of its own counts from it."""
    shouting: bool
    """Every name of the file is in capitals."""
    category_id: int | None
    now: datetime
