"""Parsing of one row: first each cell by its column, then all cells together."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

from adoption.animals.form_fields import video_field
from adoption.animals.parsing import breed_and_colour_parser, cell_parsers, sex_parser, text_cleanup
from adoption.animals.parsing.age_parser import ParsedAge, parse_age
from adoption.animals.parsing.date_parser import ParsedDate, parse_birth_date, parse_date_time
from adoption.animals.tags import parse_tags
from adoption.links_in_names import has_web_address
from adoption.spreadsheets.columns.column_meanings import DATES, HIDING, NEEDED, REPEATABLE
from adoption.spreadsheets.columns.column_recognition import MappedColumn
from adoption.spreadsheets.columns.program_formats import OURS
from adoption.spreadsheets.exports import own_format
from adoption.spreadsheets.files.raw_tables import CellTrouble, RawRow
from adoption.spreadsheets.parsed_rows import ParsedRow
from adoption.spreadsheets.row_notes import RowNote, RowRefused
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows.row_rules import RowRules
from adoption.spreadsheets.rows.status_rules import LISTING
from adoption.spreadsheets.statuses import status_parsers
from adoption.spreadsheets.statuses.shelterluv_attributes import Attributes, parse_attributes
from adoption.translations import message

Reader = Callable[[str], Any]

YES_NO_COLUMNS = (
    "trial", "not_for_adoption", "not_in_care", "in_custody", "quarantine", "mixed", "born_estimated",
    "children", "dogs", "cats", "house_trained", "shots_current", "declawed", "fee_waived", "fee_shown",
)  # fmt: skip
READERS: dict[str, Reader] = {
    **dict.fromkeys(
        ("asm_archived", "purebred", "no_children", "no_dogs", "no_cats"), cell_parsers.parse_no_yes
    ),
    **dict.fromkeys(YES_NO_COLUMNS, cell_parsers.parse_yes_no),
    **dict.fromkeys(("reserved", "hides", "died"), status_parsers.parse_hides),
    **dict.fromkeys(("record_type", "date_type"), text_cleanup.plain_word),
    **dict.fromkeys(("breed_primary", "breed_secondary"), breed_and_colour_parser.parse_breed),
    **dict.fromkeys(("age", "age_moved", "age_arrived"), parse_age),
    **dict.fromkeys(("colour", "colour_2", "colour_3"), breed_and_colour_parser.parse_colours),
    **dict.fromkeys(
        ("asm_children", "asm_dogs", "asm_cats", "asm_house_trained"), cell_parsers.parse_asm_yes_no
    ),
    **dict.fromkeys(
        ("special_needs_note", "description", "notes", "arrival_reason", "surrenderer", "foster_home"),
        text_cleanup.clean_prose,
    ),
    **dict.fromkeys(("one_colour", "one_colour_2", "one_colour_3"), breed_and_colour_parser.parse_one_colour),
    "tags": parse_tags,
    "video": video_field,
    "code": cell_parsers.parse_code,
    "name": cell_parsers.parse_name,
    "species": cell_parsers.parse_species,
    "status": status_parsers.parse_status,
    "outcome": status_parsers.parse_outcome,
    "asm_movement": status_parsers.parse_asm_movement,
    "altered_date": status_parsers.has_day,
    "shelterluv_altered": status_parsers.parse_shelterluv_altered,
    "attributes": parse_attributes,
    "intake_type": status_parsers.parse_intake_type,
    "place": status_parsers.place_hides,
    "flags": status_parsers.parse_flags,
    "kennel_status": status_parsers.parse_kennel_status,
    "hold": status_parsers.parse_hold,
    "sex": sex_parser.parse_sex,
    "asm_sex": sex_parser.parse_asm_sex,
    "altered": sex_parser.parse_altered,
    "size": cell_parsers.parse_size,
    "asm_size": cell_parsers.parse_asm_size,
    "coat": cell_parsers.parse_coat,
    "special_needs": cell_parsers.parse_special_needs,
    "fee": cell_parsers.parse_fee,
    "asm_fee": cell_parsers.parse_asm_fee,
    "petharbor_memo": text_cleanup.clean_petharbor_memo,
    "microchip": cell_parsers.parse_microchip,
    "asm_age": lambda text: parse_age(f"{text} years" if text.isdecimal() else text),  # years in ASM
    "age_months": partial(parse_age, bare_unit="month"),
    "age_weeks": partial(parse_age, bare_unit="week"),
    **{f"own:{name}": column.read for name, column in own_format.COLUMNS.items()},
}
BLANK_COUNTS = frozenset(["species", *LISTING])
"""Columns in which a blank cell has a meaning. For example, a blank outcome means "still in care"."""
TIMES = frozenset(["moved_time", "arrived_time"])
NO_ADDRESS = message(
    "this is not a web address, so no photo is downloaded. Write an address that begins with https://"
)
ADDRESS_IN_NAME = message("a name must not contain a web address, so that part was left out")
DOUBTFUL_FLAG = message("this flag may mean that the animal must not be shown, so the animal is hidden")
DOUBTFUL_HIDING = message(
    "this may mean that the animal must not be shown, so the animal is hidden. If "
    "visitors may see the animal, show it on its page"
)
DATED: dict[str, Callable[[str, date], Any]] = {
    "listed": status_parsers.parse_visible,
    "hold_until": status_parsers.parse_hold_until,
    "available_from": status_parsers.parse_available_from,
    "returned": status_parsers.parse_returned,
    "adopted": status_parsers.parse_adopted,
}
"""Parsers of cells whose meaning depends on the current day."""


def parse_row(options: ParseOptions, record: RawRow) -> ParsedRow:
    """Return the parsed row. Raises RowRefused, with the first invalid cell, if the row is invalid."""
    if record.trouble:
        raise RowRefused(trouble_note(options, record, record.trouble))
    warnings: list[RowNote] = []
    left_out = {note.place: note for note in record.notes if note.is_left_out}
    facts: dict[str, Any] = {}
    blank: set[str] = set()
    filled: set[str] = set()
    for column in options.layout.columns:
        text = options.chosen.meaning_of(column.place, record.cell(column.place))
        try:
            if column.place in left_out:
                text = left_out[column.place].value
                raise ValueError(left_out[column.place].reason)
            value = parse_cell(options, column, text)
            # In our own export, white space can be a whole text.
            is_filled = bool(value) or not is_blank(options, text.strip())
            if is_filled:
                filled.add(column.field)
            elif not own_format.keeps_stored_value(column.variant, value):
                blank.add(column.field)
            if is_filled or options.chosen.clear_blanks or column.meaning in BLANK_COUNTS:
                facts[column.meaning] = combine_columns(facts, column.meaning, value)
            warnings += doubt_notes(record, column, text, value)
        except ValueError as why:
            note = record.note(column.header, text, str(why))
            if column.meaning in NEEDED or column.meaning in own_format.NEEDED:
                raise RowRefused(note) from why
            warnings.append(note)
            if column.meaning in HIDING or column.variant == "own:status":
                facts["hides"] = True
    warnings += cell_notes(options, record)
    settle = RowRules(options, record, facts, warnings)
    read = settle.own() if options.layout.format == OURS else settle.foreign()
    add_photo_addresses(options, record, read)
    read.blank = frozenset(blank - filled)
    return read


def trouble_note(options: ParseOptions, record: RawRow, trouble: CellTrouble) -> RowNote:
    place, value, reason = trouble
    names = options.layout.header
    header = names[place] if place is not None and place < len(names) else None
    return record.note(header, value, reason)


def add_photo_addresses(options: ParseOptions, record: RawRow, read: ParsedRow) -> None:
    """Add the row's photo URLs, and a warning for each text that is not a URL."""
    for column in options.layout.photos:
        text = record.cell(column.place).strip()
        addresses = cell_parsers.photo_addresses(text)
        read.photos += [(column.header, address) for address in addresses]
        is_empty = is_blank(options, text) or status_parsers.says_no(text.lower())
        if not addresses and not is_empty:
            read.warnings.append(record.note(column.header, text, NO_ADDRESS))


