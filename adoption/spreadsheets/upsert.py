"""Creation and update of animals from parsed rows. A few statements write only the differences."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, bindparam, insert, select, update
from sqlalchemy.orm import Session

from adoption.animals.age_groups import stored_age_group
from adoption.animals.default_values import ANIMAL_BLANK, CARE_BLANK
from adoption.animals.indexed_words import FOUND_BY, words_to_index
from adoption.markdown import RENDERED_COLUMNS, rendered_columns
from adoption.projects.models import Project
from adoption.spreadsheets.code_clashes import CodeClash, IsFree, Match, match_codes
from adoption.spreadsheets.parsed_rows import NO_SPECIES, ParsedRow
from adoption.spreadsheets.rows_of_one_animal import UpsertRow
from adoption.spreadsheets.stored_animals import ANIMALS, CARE, find_animals
from adoption.translations import message

CLEARABLE = {
    key: blank
    for key, blank in (ANIMAL_BLANK | CARE_BLANK).items()
    if key not in ("status", "listed", "code", "on_hold", "in_quarantine")
}
"""Columns that a blank cell can clear."""


DERIVED = frozenset(("words", *RENDERED_COLUMNS))
"""Columns that are computed from other columns."""


class UpsertResult(NamedTuple):
    """The result for an animal's newest row. ``outcome`` is created, updated, unchanged or refused."""

    upsert_row: UpsertRow
    outcome: str
    refusal: tuple[str | None, str, str] | None = None
    """Column, value and reason, if the row is refused without a code clash."""
    clash: CodeClash | None = None
    warning: str = ""
    blanks: int = 0
    """Number of stored values whose cells in the row are blank.

    The user chose whether such values are cleared or kept.
    """
    created: Mapping[str, Any] = MappingProxyType({})
    """The values of a new animal and its care record."""
    changed: Mapping[str, tuple[Any, Any]] = MappingProxyType({})
    """The old and new value of each changed column."""
    animal_id: int | None = None
    """The animal's id; None for a refused row, or for a new animal in a dry run."""

    @property
    def parsed(self) -> ParsedRow:
        return self.upsert_row.parsed


class AnimalRoom:
    """The number of animals that an import may still add under the account's plan."""

    def __init__(self, left: int | None, sentence: str = "") -> None:
        self.left, self.sentence = left, sentence

    def take(self) -> bool:
        """Count one more new animal. Return whether the plan allows the animal."""
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


def write_chunk(
    session: Session,
    project_id: int,
    upsert_rows: Sequence[UpsertRow],
    now: datetime,
    is_free: IsFree,
    dry_run: bool = False,
    room: AnimalRoom | None = None,
) -> list[UpsertResult]:
    """Create and update the animals of these rows. An animal stays unchanged if its values equal the row."""
    if not dry_run:
        # With this lock, imports of the same project wait for each other. Otherwise two imports could create
        # the same animal.
        session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))
    animals = find_animals(session, project_id, upsert_rows)
    matched = match_codes(session, project_id, upsert_rows, animals, is_free)
    outcomes = [decide_upsert(each, project_id, now, room) for each in matched]
    written = [each for each, _ in outcomes]
    if dry_run:
        return written
    made = [new for _, new in outcomes if isinstance(new, NewRow)]
    ids = iter(insert_animals(session, made))
    changed = [change for _, change in outcomes if isinstance(change, AnimalUpdate)]
    update_animals(session, [each for each in changed if each.animal or each.care], now)
    return [each._replace(animal_id=next(ids)) if each.outcome == "created" else each for each in written]


class NewRow(NamedTuple):
    """The columns of a new animal and its care record."""

    animal: dict[str, Any]
    care: dict[str, Any]


def decide_upsert(
    matched: Match, project_id: int, now: datetime, room: AnimalRoom | None
) -> "tuple[UpsertResult, NewRow | AnimalUpdate | None]":
    """Return the result for a row, and the new or changed columns; None if the row is refused."""
    upsert_row, animal, clash = matched
    if clash is not None:
        return UpsertResult(upsert_row, "refused", clash=clash), None
    if animal is not None:
        change = AnimalUpdate.of(upsert_row.parsed, animal)
        return change.result(upsert_row, animal), change
    if upsert_row.parsed.category_id is None:
        return UpsertResult(upsert_row, "refused", (None, "", NO_SPECIES)), None
    if room is not None and not room.take():
        return UpsertResult(upsert_row, "refused", (None, "", room.sentence)), None
    new = NewRow(new_animal_columns(upsert_row.parsed, project_id, now), CARE_BLANK | upsert_row.parsed.care)
    return UpsertResult(upsert_row, "created", created=new.animal | new.care), new


def new_animal_columns(read: ParsedRow, project_id: int, now: datetime) -> dict[str, Any]:
    estimated = {"birth_date": read.estimate, "birth_date_estimated": True} if read.estimate else {}
    values = {**ANIMAL_BLANK, **estimated, **read.values}
    return {
        **values,
        "age_group": stored_age_group(values["age_group"], values["birth_date"]),
        "project_id": project_id,
        "code": read.code,
        "name": read.name or read.code,
        "category_id": read.category_id,
        "created_at": now,
        "updated_at": now,
    }


