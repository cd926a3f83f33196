"""Reader for JSON: an array of objects, an object that contains such an array, or one object per line.

The members of our own export and of Petfinder's API are recognised by name. Objects are decoded one by one,
so the use of memory does not depend on the size of the file.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, Any, TextIO

from adoption.animals.parsing.text_cleanup import joined_surrogates, letters
from adoption.errors import FileRefused
from adoption.spreadsheets.columns.column_recognition import recognise_header
from adoption.spreadsheets.exports.own_format import shield_formula, write_fee
from adoption.spreadsheets.files.raw_tables import Book, RawRow, Table
from adoption.spreadsheets.files.row_store import COLUMNS_MOST
from adoption.spreadsheets.files.text_encoding import find_encoding, open_text
from adoption.spreadsheets.files.xlsx_reader import number_as_text
from adoption.translations import message

BLOCK = 1 << 16
VALUE_LONGEST = 10_000_000
"""Limit of characters in one value, such as an animal."""
DEEPEST = 4
BLANKS = " \t\r\n\ufeff"
BROKEN = "This JSON is damaged at character {at:,}: {why}. Export it again."
NO_ANIMALS = message(
    "This JSON has no list of animals. It must be an array of objects, such as "
    '[{"code": "A1", "name": "Rex", "species": "Dog"}].'
)
OWN_MEMBERS = {"category": "species", "fee_cents": "fee"}
"""Names of members in our JSON export, each with the different name of its CSV column."""
OWN_SIGNS = frozenset(["category", "fee_cents", "breed_unknown"])
ADDRESSES = ("full", "large", "medium", "small", "url", "href", "src")
"""Members of a photo object that can contain its URL, best first."""
WRAPPERS = frozenset(["animals", "pets", "data", "results", "items", "records", "rows"])
"""Names of members that contain the list of animals."""
EPOCH = re.compile(r"\d{12,13}")
"""Matches milliseconds since 1970. pandas writes dates this way."""
DATE_KEY = re.compile(r"date|dob|birth|born|arriv|intake")


def read_json(file: IO[bytes], encoding: str | None) -> Book:
    """Return the animals of a JSON file as a table.

    Raises FileRefused if the file has no readable animals.
    """
    found = find_encoding(file, encoding)
    keys: dict[str, None] = {}
    for animal in objects_of(open_text(file, found)):
        keys.update(dict.fromkeys(animal))
        if len(keys) > COLUMNS_MOST:
            raise FileRefused(f"The objects of this JSON have more than {COLUMNS_MOST:,} different members.")
    if not keys:
        raise FileRefused(NO_ANIMALS)
    is_own = keys.keys() >= OWN_SIGNS
    header = [OWN_MEMBERS.get(key, key) if is_own else header_of(key) for key in keys]

    def rows() -> Iterator[RawRow]:
        yield RawRow(1, list(map(joined_surrogates, header)))
        for row, animal in enumerate(objects_of(open_text(file, found)), start=2):
            cell = own_cell if is_own else cell_of
            texts = [cell(key, animal[key]) if key in animal else "" for key in keys]
            yield RawRow(row, list(map(joined_surrogates, texts)))

    return Book([Table("", rows)], encoding=found)


def objects_of(text: TextIO) -> Iterator[dict[str, Any]]:
    """Yield each animal in the file, with its nested members flattened."""
    reader = JsonReader(text)
    try:
        for value in animal_objects(reader):
            if isinstance(value, dict):
                yield flattened(value)
    except json.JSONDecodeError as error:
        raise FileRefused(BROKEN.format(at=reader.before + error.pos + 1, why=error.msg)) from error
    except (ValueError, RecursionError) as error:
        # For example, a number has thousands of digits, or objects are nested thousands of levels deep.
        raise FileRefused(message("This JSON has a value that cannot be read.")) from error


def animal_objects(reader: "JsonReader") -> Iterator[Any]:
    """Yield the values of the first array of objects, or the objects of a file with one object per line."""
    if reader.peek() == "[":
        yield from reader.items()
        return
    while reader.peek() == "{":
        record: dict[str, Any] = {}
        for key in reader.members():
            if reader.peek() == "[" and is_wrapper(key, record):
                reader.skip("[")
                if reader.peek() == "{":
                    yield from reader.rest_of_items()
                    return
                record[key] = list(reader.rest_of_items())
            else:
                record[key] = reader.value()
        yield record


def is_wrapper(key: str, before: dict[str, Any]) -> bool:
    """Return whether an array can be the list of animals. Otherwise the array belongs to one animal."""
    if key.lower() in WRAPPERS:
        return True
    known = recognise_header([key])
    return not known.known and not known.photos and recognise_header(list(before)).known < 2


class JsonReader:
    """A decoder that reads the values of a text one by one."""

    def __init__(self, text: TextIO) -> None:
        self.text = text
        self.buffer = ""
        self.at = self.before = 0
        self.decoder = json.JSONDecoder(parse_constant=lambda _name: None)

    def fill(self, least: int = BLOCK) -> bool:
        """Read more text. Return whether more text was available."""
        more = self.text.read(least)
        self.before += self.at
        self.buffer = self.buffer[self.at :] + more
        self.at = 0
        return bool(more)

    def peek(self) -> str:
        """Return the next character that is not blank; empty at the end of the text."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in BLANKS:
                    return self.buffer[self.at]
                self.at += 1
            if not self.fill():
                return ""

    def skip(self, wanted: str) -> None:
        if self.peek() != wanted:
            raise json.JSONDecodeError(f"'{wanted}' is missing", self.buffer, self.at)
        self.at += 1

    def value(self) -> Any:
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.buffer, self.at)
                if end < len(self.buffer) or not self.fill():
                    self.at = end if end <= len(self.buffer) else self.at
                    return value
            except json.JSONDecodeError:
                if len(self.buffer) - self.at > VALUE_LONGEST or not self.fill(len(self.buffer) + BLOCK):
                    raise

    def members(self) -> Iterator[str]:
        """Yield the name of each member of an object.

        The caller must read the member's value before the next name.
        """
        self.skip("{")
        while self.peek() == '"':
            key = self.value()
            self.skip(":")
            yield str(key)
            if self.peek() == ",":
                self.at += 1
        self.skip("}")

    def items(self) -> Iterator[Any]:
        self.skip("[")
        yield from self.rest_of_items()

    def rest_of_items(self) -> Iterator[Any]:
        while self.peek() not in ("]", ""):
            yield self.value()
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != "]":
                raise json.JSONDecodeError("a comma is missing", self.buffer, self.at)
        self.skip("]")


