"""Recognition of columns by their headers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from adoption.animals.parsing.text_cleanup import letters
from adoption.errors import FileRefused
from adoption.spreadsheets.columns.column_meanings import (
    HIDING_ALONE,
    MEANINGS,
    PHOTO_HEADER,
    PHOTOS,
    REPEATABLE,
    VARIANTS,
)
from adoption.spreadsheets.columns.foreign_headers import (
    FOREIGN_PHOTOS,
    Spoken,
    foreign_meaning,
    is_foreign_status,
    languages_in,
)
from adoption.spreadsheets.columns.program_formats import FORMATS, OURS, OWN, OWN_FIELDS
from adoption.spreadsheets.statuses.hiding_headers import find_hiding_meaning

RANKED = {
    header: (meaning, rank)
    for meaning, (_, headers) in MEANINGS.items()
    for rank, header in enumerate(headers.split())
}


class MappedColumn(NamedTuple):
    """A column with a meaning.

    If a shelter program has its own notation in the cells, ``variant`` is the name of the notation.
    Otherwise, ``variant`` equals the meaning.
    """

    place: int
    header: str
    meaning: str
    variant: str

    @property
    def field(self) -> str:
        if self.meaning == PHOTOS:
            return PHOTOS
        if self.variant.startswith("own:"):
            own = self.variant.removeprefix("own:")
            return OWN_FIELDS.get(own, own)
        return MEANINGS[self.meaning].field


@dataclass(frozen=True)
class HeaderLayout:
    """The columns of a file.

    ``codes`` are all columns that can have the animal's code, best first. ``photos`` are the columns with
    photo URLs.
    """

    format: str
    header: tuple[str, ...]
    columns: tuple[MappedColumn, ...]
    codes: tuple[MappedColumn, ...]
    photos: tuple[MappedColumn, ...] = ()

    @property
    def known(self) -> int:
        return len(self.columns) + bool(self.codes)

    @property
    def meanings(self) -> frozenset[str]:
        return frozenset(column.meaning for column in self.columns)

    def with_codes(self, codes: Sequence[MappedColumn]) -> "HeaderLayout":
        """Return the layout with these columns as code columns.

        In each row, the first code that is not blank is used.
        """
        return replace(self, columns=(*codes, *self.columns))

    def fields(self) -> dict[str, str | None]:
        """Return the field that each column sets, by the header as written; None for an unused column."""
        read = {column.place: column.field for column in (*self.columns, *self.photos)}
        fields: dict[str, str | None] = {}
        for place, header in enumerate(self.header):
            if header:
                name = f"{header} (column {place + 1})" if header in fields else header
                fields[name] = read.get(place)
        return fields

    def refuse_repeats(self) -> None:
        """Raise FileRefused if two columns with a meaning have the same header."""
        spoken = languages_in([letters(header) for header in self.header], RANKED)
        for place, header in enumerate(self.header):
            first = self.header.index(header)
            if not header or first == place:
                continue
            found = meaning_of(letters(header), self.format, header, spoken)
            if found and found[0] not in (*REPEATABLE, *PRIVATE_TEXTS):
                raise FileRefused(
                    f'The header has "{header}" twice, in columns {first + 1} and {place + 1}. '
                    "Rename or remove one of them."
                )


def recognise_header(header: Sequence[str]) -> HeaderLayout:
    """Return the layout for a header. The layout has only columns with a known meaning, and can be empty."""
    names = [letters(each) for each in header]
    signs = {form.name: len(set(form.signs.split()).intersection(names)) for form in FORMATS}
    best = max(signs, key=lambda name: signs[name])
    form = best if signs[best] >= (4 if best == OURS else 2) else "plain"
    written = tuple(each.strip().removeprefix("\ufeff") for each in header)
    read = sorted(mapped_columns(written, names, form, languages_in(names, RANKED)))
    codes = tuple(column for _, column in read if column.meaning == "code")
    chosen: dict[str, MappedColumn] = {}
    for _, column in read:
        if column.meaning != "code":
            key = f"{column.meaning} {column.place}" if column.meaning in REPEATABLE else column.meaning
            chosen.setdefault(key, column)
    return HeaderLayout(
        form, written, tuple(sorted(chosen.values())), codes, photo_columns_of(written, names, form)
    )


def photo_columns_of(written: Sequence[str], names: Sequence[str], form: str) -> tuple[MappedColumn, ...]:
    if form == OURS:
        return ()
    return tuple(
        MappedColumn(place, written[place], PHOTOS, PHOTOS)
        for place, name in enumerate(names)
        if PHOTO_HEADER.fullmatch(name) or name.rstrip("0123456789") in FOREIGN_PHOTOS
    )


def mapped_columns(
    written: Sequence[str], names: Sequence[str], form: str, spoken: Spoken
) -> Iterator[tuple[int, MappedColumn]]:
    """Yield each column that has a meaning, with the column's rank among columns of the same meaning."""
    for place, name in enumerate(names):
        if form == OURS and written[place] in OWN:
            meaning = "code" if written[place] == "code" else f"own:{written[place]}"
            yield 0, MappedColumn(place, written[place], meaning, f"own:{written[place]}")
        elif found := meaning_of(name, form, written[place], spoken):
            meaning, variant, rank = found
            if form != OURS or meaning in HIDING_ALONE:
                yield rank, MappedColumn(place, written[place], meaning, variant)


PRIVATE_TEXTS = ("notes", "arrival_reason", "surrenderer", "foster_home")
"""Columns that a file can have several times under the same name, such as Shelterluv's comments.

Only the first such column is read.
"""
FOREIGN_RANK, LOOKS_ALIKE = 1000, 2000
"""Ranks of columns that are recognised by a word in another language, or by only a part of the header."""


def meaning_of(name: str, form: str, header: str, spoken: Spoken) -> tuple[str, str, int] | None:
    """Return the meaning, variant and rank of a header. ``name`` is the header's letters and digits."""
    own = next((each.own for each in FORMATS if each.name == form), {})
    if name in own:
        variant = own[name]
        return (VARIANTS.get(variant, variant), variant, 0) if variant else None
    for bare in bare_names(name, header):
        if bare in RANKED:
            meaning, rank = RANKED[bare]
            return meaning, meaning, rank
        if foreign := foreign_meaning(bare, spoken):
            return foreign, foreign, FOREIGN_RANK
    if hiding := find_hiding_meaning(header):
        return hiding, hiding, LOOKS_ALIKE
    if any(is_foreign_status(bare) for bare in bare_names(name, header)):
        # In an English file, "Estado" can be a US state or a status. So its cells can only hide an animal.
        return "place", "place", LOOKS_ALIKE
    return None


def bare_names(name: str, header: str) -> Iterator[str]:
    """Yield the letters of a header, then the letters without text in parentheses.

    For example, ``Sex (M/F)`` becomes ``sex``.
    """
    yield name
    if (bare := letters(re.sub(r"[(\[（].*?([)\]）]|$)", "", header))) and bare != name:  # noqa: RUF001
        yield bare
