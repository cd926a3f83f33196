"""What one row says of an animal: its cells read, and what they say together."""

from collections.abc import Callable
from typing import Any

from adoption.animals.spreadsheets import breeds, cells, exports, prose
from adoption.animals.spreadsheets.columns import DATES, NEEDED, OURS, Column
from adoption.animals.spreadsheets.dates import age, moment
from adoption.animals.spreadsheets.manners import Manner
from adoption.animals.spreadsheets.separated import Record
from adoption.animals.spreadsheets.settling import Settling
from adoption.animals.spreadsheets.verdicts import SHOWN, Note, Reading, RowRefused

Reader = Callable[[str], Any]

READERS: dict[str, Reader] = {
    "code": cells.code,
    "name": cells.name,
    "species": cells.species,
    "status": cells.status,
    "outcome": cells.outcome,
    "trial": cells.yes_no,
    "reserved": cells.yes_no,
    "not_for_adoption": cells.yes_no,
    "not_in_care": cells.yes_no,
    "in_custody": cells.yes_no,
    "listed": cells.yes_no,
    "record_type": cells.plain_word,
    "date_type": cells.plain_word,
    "kennel_status": cells.kennel_seen,
    "hold": cells.hold_request,
    "quarantine": cells.yes_no,
    "breed_primary": breeds.breed,
    "breed_secondary": breeds.breed,
    "mixed": cells.yes_no,
    "purebred": cells.no_yes,
    "sex": cells.sex,
    "asm_sex": cells.asm_sex,
    "altered": cells.yes_no,
    "born_estimated": cells.yes_no,
    "age": age,
    "age_moved": age,
    "age_arrived": age,
    "size": cells.size,
    "asm_size": cells.asm_size,
    "coat": cells.coat,
    "colour": breeds.colours,
    "colour_2": breeds.colours,
    "colour_3": breeds.colours,
    "children": cells.yes_no,
    "dogs": cells.yes_no,
    "cats": cells.yes_no,
    "no_children": cells.no_yes,
    "no_dogs": cells.no_yes,
    "no_cats": cells.no_yes,
    "asm_children": cells.asm_yes_no,
    "asm_dogs": cells.asm_yes_no,
    "asm_cats": cells.asm_yes_no,
    "house_trained": cells.yes_no,
    "asm_house_trained": cells.asm_yes_no,
    "special_needs": cells.special_needs,
    "special_needs_note": prose.prose,
    "fee": cells.fee,
    "asm_fee": cells.asm_fee,
    "fee_waived": cells.yes_no,
    "fee_shown": cells.yes_no,
    "description": prose.prose,
    "petharbor_memo": prose.petharbor_memo,
    "microchip": cells.microchip,
    "notes": prose.prose,
    "arrival_reason": prose.prose,
    **{f"own:{name}": column.read for name, column in exports.COLUMNS.items()},
}
TIMES = frozenset(["moved_time", "arrived_time"])


def reading_of(manner: Manner, record: Record) -> Reading:
    """Raises RowRefused with the first cell that makes the row wrong."""
    if record.trouble:
        place, value, reason = record.trouble
        header = None if place is None or place >= len(manner.layout.header) else manner.layout.header[place]
        raise RowRefused(Note(record.row, header, value[:SHOWN], reason))
    warnings: list[Note] = []
    facts: dict[str, Any] = {}
    for column in manner.layout.columns:
        text = record.cells[column.place] if column.place < len(record.cells) else ""
        try:
            facts[column.meaning] = fact(manner, column, text)
        except ValueError as why:
            note = Note(record.row, column.header, text[:SHOWN], str(why))
            if column.meaning in NEEDED or column.meaning in exports.NEEDED:
                raise RowRefused(note) from why
            warnings.append(note)
            if column.meaning == "outcome":
                facts["outcome"] = cells.Standing(None, False)
    settle = Settling(manner, record, facts, warnings)
    read = settle.own() if manner.layout.format == OURS else settle.foreign()
    read.photos = [
        (column.header, address)
        for column in manner.layout.photos
        if column.place < len(record.cells)
        for address in cells.addresses(record.cells[column.place])
    ]
    return read


def fact(manner: Manner, column: Column, text: str) -> Any:
    """What the cell says; None when it is blank. Raises ValueError."""
    if column.variant.startswith("own:"):
        # Text of ours may look like anything, and be as long as its field allows.
        cells.refuse_unreadable(text)
        return READERS[column.variant](exports.unshielded(text))
    text = text.strip()
    if not text:
        return None
    cells.refuse_broken(text)
    if column.meaning == "died":
        return cells.died(text)
    if column.meaning == "returned":
        return cells.returned(text, manner.now.year)
    if column.meaning in TIMES:
        return text.zfill(8)
    if column.meaning in DATES:
        return moment(text, manner.day_first.get(column.place), manner.now.year)
    if column.variant == "name" and manner.layout.format == "ShelterManager":
        return cells.asm_name(text)
    if column.variant == "name" and manner.shouting:
        return cells.name(breeds.ordinary(text))
    return READERS[column.variant](text)