def is_blank(options: ParseOptions, text: str) -> bool:
    """Return whether a cell is blank.

    ``None`` counts as blank, because ShelterManager exports a missing text this way.
    """
    return not text or (text == "None" and options.layout.format == "ShelterManager")


def combine_columns(facts: dict[str, Any], meaning: str, value: Any) -> Any:
    """Return the combined value of the columns with this meaning. A value that hides the animal wins."""
    if meaning == "code":
        return facts.get("code") or value
    if meaning not in REPEATABLE or meaning not in facts:
        return value
    if meaning in ("listed", "in_custody", "intake_type"):
        both = (facts[meaning], value)
        return False if False in both else None if None in both else True
    return facts[meaning] or value


def doubt_notes(record: RawRow, column: MappedColumn, text: str, value: Any) -> list[RowNote]:
    """Return a warning for a cell whose meaning is uncertain."""
    flags = value.flags if isinstance(value, Attributes) else value
    if isinstance(flags, status_parsers.Flags) and flags.doubtful:
        return [record.note(column.header, ", ".join(flags.doubtful), DOUBTFUL_FLAG)]
    doubt = doubt_of(column.meaning, text, value)
    return [record.note(column.header, text, doubt)] if doubt else []


def doubt_of(meaning: str, text: str, value: Any) -> str:
    if isinstance(value, ParsedAge | ParsedDate):
        return value.doubt
    if meaning == "hides" and value:
        return DOUBTFUL_HIDING
    if meaning == "fee" and value:
        return cell_parsers.fee_doubt(text, value)
    return ADDRESS_IN_NAME if meaning in ("name", "own:name") and has_web_address(text) else ""


