"""Parsing of dates in spreadsheets. An invalid date is rejected, never changed into another day."""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from adoption.animals.parsing.parse_cache import TEXT_LONGEST, kept_by_text
from adoption.animals.parsing.vocabulary import NOT_KNOWN
from adoption.translations import message
from adoption.unicode_normalization import normal_form

EARLIEST = 1900
EXCEL_DAY_0 = datetime(1899, 12, 30)  # noqa: DTZ001 - a date of the calendar, in no zone
"""Day 0 of serial dates. Day 0 is not 31 December, because Excel treats 1900 as a leap year."""

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip

LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "nl")
"""Languages of month names."""

TIME = (
    r"(?:[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?\s*(?P<half>[AP]\.?M\.?)?"
)
TIME += r"\s*(?:Z|UTC|[+-]\d\d:?\d\d)?)?"
YEAR_FIRST = re.compile(r"(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})" + TIME, re.IGNORECASE)
PLAIN = re.compile(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)")
YEAR_LAST = re.compile(r"(?P<a>\d{1,2})([-/. ])(?P<b>\d{1,2})\2(?P<y>\d{4}|\d{2})" + TIME, re.IGNORECASE)
WORD = r"(?P<month>[^\W\d_]{3,12})"
JAPANESE_ERA = re.compile(r"(?:令和|R)\.?\s*(?P<y>\d{1,2}|元)[年./-](?P<m>\d{1,2})[月./-](?P<d>\d{1,2})日?")
"""A year of the era Reiwa, which began in 2019."""
JAPANESE = re.compile(r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日" + TIME)
DAY_MONTH = re.compile(
    r"(?P<d>\d{1,2})[-. ]*(?:de )?" + WORD + r"(?: del?)?[-., ]+(?P<y>\d{4}|\d{2})" + TIME, re.IGNORECASE
)
MONTH_DAY = re.compile(
    WORD + r"[-. ]*(?P<d>\d{1,2})(?:st|nd|rd|th)?[-., ]+(?P<y>\d{4})" + TIME, re.IGNORECASE
)
YEAR_ONLY = re.compile(r"(?:19|20)\d\d")
MONTH_ONLY = (
    re.compile(r"(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})"),
    re.compile(r"(?P<m>\d{1,2})[-/.](?P<y>(?:19|20)\d\d)"),
    re.compile(WORD + r"\.?(?: del?)?[-, ]+(?P<y>(?:19|20)\d\d)"),
)
NO_DAY = re.compile(r"[0\-/:. ]*")
SERIAL = re.compile(r"(?P<days>\d{5})(?:\.\d+)?")


@kept_by_text(8192)
def parse_date_time(text: str, day_first: bool | None, year_now: int) -> datetime:
    """Return the date in a cell, and the time if the cell has one.

    ``day_first`` is the order of day and month in the column. If the order is None, ambiguous dates are
    rejected. A two-digit year is at most the year after ``year_now``. Raises ValueError with the reason and
    the fix.
    """
    if text.lower() in NOT_KNOWN or NO_DAY.fullmatch(text):
        raise ValueError(message("the date is not known, so the field is left blank"))
    for pattern, parts in READERS if len(text) <= TEXT_LONGEST else ():
        if found := pattern.fullmatch(text):
            return parts(found, day_first, year_now)
    raise ValueError(
        message("this is not a date that we know. Write dates as year-month-day, such as 2020-02-28")
    )


class ParsedDate(NamedTuple):
    """A date in a cell. ``is_estimated`` means that the cell has only a year or a month."""

    day: date
    is_estimated: bool = False
    doubt: str = ""
    """A sentence that says how an ambiguous cell was read; empty if the cell is clear."""


def parse_birth_date(text: str, day_first: bool | None, year_now: int) -> ParsedDate:
    """Return the birth date in a cell. A year becomes the middle of the year. A month becomes the 15th.

    Raises ValueError, with the reason, if the cell has no valid birth date.
    """
    text = text.strip()
    for pattern in MONTH_ONLY:
        if found := pattern.fullmatch(text):
            return of_month(found)
    if found := YEAR_ONLY.fullmatch(text):
        year = dated(int(text), 7, 1, found).date()
        return ParsedDate(year, True, "this is only a year, so the middle of the year is used")
    day = parse_date_time(text, day_first, year_now).date()
    found = YEAR_LAST.fullmatch(text)
    if found and is_short_iso(found):
        return ParsedDate(day, False, f"the year has two digits, so it is read as {day.isoformat()}")
    return ParsedDate(day)


def of_month(found: re.Match[str]) -> ParsedDate:
    groups = found.groupdict()
    month = int(groups["m"]) if groups.get("m") else month_number(groups["month"])
    day = dated(int(groups["y"]), month, 15, found).date()
    return ParsedDate(day, True, "this is only a month, so the 15th is used")


def year_first(found: re.Match[str], _day_first: bool | None, _year: int) -> datetime:
    return dated(int(found["y"]), int(found["m"]), int(found["d"]), found)


def japanese_era(found: re.Match[str], _day_first: bool | None, _year: int) -> datetime:
    year = 2018 + (1 if found["y"] == "元" else int(found["y"]))
    return dated(year, int(found["m"]), int(found["d"]), found)


def year_last(found: re.Match[str], day_first: bool | None, year_now: int) -> datetime:
    first, second = int(found["a"]), int(found["b"])
    if day_first is None and "." in found[2]:
        day_first = True
    if day_first is None and first != second and first <= 12 and second <= 12:
        raise ValueError(
            message(
                "this date can be read with the day or the month first. "
                "Write dates as year-month-day, such as 2020-02-28"
            )
        )
    if day_first is None:
        day_first = first > 12
    day, month = (first, second) if day_first else (second, first)
    year = full_year(found["y"], year_now)
    if year < 2000 and is_short_iso(found):
        # As day-month-year, "20-02-28" would be in 1928, before the birth of any animal in a shelter.
        return dated(full_year(found["a"], year_now), second, int(found["y"]), found)
    return dated(year, month, day, found)


def is_short_iso(found: re.Match[str]) -> bool:
    """Return whether the date can be read as year-month-day with a two-digit year."""
    return found[2] == "-" and len(found["a"]) == len(found["y"]) == 2 and int(found["b"]) <= 12


def month_in_words(found: re.Match[str], _day_first: bool | None, year_now: int) -> datetime:
    return dated(full_year(found["y"], year_now), month_number(found["month"]), int(found["d"]), found)


def month_number(word: str) -> int:
    plain = without_accents(word)
    numbers = {number for name, number in month_names().items() if name.startswith(plain)}
    if len(numbers) == 1:
        return numbers.pop()
    raise ValueError(f"there is no month called {word}. Write dates as year-month-day, such as 2020-02-28")


@lru_cache(maxsize=1)
def month_names() -> dict[str, int]:
    """Return the number of each month by its full and short names in ``LANGUAGES``, without accents."""
    from babel.dates import get_month_names  # needed only for dates with month names

    return {
        without_accents(name).rstrip("."): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for number, name in get_month_names(width, locale=language).items()
    }


def without_accents(word: str) -> str:
    letters = normal_form("NFKD", word.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def serial(found: re.Match[str], _day_first: bool | None, _year: int) -> datetime:
    return EXCEL_DAY_0 + timedelta(days=int(found["days"]))


Parts = Callable[[re.Match[str], bool | None, int], datetime]
READERS: tuple[tuple[re.Pattern[str], Parts], ...] = (
    (YEAR_FIRST, year_first),
    (YEAR_LAST, year_last),
    (PLAIN, year_first),
    (JAPANESE, year_first),
    (JAPANESE_ERA, japanese_era),
    (DAY_MONTH, month_in_words),
    (MONTH_DAY, month_in_words),
    (SERIAL, serial),
)


def full_year(digits: str, year_now: int) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return 2000 + year if 2000 + year <= year_now + 1 else 1900 + year


def dated(year: int, month: int, day: int, found: re.Match[str]) -> datetime:
    if not EARLIEST <= year <= 2200:
        raise ValueError(
            f"the year {year} cannot be right. Write dates as year-month-day, such as 2020-02-28"
        )
    if not 1 <= month <= 12:
        raise ValueError(f"there is no month {month}. Write dates as year-month-day, such as 2020-02-28")
    if not 1 <= day <= monthrange(year, month)[1]:
        month_name = MONTHS[month - 1].capitalize() + (f" {year}" if month == 2 and day == 29 else "")
        raise ValueError(f"there is no {day} {month_name}. Write dates as year-month-day, such as 2020-02-28")
    return datetime.combine(date(year, month, day), time_of_day(found))


def time_of_day(found: re.Match[str]) -> time:
    """Return the time that follows a date; midnight if the time is missing or invalid."""
    hour = found.groupdict().get("hour")
    if hour is None:
        return time()
    hours = int(hour) % 12 if found["half"] else int(hour)
    hours += 12 if (found["half"] or "").lower().startswith("p") else 0
    minute, second = int(found["minute"]), int(found["second"] or 0)
    return time(hours, minute, second) if hours < 24 and minute < 60 and second < 60 else time()


@dataclass
class DayMonthOrder:
    """The order of day and month in a column. Call ``count`` for each date, then read ``day_first``."""

    day: int = 0
    month: int = 0
    example: str = ""

    def count(self, text: str) -> None:
        found = YEAR_LAST.fullmatch(text.strip())
        if found is None:
            return
        first, second = int(found["a"]), int(found["b"])
        if first > 12 >= second:
            self.day += 1
        elif second > 12 >= first:
            self.month += 1
        elif first != second and first <= 12 and "." not in found[2]:
            self.example = self.example or text.strip()

    @property
    def day_first(self) -> bool | None:
        """Whether the day comes before the month; None if the order is undecided.

        The unambiguous dates decide the order, if at most about one in ten has the other order.
        """
        most, least = max(self.day, self.month), min(self.day, self.month)
        return None if most == 0 or least * 10 > most else self.day > self.month

    @property
    def open(self) -> bool:
        """Whether the order is undecided, and the column has a date that can be read in both orders."""
        return self.day_first is None and bool(self.example)
