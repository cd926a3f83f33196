"""Parsers of cells about an animal's status and visibility.

Each parser takes the cell's text, trimmed and not blank. If the text is unclear, the parser raises ValueError
with the reason, and the caller hides the animal.
"""

import re
from datetime import date
from typing import NamedTuple

from adoption.animals.parsing.date_parser import NO_DAY, parse_date_time
from adoption.animals.parsing.parse_cache import kept_by_text
from adoption.animals.parsing.text_cleanup import plain_word
from adoption.animals.parsing.vocabulary import NO, NOT_KNOWN, YES
from adoption.spreadsheets.statuses.hiding_headers import find_hiding_meaning
from adoption.spreadsheets.statuses.status_vocabulary import (
    ADOPTABLE_KENNELS,
    HOLDS,
    NO_HOLD,
    NOT_ADOPTABLE_KENNELS,
    NOT_YET,
    NOW,
    OUTCOMES,
    QUARANTINES,
    STATUSES,
    VISITS,
)
from adoption.translations import message


class ListingStatus(NamedTuple):
    """A status, and whether the animal is visible.

    The status None leaves the stored status unchanged. ``hold`` is a hold that hides the animal.
    """

    status: str | None
    seen: bool
    hold: str | None = None


HELD = ListingStatus(None, False, "on_hold")
QUARANTINED = ListingStatus(None, False, "in_quarantine")
HIDDEN = ListingStatus(None, False)
ISOLATION = re.compile(r"\biso\b", re.IGNORECASE)


@kept_by_text(1024)
def parse_status(text: str) -> ListingStatus:
    word = plain_word(text)
    if found := known_status(word, STATUSES):
        return found
    raise ValueError(
        message("this status is unknown, so the animal is hidden. Write available, pending or adopted")
    )


@kept_by_text(1024)
def parse_outcome(text: str) -> ListingStatus:
    """Return the status of an animal after this outcome of a stay."""
    word = plain_word(text)
    if found := known_status(word, OUTCOMES):
        return found
    if word.startswith(("euth", "died", "dead", "transfer", "return", "reclaim", "release")):
        return HIDDEN
    raise ValueError(message("this outcome is unknown, so the animal is hidden. Set its status by hand"))


def parse_intake_type(text: str) -> bool:
    """Return whether an animal with this intake type can be adopted.

    For example, an animal cannot be adopted after a clinic visit or a death.
    """
    return not VISITS.search(plain_word(text))


NO_MOVEMENT = ListingStatus(None, True)
ASM_MOVEMENTS = {
    "1": "adoption",
    "2": "foster",
    "3": "transfer",
    "4": "escaped",
    "5": "reclaimed",
    "6": "stolen",
    "7": "released to wild",
    "8": "retailer",
    "9": "reservation",
    "10": "none",
    "11": "trial adoption",
    "12": "permanent foster",
    "13": "tnr",
}


def parse_asm_movement(text: str) -> ListingStatus:
    """Parse ShelterManager's movement number, or a word. The number 0 with a date means a reservation."""
    return NO_MOVEMENT if text == "0" else parse_outcome(ASM_MOVEMENTS.get(text, text))


def known_status(word: str, known: dict[str, tuple[str | None, bool]]) -> ListingStatus | None:
    """Return the status for a known word, a hold, or a text that starts with a known word; otherwise None."""
    for each in (word, word.replace("-", " ")):
        if each in known:
            return ListingStatus(*known[each])
    if held := hold_in_word(word):
        return held
    return None if NOT_YET.search(word) else leading_status(word, known)


def leading_status(word: str, known: dict[str, tuple[str | None, bool]]) -> ListingStatus | None:
    """Return the status for the longest known word at the start, as in ``Available - in foster``."""
    beginning = word[: max(map(len, known)) + 1]
    ends = [found.start() for found in re.finditer(r"[\s(,;:/\-–—!]+", beginning)]  # noqa: RUF001 - a dash
    for end in reversed(ends):
        if (end >= 4 or not word.isascii()) and word[:end] in known:
            return ListingStatus(*known[word[:end]])
    return None


def hold_in_word(word: str) -> ListingStatus | None:
    if word in QUARANTINES or "quarantine" in word:
        return QUARANTINED
    return HELD if word in HOLDS or re.search(r"\bhold\b", word) else None


def parse_hold(text: str) -> ListingStatus | None:
    """Parse a cell of a hold column: yes or no, or one of Chameleon's words.

    Every text means a hold, except "no" and the words in ``NO_HOLD``.
    """
    word = plain_word(text)
    if says_no(word) or word in NO_HOLD:
        return None
    return QUARANTINED if "quarantine" in word else HELD


