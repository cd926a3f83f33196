"""Ages as staff enter them: approximate, in words or digits."""

import re
from datetime import date

from adoption.animals.spreadsheets import dates

NUMBER_WORDS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
ABOUT = re.compile(r"\s*(about|around|roughly|almost|nearly|approx(imately)?\.?|ca?\.|~)\s*", re.IGNORECASE)
RANGE = re.compile(r"[0-9.,]+\s*(?:-|\N{EN DASH}|to|or)\s*[0-9]", re.IGNORECASE)


def age(text: str, today: date) -> date | None:
    """The approximate date of birth of an age such as "2 years"; None where the text is empty."""
    if not text.strip():
        return None
    words = re.sub(r"\s+old\s*$", "", ABOUT.sub("", text, count=1) if ABOUT.match(text) else text.strip())
    words = re.sub(r"(?i)\b[a-z]+\b", in_digits, words)
    words = re.sub(r"([0-9]+)\s*(?:1/2|\N{VULGAR FRACTION ONE HALF})", r"\1.5", words)
    words = re.sub(r"(?<=[0-9]),(?=[0-9])", ".", words)
    if re.fullmatch(r"[0-9]+(?:[.,][0-9]+)?", words.strip()):
        raise ValueError(f"Add years, months or weeks, such as {words.strip()} years")
    if RANGE.search(words):
        raise ValueError("Enter one age, such as the younger one: 2 years")
    found = dates.age(words)
    if found is None:
        raise ValueError("Enter the age as 2 years, 5 months or 8 weeks")
    return found.before(today)


def in_digits(word: re.Match[str]) -> str:
    known = word[0].lower()
    if known in ("a", "an"):
        return "1"
    return str(NUMBER_WORDS.index(known) + 1) if known in NUMBER_WORDS else word[0]


def same_age(guessed: date, born: date, today: date) -> bool:
    """Whether an age in words, counted back to ``guessed``, says the same as a date of birth."""
    unit = 365 if (today - guessed).days >= 365 else 31
    return abs((guessed - born).days) < unit
