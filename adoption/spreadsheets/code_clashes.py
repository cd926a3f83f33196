"""Code clashes: codes that two different animals have.

Either both animals are in the file, or one is in the file and the other is stored.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import RowMapping
from sqlalchemy.orm import Session

from adoption.animals.allowed_values import CODE_LONGEST
from adoption.spreadsheets.identity_comparison import Identity
from adoption.spreadsheets.rows_of_one_animal import AnimalRows, UpsertRow
from adoption.spreadsheets.stored_animals import animals_by_code

SAME, NEW, SKIP = CHOICES = ("same", "new", "skip")
"""The user's choices for the second animal: treat it as the first animal, give it a new code, or skip it."""
CODES_TRIED = 5
"""Number of codes that are tried for a new animal whose own code is taken."""
ROWS_TOLD = 20

IsFree = Callable[[str, AnimalRows], bool]


class CodeClash(NamedTuple):
    """A code that two different animals have. The second animal is not imported until the user decides."""

    code: str
    rows: list[tuple[str, int]]
    """Sheet and number of each row of the second animal."""
    who: Identity
    other: Identity
    other_row: tuple[str, int] | None
    """Sheet and number of the first row of the first animal; None if the first animal is a stored animal."""

    @property
    def reason(self) -> str:
        return f"this code belongs to another animal: {self.other.as_text()}, {self.where}"

    @property
    def where(self) -> str:
        if self.other_row is None:
            return "which you already have"
        sheet, row = self.other_row
        return f'in row {row} of sheet "{sheet}"' if sheet else f"in row {row}"

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "rows": [row for _, row in self.rows[:ROWS_TOLD]],
            "sheet": self.rows[0][0],
            "who": self.who.as_text(),
            "other": self.other.as_text(),
            "where": self.where,
        }


class Match(NamedTuple):
    """A row with its stored animal, or with a clash if the row's animal is uncertain."""

    upsert_row: UpsertRow
    animal: RowMapping | None
    clash: CodeClash | None


def match_codes(
    session: Session,
    project_id: int,
    upsert_rows: Sequence[UpsertRow],
    animals: Sequence[RowMapping | None],
    is_free: IsFree,
) -> Iterator[Match]:
    """Yield each row with its stored animal.

    A row gets a new code if the user chose a new code for its clash.
    """
    matches = [
        Match(upsert_row, animal, clash_of(upsert_row, animal))
        for upsert_row, animal in zip(upsert_rows, animals, strict=True)
    ]
    new = [each.clash.code for each in matches if each.clash and each.upsert_row.choice == NEW]
    stored = animals_by_code(session, project_id, {code for each in new for code in codes_like(each)})
    for each in matches:
        yield with_new_code(each, stored, is_free) if each.clash and each.upsert_row.choice == NEW else each


def clash_of(upsert_row: UpsertRow, animal: RowMapping | None) -> CodeClash | None:
    read, group = upsert_row.parsed, upsert_row.group
    if read.code is None or upsert_row.choice == SAME or (animal is None and not upsert_row.rivals):
        return None
    stored = Identity.of_animal(animal) if animal is not None else None
    # Several animals in the file can have the stored animal's code. The first of these animals that fits is
    # treated as the stored animal.
    others = [each.who for each in upsert_row.rivals]
    if stored and not stored.differs_from(group.who) and all(map(stored.differs_from, others)):
        return None
    if upsert_row.rivals:
        return CodeClash(read.code, group.rows, group.who, others[0], upsert_row.rivals[0].rows[0])
    assert stored is not None  # noqa: S101 - else there is nothing to clash with
    return CodeClash(read.code, group.rows, group.who, stored, None)


def with_new_code(match: Match, stored: dict[str, RowMapping], is_free: IsFree) -> Match:
    """Return the match with a new code.

    No other animal has the new code, or an earlier import gave the new code to the same animal.
    """
    read, group = match.upsert_row.parsed, match.upsert_row.group
    assert read.code is not None  # noqa: S101 - rows without a code never clash
    for code in codes_like(read.code):
        animal = stored.get(code)
        mine = animal is None or not Identity.of_animal(animal).differs_from(group.who)
        if mine and is_free(code, group):
            return Match(match.upsert_row._replace(parsed=replace(read, code=code)), animal, None)
    return match


def codes_like(code: str) -> Iterator[str]:
    """Yield the codes to try for a new animal whose code is taken."""
    for number in range(2, 2 + CODES_TRIED):
        end = f"-{number}"
        yield code[: CODE_LONGEST - len(end)] + end
