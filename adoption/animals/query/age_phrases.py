"""Ages in a query, such as "2 year old", "6mo" or "less than 1 year", as age groups."""

import re
from collections.abc import Sequence

from adoption.animals.age_groups import AGE_GROUPS

NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS.split())}
AGE = re.compile(r"(\d{1,3})([a-z]*)")
MONTHS_BY_UNIT = {
    **dict.fromkeys(("year", "years", "yr", "yrs", "y", "yo", "ano", "anos"), 12.0),
    **dict.fromkeys(("month", "months", "mo", "mos", "m", "mes", "meses"), 1.0),
    **dict.fromkeys(("week", "weeks", "wk", "wks", "semanas"), 0.23),
    **dict.fromkeys(("day", "days"), 0.03),
}
YOUNGER, OLDER, EXACT = "younger", "older", "exact"
LEADS = {
    ("under",): YOUNGER,
    ("below",): YOUNGER,
    ("less", "than"): YOUNGER,
    ("younger", "than"): YOUNGER,
    ("over",): OLDER,
    ("above",): OLDER,
    ("more", "than"): OLDER,
    ("older", "than"): OLDER,
    ("at", "least"): OLDER,
    ("about",): EXACT,
    ("around",): EXACT,
}
ABOUT_AGE = {("younger", "than"), ("older", "than")}
"""Words after which a number without a unit is an age in years."""
BOUNDS = {("under",), ("below",), ("over",), ("above",), ("less", "than"), ("more", "than")}
"""Words after which a number without a unit is an age only at the end of the query.

For example, "under 20 kg" is not an age.
"""
YEARS_MOST = 30
TAILS: dict[tuple[str, ...], str] = {
    (joint, word): kind
    for joint in ("and", "or")
    for kind, tails in ((OLDER, ("over", "older", "up")), (YOUNGER, ("under", "younger")))
    for word in tails
}
ENDS = {"old", "of", "age"}
WORDS_MOST = 8


def age_at_start(words: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
    """Return how many words the age has, and the age groups that it includes.

    The age must be at the start of the words. If the words start with no age, return None.
    """
    lead = next((words_ for words_ in LEADS if tuple(words[: len(words_)]) == words_), ())
    rest = words[len(lead) :]
    number = measure_at(rest, lead in ABOUT_AGE or (lead in BOUNDS and is_number_of_years(rest)))
    if number is None:
        return None
    months, used = number
    used += len(lead)
    kind = LEADS.get(lead, EXACT)
    if tail := TAILS.get(tuple(words[used : used + 2])):
        kind, used = tail, used + 2
    groups = age_groups_within(kind, months)
    return (used, groups) if groups else None


def measure_at(words: Sequence[str], is_age: bool) -> tuple[float, int] | None:
    """Return an age in months, and its number of words.

    With ``is_age``, a number without a unit is in years.
    """
    found = AGE.fullmatch(NUMBERS.get(words[0], words[0])) if words else None
    if not found:
        return None
    used, unit = 1, found[2]
    if not unit and len(words) > 1 and words[1] in MONTHS_BY_UNIT:
        used, unit = 2, words[1]
    if not unit and (is_age or tuple(words[1:3]) in TAILS):
        unit = "years"
    if unit not in MONTHS_BY_UNIT:
        return None
    while used < len(words) and words[used] in ENDS:
        used += 1
    return int(found[1]) * MONTHS_BY_UNIT[unit], used


def is_number_of_years(words: Sequence[str]) -> bool:
    """Return whether the words are a single number that can be an animal's age in years."""
    number = NUMBERS.get(words[0], words[0]) if len(words) == 1 else ""
    return number.isdecimal() and number.isascii() and int(number) <= YEARS_MOST


def age_groups_within(kind: str, months: float) -> tuple[str, ...]:
    """Return the age groups of all ages below, above or equal to ``months``, youngest first."""
    starts = {group: years * 12 for group, years in AGE_GROUPS.items()}
    if kind == YOUNGER:
        return tuple(group for group, start in starts.items() if start < months)
    names = list(starts)
    first = max(n for n, start in enumerate(starts.values()) if start <= months)
    return tuple(names[first:]) if kind == OLDER else (names[first],)
