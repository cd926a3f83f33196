"""Parsing of ages such as ``2y3m``, ``1 1/2 years``, ``10 wks`` or ``Adult``."""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from adoption.animals.parsing.age_words import (
    AT_LEAST,
    AT_MOST,
    FILLERS,
    GROUPS,
    NUMBERS,
    RANGES,
    UNITS,
    UNKNOWN,
)
from adoption.animals.parsing.parse_cache import TEXT_LONGEST, kept_by_text
from adoption.translations import message
from adoption.unicode_normalization import normal_form

OLDEST_MONTHS = 150 * 12
"""Limit of an age in months: 150 years, the age of a tortoise."""
BARE_MOST = 30
"""Largest number without a unit that is read as years.

A larger number is more likely a birth year, or an age in months or weeks.
"""
MONTH_DAYS = Fraction(1461, 48)

YEARS_MONTHS_DAYS = re.compile(r"(\d{1,3})\s*/\s*(\d{1,2})\s*/\s*(\d{1,2})")
"""Years, months and days in Shelterluv's format, such as ``2/3/0``."""
NUMBER = r"\d+\s+\d+/\d+|\d+/\d+|\d+[.,]\d+|\d+|[.,]\d+"
JAPANESE = "|".join(
    sorted(
        (
            re.escape(word)
            for word in {*UNITS, *GROUPS, *FILLERS, *AT_LEAST, *AT_MOST}
            if ord(word[0]) > 0x2FF
        ),
        key=len,
        reverse=True,
    )
)
TOKEN = re.compile(rf"(?P<number>{NUMBER})|(?P<word>{JAPANESE}|[a-z]+)|(?P<sign>[-+~<>])|[\s.,;:()&/']+")
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\u301c", "-"))
SMALLER = ("year", "month", "week", "day")
AND_A_HALF = re.compile(
    r"(?P<number>\d+|an?|one|une?|un[oa]|uma?)?\s*\b(?P<unit>[a-z]+) "
    r"(?:y|e|et|and)(?: a)? (?:half|medio|media|demie?|mezzo|meio)\b"
)
"""A half after a number, as in ``2 años y medio`` or ``a year and a half``."""
HALF_AFTER_NUMBER = (
    (re.compile(r"(\d+)(歳|才|年)半"), r"\1 1/2\2"),
    (re.compile(r"(\d+) and a half\b"), r"\1 1/2"),
    (re.compile(r"\b(anderthalb|eineinhalb|anderhalf)\b"), "1 1/2"),
)
NOT_AN_AGE = message("this is not an age. Write it as 2 years, 5 months or 8 weeks")
SEVERAL_AGES = message("this is more than one age. Write it as 2 years, 5 months or 8 weeks")
NO_UNIT = message("the unit is missing. Write it as 2 years, 5 months or 8 weeks")


class Age(NamedTuple):
    """An age in whole months and days."""

    months: int
    days: int

    def before(self, day: date) -> date:
        """Return the birth date of an animal that has this age on ``day``."""
        months = day.year * 12 + day.month - 1 - self.months
        year, month = months // 12, months % 12 + 1
        return day.replace(year=year, month=month, day=min(day.day, monthrange(year, month)[1])) - timedelta(
            days=self.days
        )


class ParsedAge(NamedTuple):
    """The result of parsing an age: an age, or only an age group (a key of ``AGE_GROUPS``)."""

    age: Age | None
    group: str | None = None
    doubt: str = ""
    """A sentence that says how an ambiguous text was read; empty if the text is clear."""


