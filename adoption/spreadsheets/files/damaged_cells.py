"""Detection of damaged cells, before the meanings of the columns are known.

This module also removes the markers that spreadsheet programs write around a cell's text.
"""

import re
from collections.abc import Iterator

from adoption.spreadsheets.files.raw_tables import CellNote, RawRow
from adoption.spreadsheets.files.text_encoding import STRAY
from adoption.translations import message

CELL_LONGEST = 131_072
"""Limit of characters in a cell. The limit of every field is lower."""
SHOWN = 60
AS_TEXT = re.compile(r'="((?:[^"]|"")*)"')
"""Matches a code that is written as a formula, such as ``="0012"``.

In CSV, many programs keep leading zeros this way.
"""
CONTINUED = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xC0))
GARBLED = re.compile(f"[ÂÃâÄÅÐÑ][{CONTINUED}]{{1,2}}")
"""Matches a character in UTF-8 that was read as Windows-1252: its first byte and the following bytes."""

FORMULA = message(
    "is a formula without a stored value, so the cell was left out. Open the file in a spreadsheet program "
    "and save it again, or enter the value"
)
ROUNDED = message(
    "the spreadsheet has rounded this number. Format the column as text and enter the number again"
)
PHOTO = message("is a photo inside the cell, which is not imported. Upload the photo on the animal's page")
NOT_UTF8 = message("has bytes that are not UTF-8. They were read as Windows-1252: check this cell")
UNKNOWN_LETTER = message(
    "has characters that could not be read. Save the file as UTF-8, or choose its encoding"
)


def mark_damaged_cells(record: RawRow) -> RawRow:
    """Return the row with a note on each damaged cell, and without markers in its cells."""
    if not any(map(is_odd, record.cells)):
        return record
    cells, notes = list(record.cells), [*record.notes]
    for place, text in enumerate(record.cells):
        if is_odd(text):
            plain = unwrapped(text)
            found = list(notes_on(place, plain))
            cells[place] = "" if any(note.is_left_out for note in found) else plain.replace(STRAY, "")
            notes += found
    return record._replace(cells=cells, notes=notes)


def is_odd(text: str) -> bool:
    return not text.isascii() or text[:2] == '="' or len(text) > CELL_LONGEST


def unwrapped(text: str) -> str:
    found = AS_TEXT.fullmatch(text.strip()) if text.lstrip()[:2] == '="' else None
    return found[1].replace('""', '"') if found else text


def notes_on(place: int, text: str) -> Iterator[CellNote]:
    shown = text[:SHOWN].replace(STRAY, "")
    if len(text) > CELL_LONGEST:
        too_long = f"has {len(text):,} characters. The limit is {CELL_LONGEST:,}. Shorten it"
        yield CellNote(place, shown, PHOTO if text.startswith("data:") else too_long)
        return
    if STRAY in text:
        yield CellNote(place, shown, NOT_UTF8, is_left_out=False)
    elif "\ufffd" in text:
        yield CellNote(place, shown, UNKNOWN_LETTER, is_left_out=False, is_guess=True)
    if (meant := ungarbled(text)) is not None:
        yield CellNote(place, shown, f"looks garbled: it probably means {meant[:SHOWN]!r}", is_left_out=False)


def ungarbled(text: str) -> str | None:
    """Return the probable original of UTF-8 text that was read as Windows-1252.

    Return None if the text is intact.
    """
    if GARBLED.search(text) is None:
        return None
    fixed = GARBLED.sub(repaired, text)
    return fixed if fixed != text else None


def repaired(found: re.Match[str]) -> str:
    # Try three bytes first. Typographic quotes have three bytes, and most European letters have two.
    for length in (3, 2):
        part = found[0][:length]
        try:
            return bytes(map(byte_of, part)).decode() + found[0][length:]
        except UnicodeError:
            continue
    return found[0]


def byte_of(letter: str) -> int:
    """Return the byte that Windows-1252 decodes to this character.

    A byte that Windows-1252 leaves undefined is decoded to the character with the same number.
    """
    return ord(letter) if letter <= "\xff" else letter.encode("cp1252")[0]
