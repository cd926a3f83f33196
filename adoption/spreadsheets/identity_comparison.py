"""The facts that identify an animal.

The facts show whether two animals with the same code are the same animal.
"""

from datetime import date
from typing import Any, NamedTuple

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.parsing.cell_parsers import OTHER
from adoption.spreadsheets.parsed_rows import ParsedRow


class Identity(NamedTuple):
    """An animal's name, species and birth date. None means unknown."""

    name: str | None
    category_id: int | None
    birth_date: date | None

    @classmethod
    def of_row(cls, read: ParsedRow) -> "Identity":
        return cls(read.name, read.category_id, read.exact_birth)

    @classmethod
    def of_animal(cls, animal: Any) -> "Identity":
        """Return the identity of a row in the animals table.

        If an animal's name equals its code, the name counts as unknown.
        """
        name = None if animal["name"] == animal["code"] else animal["name"]
        return cls(name, animal["category_id"], animal["birth_date"])

    def or_else(self, other: "Identity") -> "Identity":
        """Return this identity, with its unknown facts taken from ``other``."""
        return Identity(
            self.name or other.name,
            self.category_id or other.category_id,
            self.birth_date or other.birth_date,
        )

    def differs_from(self, other: "Identity") -> bool:
        """Return whether the two identities are of different animals.

        The animals are different if their species differ, or if both their names and their birth dates
        differ. An unknown fact counts as equal. The species Other can also mean an unknown species. So Other
        and another species count as different only if the names differ too.
        """
        if self == other:
            return False
        names = differ(normalised_name(self.name), normalised_name(other.name))
        species = differ(self.category_id, other.category_id)
        if species and (names or OTHER not in (self.category_id, other.category_id)):
            return True
        return names and differ(self.birth_date, other.birth_date)

    def as_text(self) -> str:
        """Return text such as "Rex (Dog, born 2020-02-28)"."""
        facts = [CATEGORIES[self.category_id]] if self.category_id else []
        facts += [f"born {self.birth_date.isoformat()}"] if self.birth_date else []
        name = self.name or "an animal without a name"
        return f"{name} ({', '.join(facts)})" if facts else name


def normalised_name(name: str | None) -> str | None:
    return name and " ".join(name.casefold().split())


def differ(one: object, other: object) -> bool:
    return one is not None and other is not None and one != other