@dataclass
class Amount:
    """An age, or one end of a range of ages."""

    months: Fraction = Fraction(0)
    days: Fraction = Fraction(0)
    bare: Fraction | None = None
    """A number without a unit; None if every number has a unit."""
    unit: str = ""
    """The unit that was read last."""

    def add(self, number: Fraction, unit: str) -> None:
        """Add a number with its unit.

        Raises ValueError unless the unit is smaller than the previous unit. For example, "1 year 2 years" is
        invalid.
        """
        if self.unit and SMALLER.index(unit) <= SMALLER.index(self.unit):
            raise ValueError(SEVERAL_AGES)
        self.unit = unit
        self.months += number * {"year": 12, "month": 1}.get(unit, 0)
        self.days += number * {"week": 7, "day": 1}.get(unit, 0)

    @property
    def is_empty(self) -> bool:
        return not self.unit and self.bare is None

    @property
    def total_days(self) -> Fraction:
        return self.months * MONTH_DAYS + self.days


@kept_by_text(8192)
def parse_age(text: str, bare_unit: str = "year") -> ParsedAge | None:
    """Return the age in a cell; None for a blank cell.

    ``bare_unit`` is the unit for a number without a unit: ``year``, ``month``, ``week`` or ``day``. For a
    range, the middle is returned. Raises ValueError, with an example, if the text is not an age.
    """
    if len(text) > TEXT_LONGEST:
        raise ValueError(NOT_AN_AGE)
    words = plain_words(text).replace("y/o", "yo")
    if not words:
        return None
    if words.strip(" .") in UNKNOWN:
        raise ValueError(message("the age is not known, so the field is left blank"))
    if parts := YEARS_MONTHS_DAYS.fullmatch(words):
        years, months, days = map(int, parts.groups())
        return whole_age(Amount(Fraction(years * 12 + months), Fraction(days), unit="day"), "")
    amounts, groups, limit = read_tokens(words)
    if all(amount.is_empty for amount in amounts):
        return ParsedAge(None, one_group(groups))
    if any(amount.is_empty for amount in amounts) or len(amounts) > 2:
        raise ValueError(NOT_AN_AGE)
    doubt = give_units(amounts, bare_unit)
    whole = amounts[0]
    if len(amounts) == 2:
        whole = middle(*amounts)
        doubt = f"this is a range, so the middle is used: {format_age(whole)}"
    elif limit == "most":
        whole = middle(Amount(), whole)
        doubt = f"this is an upper limit, so half of it is used: {format_age(whole)}"
    elif limit:
        doubt = f"this is a lower limit, so it is read as {format_age(whole)}"
    return whole_age(whole, doubt)


def plain_words(text: str) -> str:
    """Return the text in lower case, without accents, with ``½`` as ``1/2`` and ASCII digits."""
    spaced = "".join(
        f" {letter} " if unicodedata.decomposition(letter).startswith("<fraction>") else letter
        for letter in text
    )
    letters = normal_form("NFKD", spaced.replace("ß", "ss")).replace("\N{FRACTION SLASH}", "/")
    bare = "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f")
    return with_halves(" ".join(normal_form("NFC", bare).lower().translate(DASHES).split()))


def with_halves(words: str) -> str:
    """Return the words with halves as numbers: "2 1/2 years" for "2 years and a half"."""
    for pattern, number in HALF_AFTER_NUMBER:
        words = pattern.sub(number, words)

    def before_unit(found: re.Match[str]) -> str:
        number = found["number"] or "1"
        return f"{number if number.isdecimal() else 1} 1/2 {found['unit']}"

    return AND_A_HALF.sub(before_unit, words)


def age_tokens(words: str) -> Iterator[tuple[str, str]]:
    """Yield each number, word and sign with its kind. Raises ValueError for any other character."""
    place = 0
    while place < len(words):
        found = TOKEN.match(words, place)
        if found is None:
            raise ValueError(NOT_AN_AGE)
        place = found.end()
        if found.lastgroup:
            yield found.lastgroup, found[0]