def cell_notes(options: ParseOptions, record: RawRow) -> list[RowNote]:
    """Return the notes on damaged cells that are read nevertheless, and on photos that are left out."""
    photos = {column.place for column in options.layout.photos}
    columns = photos | {column.place for column in options.layout.columns}
    is_foreign = options.layout.format != OURS
    return [
        record.note(options.layout.header[note.place], note.value, note.reason)
        for note in record.notes
        if note.place in (photos if note.is_left_out else columns) and (is_foreign or not note.is_guess)
    ]


def parse_cell(options: ParseOptions, column: MappedColumn, text: str) -> Any:
    """Return the parsed cell; None if the cell is blank.

    Raises ValueError, with the reason, for an invalid cell.
    """
    if column.variant.startswith("own:"):
        # A text in our own export can have any form and any length that its field allows.
        cell_parsers.refuse_unreadable(text)
        return READERS[column.variant](own_format.unshield_formula(text))
    text = text.strip()
    if is_blank(options, text):
        return None
    cell_parsers.refuse_broken(text, column.variant)
    text = text_cleanup.SHIELDED.sub("", text, count=1) if text[:1] == "'" else text
    if column.meaning in DATED:
        return DATED[column.meaning](text, options.now.date())
    if column.meaning in TIMES:
        return text.zfill(8)
    if column.meaning == "born":
        return parse_birth_date(text, options.day_first.get(column.place), options.now.year)
    if column.meaning in DATES:
        return parse_date_time(text, options.day_first.get(column.place), options.now.year)
    if column.variant == "name" and options.layout.format == "ShelterManager":
        return cell_parsers.parse_asm_name(text)
    if column.variant == "name" and options.shouting:
        return cell_parsers.parse_name(breed_and_colour_parser.ordinary(text))
    return READERS[column.variant](text)