def parse_kennel_status(text: str) -> bool:
    word = plain_word(text)
    if word in ADOPTABLE_KENNELS or word in NOT_ADOPTABLE_KENNELS:
        return word in ADOPTABLE_KENNELS
    raise ValueError(
        message("this kennel status is unknown, so the animal is hidden. Set its status by hand")
    )


def says_no(word: str) -> bool:
    """Return whether the text means no. The empty date ``0000-00-00`` also means no."""
    return word in NO or word in NOT_KNOWN or bool(NO_DAY.fullmatch(word))


def parse_shelterluv_altered(text: str) -> bool | None:
    """Return True for ``Yes`` or ``Altered in care``; None for any other text."""
    word = plain_word(text)
    return True if word in YES or word.startswith("altered") else None


def has_day(text: str) -> bool | None:
    """Return True for a date; None for "no"."""
    return None if says_no(plain_word(text)) else True


def parse_hides(text: str) -> bool:
    """Return whether a cell hides the animal. The cell is in a column that can hide animals.

    Any text except "no" hides the animal, and so does a date.
    """
    return not says_no(plain_word(text))


def place_hides(text: str) -> bool:
    """Return whether the animals in a location such as "Quarantine" or "ISO 2" are hidden."""
    meaning = find_hiding_meaning(text)
    if meaning in ("hold", "hold_until", "quarantine", "died", "hides") or ISOLATION.search(text):
        return True
    found = known_status(plain_word(text), STATUSES)
    return found is not None and not found.seen


def parse_visible(text: str, today: date) -> bool:
    """Parse a cell about publication: yes or no, a status, or the day from which the animal is shown."""
    word = plain_word(text)
    if word in YES or word in NO:
        return word in YES
    if days := possible_days(text, today.year):
        return max(days) <= today
    try:
        return parse_status(text).seen
    except ValueError:
        raise ValueError(
            message("this is neither yes nor no, so the animal is hidden. Write yes or no")
        ) from None


def parse_hold_until(text: str, today: date) -> ListingStatus | None:
    """Parse the last day of a hold. If the date is ambiguous, the later day counts."""
    word = plain_word(text)
    if says_no(word):
        return None
    if days := possible_days(text, today.year):
        return HELD if max(days) >= today else None
    return HELD


def parse_available_from(text: str, today: date) -> bool:
    """Return whether the first day on which an animal can be adopted is in the future."""
    word = plain_word(text)
    if word in YES or word in NOT_KNOWN or word in NOW or NO_DAY.fullmatch(word):
        return False
    if days := possible_days(text, today.year):
        return max(days) > today
    raise ValueError(message("this is not a date, so the animal is hidden. Write dates such as 2020-02-28"))


def parse_adopted(text: str, today: date) -> bool:
    """Return whether the animal is adopted: the cell has yes, a name, or a date that is not in the future."""
    if says_no(plain_word(text)):
        return False
    days = possible_days(text, today.year)
    return not days or min(days) <= today


def parse_returned(text: str, today: date) -> bool:
    """Return whether an adopted animal is back in care: its return date is not in the future."""
    if says_no(plain_word(text)):
        return False
    days = possible_days(text, today.year)
    if not days:
        parse_date_time(text, None, today.year)  # raises ValueError with the reason
    return bool(days) and max(days) <= today


def possible_days(text: str, year_now: int) -> set[date]:
    """Return the days that a text can mean: two for an ambiguous date, and none for an invalid date."""
    days = set()
    for day_first in (True, False):
        try:
            days.add(parse_date_time(text, day_first, year_now).date())
        except ValueError:
            continue
    return days


class Flags(NamedTuple):
    holds: frozenset[str]
    hides: bool
    doubtful: tuple[str, ...]
    """Flags that only seem to hide the animal."""


NOT_PUBLIC = frozenset(["notforadoption", "nonshelter"])


def parse_flags(text: str) -> Flags:
    """Parse ShelterManager's comma-separated flags, which are built in or defined by the shelter."""
    holds: set[str] = set()
    hides, doubtful = False, []
    for flag in filter(None, (part.strip() for part in re.split(r"[,;|]", text))):
        meaning = find_hiding_meaning(flag)
        if flag.lower() in NOT_PUBLIC:
            hides = True
        elif meaning in ("hold", "hold_until", "quarantine"):
            holds.add("in_quarantine" if meaning == "quarantine" else "on_hold")
        elif meaning in ("hides", "died"):
            hides = True
            doubtful.append(flag)
    return Flags(frozenset(holds), hides, tuple(doubtful))
