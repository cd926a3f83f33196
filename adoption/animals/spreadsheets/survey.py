"""A file looked through before it is read: which column is the code, how its dates are written."""

from collections import Counter
from contextlib import suppress
from datetime import date, datetime

from adoption.animals.spreadsheets.columns import DATES, Layout
from adoption.animals.spreadsheets.dates import Order, moment
from adoption.animals.spreadsheets.readings import Manner
from adoption.animals.spreadsheets.separated import Record
from adoption.animals.spreadsheets.sheets import Sheet
from adoption.errors import FileRefused

STAY_DAYS = ("arrived", "moved", "returned", "died")
NAMES_TO_TELL = 3
"""Names in capitals that tell of a program that writes all in capitals."""


def manner_of(sheet: Sheet, category_id: int | None, day_first: bool | None, now: datetime) -> Manner:
    """How the cells of this file are to be read. Raises FileRefused, naming a column and the flag to give."""
    layout = sheet.layout
    names = [column.place for column in layout.columns if column.meaning == "name"]
    dated = {column.place: Order() for column in layout.columns if column.meaning in DATES}
    filled: Counter[int] = Counter()
    cases: Counter[bool] = Counter()
    for record in sheet:
        filled.update(column.place for column in layout.codes if cell(record, column.place))
        for place, order in dated.items():
            order.count(cell(record, place))
        cases.update(name.isupper() for name in (cell(record, place) for place in names) if cased(name))
    codes = [column for column in layout.codes if filled[column.place]] or list(layout.codes)
    layout = layout.with_code(codes[0] if codes else None)
    refuse_nameless(layout, category_id)
    orders = orders_of(layout, dated, day_first)
    shouting = cases[True] >= NAMES_TO_TELL and not cases[False]
    return Manner(layout, orders, newest_day(sheet, layout, orders, now), shouting, category_id, now)


def cell(record: Record, place: int) -> str:
    return record.cells[place].strip() if place < len(record.cells) else ""


def cased(text: str) -> bool:
    return text.upper() != text.lower()


def orders_of(layout: Layout, dated: dict[int, Order], day_first: bool | None) -> dict[int, bool | None]:
    """Whether the day comes first, by a column's place. Raises FileRefused when a column leaves it open."""
    for place, order in dated.items():
        if day_first is None and order.open:
            raise FileRefused(
                f'The column "{layout.header[place]}" can be read with the day or the month first, as '
                f'"{order.example}" shows. Say which: --day-first or --month-first.'
            )
    return {place: order.day_first if day_first is None else day_first for place, order in dated.items()}


def refuse_nameless(layout: Layout, category_id: int | None) -> None:
    """Raises FileRefused when no row of the file could name an animal or its species."""
    own = {column.field for column in layout.columns}
    if not own & {"name", "code"}:
        raise FileRefused(
            "No column names the animals. Add one called name, or one called code with the shelter's codes."
        )
    if not own & {"category", "code"} and category_id is None:
        raise FileRefused(
            "No column tells the species. Add one called species, or say which it is for all: --category Dog."
        )


def newest_day(sheet: Sheet, layout: Layout, orders: dict[int, bool | None], now: datetime) -> date | None:
    """The newest day of a stay in the file that has come: about when the file was written.

    None where nothing asks for it, as there is no column of ages.
    """
    if not any(column.meaning.startswith("age") for column in layout.columns):
        return None
    places = [column.place for column in layout.columns if column.meaning in STAY_DAYS]
    days: set[date] = set()
    for record in sheet:
        for place in places:
            with suppress(ValueError):
                days.add(moment(cell(record, place), orders.get(place), now.year).date())
    return max((day for day in days if day <= now.date()), default=None)