def read_tokens(words: str) -> tuple[list[Amount], list[str], str]:
    """Return the amounts, the age groups and the limit of an age.

    A range has two amounts. The limit is "least", "most" or an empty text. A text with an unknown word is
    rejected, so that "2 years, 10 kg" is not an age.
    """
    amounts = [Amount()]
    groups: list[str] = []
    limit = ""
    number: Fraction | None = None
    for kind, token in age_tokens(words):
        if kind == "number" or (number is None and token in NUMBERS and not is_range(token, amounts)):
            if number is not None or amounts[-1].bare is not None:
                raise ValueError(SEVERAL_AGES)
            number = fraction_of(token) if kind == "number" else Fraction(NUMBERS[token])
        elif number is not None and token in UNITS:
            amounts[-1].add(number, UNITS[token])
            number = None
        elif token in AT_LEAST or token in AT_MOST:
            limit = "least" if token in AT_LEAST else "most"
        elif token in RANGES and (number is not None or not amounts[-1].is_empty):
            if number is not None:
                amounts[-1].bare, number = number, None
            amounts.append(Amount())
        elif token in RANGES - {"-"} and number is None:
            continue  # the "to" of "up to 2 years"
        elif token in GROUPS:
            groups.append(GROUPS[token])
        elif token not in FILLERS:
            raise ValueError(NOT_AN_AGE)
    if number is not None:
        amounts[-1].bare = number
    if amounts[-1].is_empty and len(amounts) > 1 and limit:
        amounts.pop()  # "3 years or older"
    if amounts[-1].is_empty and len(amounts) > 1:
        raise ValueError(NOT_AN_AGE)
    return amounts, groups, limit


def is_range(token: str, amounts: list[Amount]) -> bool:
    """Return whether a word joins the ends of a range. In Spanish "2 a 3 años", the word "a" does."""
    return token in RANGES and not amounts[-1].is_empty


def fraction_of(token: str) -> Fraction:
    whole, _, part = token.rpartition(" ") if "/" in token else ("", "", token)
    if part.endswith("/0"):
        raise ValueError(NOT_AN_AGE)
    return Fraction(int(whole or 0)) + Fraction(part.replace(",", "."))


def give_units(amounts: list[Amount], bare_unit: str) -> str:
    """Add the missing units: the unit of another amount, or else ``bare_unit``.

    Return a sentence if a unit is a guess; otherwise an empty text. Raises ValueError if a unit cannot be
    guessed.
    """
    unit = next((amount.unit for amount in amounts if amount.unit), "")
    for amount in amounts:
        if amount.bare is None:
            continue
        if amount.unit or (not unit and bare_unit == "year" and amount.bare > BARE_MOST):
            raise ValueError(NO_UNIT)
        amount.add(amount.bare, unit or bare_unit)
    bare = amounts[0].bare
    return (
        ""
        if bare is None or unit or bare_unit != "year"
        else f"this has no unit, so it is read as {format_age(amounts[0])}"
    )


def middle(one: Amount, other: Amount) -> Amount:
    if not one.days and not other.days:
        return Amount((one.months + other.months) / 2, unit="month")
    return Amount(days=(one.total_days + other.total_days) / 2, unit="day")


def whole_age(amount: Amount, doubt: str) -> ParsedAge:
    """Return the age in whole months and days. Raises ValueError for more than 150 years."""
    if amount.total_days > OLDEST_MONTHS * MONTH_DAYS:
        raise ValueError(message("no animal gets this old. Write the date of birth instead"))
    months = int(amount.months)
    days = round((amount.months - months) * MONTH_DAYS + amount.days)
    if not months and not days:
        # "0 years" can mean any number of months below 12.
        return ParsedAge(None, "baby", doubt)
    return ParsedAge(Age(months, days), None, doubt)


def one_group(groups: list[str]) -> str:
    if groups[:2] == ["young", "adult"]:
        groups = groups[:1]
    if len(set(groups)) != 1:
        raise ValueError(NOT_AN_AGE)
    return groups[0]


def format_age(amount: Amount | Age) -> str:
    """Return the amount as "2 years 3 months", without parts that are 0."""
    months, days = int(amount.months), round((amount.months % 1) * MONTH_DAYS + amount.days)
    parts = [(months // 12, "year"), (months % 12, "month"), (days // 7, "week"), (days % 7, "day")]
    return " ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n) or "0 years"