@dataclass
class AnimalUpdate:
    """The columns to update in an animal and its care record. Without differences, there are no columns."""

    animal_id: int
    animal: dict[str, Any]
    care: dict[str, Any]
    has_care: bool
    warning: str = ""
    blanks: int = 0

    def result(self, upsert_row: UpsertRow, now: RowMapping) -> UpsertResult:
        """Return the result for the row. ``now`` has the animal's current values."""
        outcome = "updated" if self.animal or self.care else "unchanged"
        return UpsertResult(
            upsert_row,
            outcome,
            warning=self.warning,
            blanks=self.blanks,
            changed=self.with_old(now),
            animal_id=self.animal_id,
        )

    def with_old(self, now: RowMapping) -> dict[str, tuple[Any, Any]]:
        """Return each changed column with its old and new value."""
        care = {
            key: (now[f"care_{key}"] if self.has_care else CARE_BLANK[key], value)
            for key, value in self.care.items()
        }
        return {key: (now[key], value) for key, value in self.animal.items() if key not in DERIVED} | care

    @classmethod
    def of(cls, read: ParsedRow, now: RowMapping) -> "AnimalUpdate":
        wanted = {**read.values}
        if read.name is not None:
            wanted["name"] = read.name
        if read.category_id is not None:
            wanted["category_id"] = read.category_id
        if read.estimate and now["birth_date"] is None:
            wanted |= {"birth_date": read.estimate, "birth_date_estimated": True}
        elif "birth_date" in wanted and not is_same_value(wanted["birth_date"], now["birth_date"]):
            wanted.setdefault("birth_date_estimated", False)
        wanted["age_group"] = stored_age_group(
            wanted.get("age_group", now["age_group"]), wanted.get("birth_date", now["birth_date"])
        )
        care = (
            CARE_BLANK if now["care_animal_id"] is None else {key: now[f"care_{key}"] for key in CARE_BLANK}
        )
        kept = keep_holds(read.care, care)
        warning = keep_removed(wanted, now) or keep_hidden(read, wanted, {**care, **kept}, now["listed"])
        differing = {key: value for key, value in wanted.items() if not is_same_value(value, now[key])}
        if not differing.keys().isdisjoint(FOUND_BY):
            differing["words"] = words_to_index({**now, **differing})
        differing |= rendered_columns(differing)
        return cls(
            now["id"],
            differing,
            {key: value for key, value in kept.items() if not is_same_value(value, care[key])},
            now["care_animal_id"] is not None,
            warning,
            sum(
                not is_same_value({**now, **care}[key], CLEARABLE[key])
                for key in read.blank & CLEARABLE.keys()
            ),
        )


def keep_removed(wanted: dict[str, Any], now: RowMapping) -> str:
    """Keep a removed animal hidden. Return a warning; empty if the row would not show a removed animal."""
    if now["removed_at"] is None or not wanted.get("listed"):
        return ""
    wanted["listed"] = False
    return message("the animal was removed here, so it stays hidden. Restore it on its page")


HOLDS = ("on_hold", "in_quarantine")


def keep_holds(care: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the care values without values that would end a hold. Only staff end holds, one at a time."""
    return {key: value for key, value in care.items() if key not in HOLDS or value or not now[key]}


def keep_hidden(read: ParsedRow, wanted: dict[str, Any], care: Mapping[str, Any], is_listed: bool) -> str:
    """Keep an animal on hold hidden. Return a warning; empty if the row would not show an animal on hold."""
    held = [each for each in HOLDS if care[each]]
    if not held or not wanted.get("listed") or (read.exact and is_listed):
        return ""
    wanted["listed"] = False
    if held == ["in_quarantine"]:
        return message("the animal is in quarantine here, so it stays hidden. End the quarantine on its page")
    return message("the animal is on hold here, so it stays hidden. Lift the hold on its page")


def is_same_value(one: Any, other: Any) -> bool:
    """Return whether two values are equal. Blank text equals None, because a blank cell can mean both."""
    return one == other or (one in (None, "") and other in (None, ""))


def insert_animals(session: Session, made: Sequence[NewRow]) -> Sequence[int]:
    """Insert the new animals. Return their ids in the same order."""
    if not made:
        return []
    rows = [{**animal, "words": words_to_index(animal), **rendered_columns(animal)} for animal, _ in made]
    ids = session.scalars(insert(ANIMALS).returning(ANIMALS.c.id, sort_by_parameter_order=True), rows).all()
    records = [
        {"animal_id": animal_id, **care}
        for animal_id, (_, care) in zip(ids, made, strict=True)
        if care != CARE_BLANK
    ]
    if records:
        session.execute(insert(CARE), records)
    return ids


def update_animals(session: Session, changed: Sequence[AnimalUpdate], now: datetime) -> None:
    """Update animals. One statement updates all animals whose changes are in the same columns."""
    by_columns: defaultdict[tuple[str, ...], list[AnimalUpdate]] = defaultdict(list)
    for change in changed:
        by_columns[tuple(sorted(change.animal))].append(change)
    for columns, changes in by_columns.items():
        setting = update(ANIMALS).where(ANIMALS.c.id == bindparam("of"))
        setting = setting.values({key: bindparam(f"to_{key}") for key in (*columns, "updated_at")})
        session.execute(
            setting,
            [
                {
                    "of": each.animal_id,
                    "to_updated_at": now,
                    **{f"to_{key}": value for key, value in each.animal.items()},
                }
                for each in changes
            ],
        )
    new = [
        {"animal_id": each.animal_id, **CARE_BLANK, **each.care}
        for each in changed
        if each.care and not each.has_care
    ]
    if new:
        session.execute(insert(CARE), new)
    for each in changed:
        if each.care and each.has_care:
            session.execute(update(CARE).where(CARE.c.animal_id == each.animal_id).values(each.care))
