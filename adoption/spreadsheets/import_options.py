"""The user's choices for one import.

The page, the command, the preview and the importer share the choices.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from adoption.animals.allowed_values import CATEGORIES
from adoption.errors import Invalid

BLANK = "blank"
"""The meaning of a value that counts as a blank cell."""


def value_key(text: str) -> str:
    """Return a cell's text without differences in case and spaces, for comparison."""
    return " ".join(text.split()).casefold()


@dataclass(frozen=True)
class ImportOptions:
    """The user's choices for one file. A default value means that nothing was chosen.

    To add a choice, add a field whose value is plain JSON.
    """

    columns: Mapping[int, str] = field(default_factory=dict)
    """Meanings of columns by column place, as in ``column_mapping.with_choices``."""
    values: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Meanings of values, by column place and value: ``{3: {"verfügbar": "available"}}``."""
    category: str | None = None
    """The species for rows that have no species."""
    day_first: bool | None = None
    """Whether the day comes before the month in columns whose dates are ambiguous."""
    list_date: date | None = None
    """The day on which the list was made. Ages count back from this day."""
    photos: bool = False
    """Whether photo URLs are read."""
    encoding: str | None = None
    """The character encoding, if the file is a text file."""
    sheets: tuple[str, ...] = ()
    """The names of the sheets to read."""
    clear_blanks: bool = False
    """Whether a blank cell clears the stored value."""
    clashes: Mapping[str, str] = field(default_factory=dict)
    """One of ``code_clashes.CHOICES`` for each code that two animals have, by code."""
    clash: str = ""
    """One of ``code_clashes.CHOICES`` for all clashing codes that are not in ``clashes``."""

    @property
    def category_id(self) -> int | None:
        """The id of ``category``. Raises Invalid if the name is unknown."""
        if self.category is None:
            return None
        for number, name in CATEGORIES.items():
            if name.lower() == self.category.lower():
                return number
        raise Invalid(
            [("category", f"must be one of {', '.join(CATEGORIES.values())}, not {self.category!r}")]
        )

    def clash_of(self, code: str) -> str:
        return self.clashes.get(code) or self.clash

    def meaning_of(self, place: int, text: str) -> str:
        """Return the meaning to which the user mapped a cell's text, or else the text."""
        meanings = self.values.get(place)
        if not meanings:
            return text
        meaning = meanings.get(value_key(text), text)
        return "" if meaning == BLANK else meaning

    def to_json(self) -> str:
        plain = dataclasses.asdict(self)
        return json.dumps(plain | {"list_date": self.list_date.isoformat() if self.list_date else None})

    @classmethod
    def from_json(cls, text: str) -> "ImportOptions":
        """Return the stored options. A choice that an older version did not store has the default value."""
        known = {each.name for each in dataclasses.fields(cls)}
        stored: dict[str, Any] = {key: value for key, value in json.loads(text).items() if key in known}
        for key in ("columns", "values"):
            stored[key] = {int(place): value for place, value in stored.get(key, {}).items()}
        stored["sheets"] = tuple(stored.get("sheets", ()))
        if stored.get("list_date"):
            stored["list_date"] = date.fromisoformat(stored["list_date"])
        return cls(**stored)