def flattened(animal: dict[str, Any], within: str = "", depth: int = 0) -> dict[str, Any]:
    """Return the members of an object. A nested member has a name such as ``breeds.primary``."""
    flat: dict[str, Any] = {}
    for key, value in animal.items():
        name = f"{within}{key}"
        if isinstance(value, dict) and "name" in value and value.keys() <= {"id", "name"}:
            flat[name] = value["name"]
        elif isinstance(value, dict) and depth < DEEPEST:
            flat |= flattened(value, f"{name}.", depth + 1)
        else:
            flat[name] = value
    return flat


def header_of(key: str) -> str:
    """Return the header for a member.

    For a nested name such as ``breeds.primary``, return the first known header of several spellings, such as
    "breed primary" and "primary breed".
    """
    *outer, last = key.split(".")
    if not outer:
        return key
    owner = outer[-1].removesuffix("s")
    forms = (f"{owner} {last}", f"{last} {owner}", last, f"{outer[-1]} {last}")
    return next((form for form in forms if recognise_header([form]).known), key)


def cell_of(key: str, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() if EPOCH.fullmatch(str(value)) and DATE_KEY.search(letters(key)):
            return datetime.fromtimestamp(value / 1000, UTC).date().isoformat()
        case int() | float():
            return number_as_text(value)
        case list():
            between = ", " if letters(key) == "tags" else " "
            return between.join(filter(None, (photo_object_address(each) for each in value)))
        case dict():
            return photo_object_address(value)
    return str(value)


def photo_object_address(value: Any) -> str:
    if isinstance(value, dict):
        return next((str(value[key]) for key in ADDRESSES if value.get(key)), str(value.get("name") or ""))
    return "" if value is None or isinstance(value, list) else str(value)


def own_cell(key: str, value: Any) -> str:
    """Return a member of our own export in the form of a cell in our CSV."""
    if key == "fee_cents" and isinstance(value, int):
        return write_fee(value)
    return shield_formula(value) if isinstance(value, str) else cell_of(key, value)
