"""Rules that combine the cells of one row. Several columns can set the same field."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.parsing import cell_parsers
from adoption.spreadsheets.columns.program_formats import OURS
from adoption.spreadsheets.exports import own_format
from adoption.spreadsheets.files.raw_tables import RawRow
from adoption.spreadsheets.parsed_rows import NO_SPECIES, ParsedRow, Stay
from adoption.spreadsheets.row_notes import RowNote, RowRefused
from adoption.spreadsheets.rows.breed_and_trait_rules import settle_breed, settle_traits
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows.status_rules import HOLD_COLUMNS, LISTING, StandingRules, holds_in
from adoption.translations import message


class RowRules:
    """The rules that turn the parsed cells of one row into an animal's values."""

    def __init__(
        self, options: ParseOptions, record: RawRow, facts: dict[str, Any], warnings: list[RowNote]
    ) -> None:
        self.options, self.record, self.facts, self.warnings = options, record, facts, warnings
        self.values: dict[str, Any] = {}
        self.care: dict[str, Any] = {}

    def refuse(self, meaning: str | None, reason: str) -> RowRefused:
        for column in self.options.layout.columns:
            if column.meaning == meaning:
                return RowRefused(self.record.note(column.header, self.record.cell(column.place), reason))
        return RowRefused(self.record.note(None, "", reason))

    def warn(self, meaning: str, reason: str) -> None:
        self.warnings.append(self.refuse(meaning, reason).note)

    def parsed_row(
        self, code: str | None, name: str | None, category_id: int | None, estimate: date | None
    ) -> ParsedRow:
        if code is None and name is None:
            raise self.refuse("name", message("there is neither a name nor a code. Write a name or a code"))
        if code is None and category_id is None:
            raise self.refuse("species", NO_SPECIES)  # without a code, no stored animal can be found
        return ParsedRow(
            self.record.row,
            self.record.sheet,
            code,
            name,
            category_id,
            self.values,
            self.care,
            estimate,
            self.stay(),
            self.options.layout.format == OURS,
            self.warnings,
        )

    def own(self) -> ParsedRow:
        """Return the parsed row for a row of our own export. Each cell of such a row sets one field."""
        own = {key.removeprefix("own:"): value for key, value in self.facts.items() if key.startswith("own:")}
        category_id = own.get("species") or self.options.category_id
        for key, column in own_format.COLUMNS.items():
            is_kept = key in own_format.KEPT
            if key not in own or key in ("name", "species") or (is_kept and own[key] is None):
                continue
            value = None if own[key] == "" and not is_kept else own[key]
            (self.care if column.private else self.values)[column.field] = value
        holds = holds_in(self.facts)
        self.care |= dict.fromkeys(holds, True)
        rules = StandingRules(self.facts, self.options.layout.format, self.options.now.date())
        if holds or rules.hiding_reason():
            self.values["listed"] = False
        return self.parsed_row(self.facts.get("code"), own.get("name"), category_id, None)

    def foreign(self) -> ParsedRow:
        get = self.facts.get
        self.refuse_reports()
        if self.is_further():
            return self.further()
        category_id = self.settle_species()
        settle_breed(self.facts, self.values)
        settle_traits(self.facts, self.values)
        self.settle_fee()
        self.settle_care()
        self.settle_standing()
        estimate = self.settle_birth()
        return self.parsed_row(get("code"), get("name"), category_id, estimate)

    def is_further(self) -> bool:
        """Return whether the row only adds photos to the animal of an earlier row.

        Such a row has a code but no species.
        """
        if "species" not in self.facts or self.facts["species"] or self.facts.get("code") is None:
            return False
        others = (value for meaning, value in self.facts.items() if meaning not in ("code", "name"))
        return self.options.category_id is None or all(value is None for value in others)

    def further(self) -> ParsedRow:
        """Return the result for a row that only adds photos to an animal.

        ShelterManager exports such a row for each vaccination, test, cost and photo.
        """
        read = self.parsed_row(self.facts["code"], self.facts.get("name"), self.options.category_id, None)
        read.stay = ("", "", -1, self.record.row)
        if self.options.category_id is None:
            read.needs_earlier = self.refuse("species", BLANK_SPECIES).note
        return read

    def refuse_reports(self) -> None:
        """Reject reports of lost animals, and reports of found animals that are not in care."""
        if self.facts.get("record_type") == "lost":
            raise self.refuse(
                "record_type", message("this is a report of a lost animal and not an animal in care")
            )
        if self.facts.get("date_type") == "date found":
            raise self.refuse(
                "date_type", message("this is a report of a found animal that is not in the shelter's care")
            )

    def settle_species(self) -> int | None:
        """Return the category; None if the file has no column for the species."""
        if self.facts.get("species") is None:
            if self.options.category_id is None and "species" in self.facts:
                raise self.refuse("species", BLANK_SPECIES)
            return self.options.category_id
        kind: cell_parsers.ParsedSpecies = self.facts["species"]
        if kind.dead:
            self.facts["died"] = True
        if kind.word:
            self.warn(
                "species",
                f"this species has no category, so the animal is in {CATEGORIES[cell_parsers.OTHER]} "
                "and the word is kept as the breed",
            )
        return kind.category_id

    def settle_fee(self) -> None:
        facts = self.facts
        if "fee" in facts:
            self.values["fee_cents"] = facts["fee"]
        if facts.get("fee_waived"):
            self.values["fee_cents"] = 0
        if facts.get("fee_shown") is False:
            self.values["fee_cents"] = None

    def settle_care(self) -> None:
        facts, care = self.facts, self.care
        if "microchip" in facts:
            care["microchip"] = facts["microchip"]
        for meaning, column in CARE_TEXTS.items():
            if meaning in facts:
                care[column] = facts[meaning] or ""
        for hold, columns in HOLD_COLUMNS.items():
            if any(column in facts for column in columns):
                care[hold] = hold in holds_in(facts)

    def settle_standing(self) -> None:
        """Set the status and ``listed``, if some column is about status or visibility."""
        rules = StandingRules(self.facts, self.options.layout.format, self.options.now.date())
        standing, reason = rules.standing(), rules.hiding_reason()
        if standing.status is not None and rules.sets_status():
            self.values["status"] = standing.status
        if standing.hold:
            self.care[standing.hold] = True
        is_held = self.care.get("on_hold") or self.care.get("in_quarantine")
        is_seen = standing.seen and reason is None and not is_held
        if rules.tells(*LISTING) or not is_seen:
            self.values["listed"] = is_seen
        if reason and reason.sentence:
            self.warn(reason.meaning, reason.sentence)

    def settle_birth(self) -> date | None:
        """Set a known birth date, or return a birth date counted back from an age."""
        facts, values = self.facts, self.values
        if facts.get("born") and facts["born"].day > self.options.now.date() + timedelta(days=1):
            self.warn("born", message("this day is in the future, so the field is left blank"))
            del facts["born"]
        if facts.get("born"):
            values["birth_date"] = facts["born"].day
            if facts["born"].is_estimated or "born_estimated" in facts:
                values["birth_date_estimated"] = facts["born"].is_estimated or bool(facts["born_estimated"])
            return None
        estimate = self.estimate()
        if estimate is None and (group := self.age_group()):
            values["age_group"] = group
        if "born" in facts and estimate is None:
            values["birth_date"], values["birth_date_estimated"] = None, False
        return estimate

    def age_group(self) -> str | None:
        """Return the age group from a cell such as "Adult". An age group does not depend on any day."""
        ages = (self.facts.get(meaning) for meaning in AGES)
        return next((age.group for age in ages if age and age.group), None)

    def estimate(self) -> date | None:
        """Return the birth date, counted back from the day on which the animal had its age."""
        get: Callable[[Any], Any] = self.facts.get
        for meaning, day in AGES.items():
            if get(meaning) and get(meaning).age:
                reference = get(day).date() if day and get(day) else self.options.list_day
                born: date = get(meaning).age.before(reference)
                return min(born, get("arrived").date()) if get("arrived") else born
        return None

    def stay(self) -> Stay:
        """Return the sort key of this stay.

        A later arrival is newer. For equal arrivals, a later outcome is newer.
        """

        def key(day: str, clock: str) -> str:
            at: datetime | None = self.facts.get(day)
            if at is None:
                return ""
            return (
                at.isoformat()
                if at.time().isoformat() > "00:00:00"
                else f"{at.date()}T{self.facts.get(clock) or ''}"
            )

        rank = 1 if self.facts.get("record_type") == "adoptable" else 0
        return key("arrived", "arrived_time"), key("moved", "moved_time"), rank, self.record.number


BLANK_SPECIES = message("the species is blank. Write a species, such as Dog or Cat")
AGES = {"age_moved": "moved", "age_arrived": "arrived", "age": None, "age_months": None, "age_weeks": None}
"""The meanings of age columns, best first. The value is the meaning of the column with the date of the age.

If the value is None, the date of the list is the date of the age.
"""
CARE_TEXTS = {
    "notes": "internal_notes",
    "arrival_reason": "arrival_details",
    "surrenderer": "surrenderer",
    "foster_home": "foster_address",
}
