"""Mapping of a column's values to meanings by the user, such as ``verfügbar`` to available."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.parsing.cell_parsers import ParsedSpecies
from adoption.errors import Invalid
from adoption.spreadsheets.column_mapping import choice_of
from adoption.spreadsheets.columns.column_recognition import HeaderLayout, MappedColumn
from adoption.spreadsheets.import_options import BLANK, ImportOptions, value_key
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows.row_parser import parse_cell

MEANINGS: Mapping[str, tuple[str, ...]] = {
    "species": (*CATEGORIES.values(), BLANK),
    "status": ("available", "pending", "adopted", "unavailable", "hold", "quarantine"),
    "sex": ("female", "male", "spayed female", "neutered male", BLANK),
    "size": ("small", "medium", "large", "extra large", BLANK),
    "coat": ("hairless", "short", "medium", "long", "wire", "curly", BLANK),
    "yes_no": ("yes", "no", BLANK),
}
"""Possible meanings of values, by kind of column. The parser of a column understands each meaning."""
YES_NO = (
    "trial", "reserved", "not_for_adoption", "not_in_care", "in_custody", "listed", "hides", "hold",
    "quarantine", "on_hold", "in_quarantine", "mixed", "purebred", "breed_mixed", "breed_unknown", "altered",
    "born_estimated", "birth_date_estimated", "children", "dogs", "cats", "good_with_children",
    "good_with_dogs", "good_with_cats", "no_children", "no_dogs", "no_cats", "house_trained",
    "shots_current", "declawed", "fee_waived", "fee_shown",
)  # fmt: skip
KINDS = {"outcome": "status"} | dict.fromkeys(YES_NO, "yes_no")
SHOWN_MOST = 30
"""Limit of values listed for one column."""


@dataclass
class ColumnValue:
    text: str
    count: int
    is_known: bool
    """Whether the value is understood without a mapping."""
    is_mapped: bool


@dataclass
class ColumnValues:
    """The values of one column. Values that are not understood come first."""

    place: int
    header: str
    kind: str
    values: list[ColumnValue]
    unknown: int
    """Number of rows whose value is neither understood nor mapped."""
    more: int
    """Number of values that are not listed."""


def kind_of_values(column: MappedColumn) -> str | None:
    choice = choice_of(column)
    return choice if choice in MEANINGS else KINDS.get(choice)


def list_column_values(options: ParseOptions, counts: Mapping[int, Counter[str]]) -> list[ColumnValues]:
    """Return the values of each column that has a fixed set of meanings.

    ``counts`` has, by column place, how often each value occurs.
    """
    plain = replace(options, chosen=replace(options.chosen, values={}))
    found = []
    for column in options.layout.columns:
        kind = kind_of_values(column)
        if kind is not None and counts.get(column.place):
            found.append(column_values(plain, column, kind, counts[column.place], options.chosen))
    return found


def column_values(
    plain: ParseOptions, column: MappedColumn, kind: str, counts: Counter[str], chosen: ImportOptions
) -> ColumnValues:
    mapped = chosen.values.get(column.place, {})
    found = [
        ColumnValue(text, count, is_known(plain, column, text), value_key(text) in mapped)
        for text, count in counts.most_common()
    ]
    # If not all values can be listed, values without a mapping come first. Otherwise a new mapping does not
    # change the order.
    has_more = len(found) > SHOWN_MOST
    found.sort(key=lambda each: (each.is_known, has_more and each.is_mapped))
    unknown = sum(each.count for each in found if not each.is_known and not each.is_mapped)
    return ColumnValues(
        column.place, column.header, kind, found[:SHOWN_MOST], unknown, len(found[SHOWN_MOST:])
    )


def is_known(plain: ParseOptions, column: MappedColumn, text: str) -> bool:
    try:
        value = parse_cell(plain, column, text)
    except ValueError:
        return False
    return not (isinstance(value, ParsedSpecies) and value.word)


def refuse_unknown_meanings(
    layout: HeaderLayout, values: Mapping[int, Mapping[str, str]], all_must_apply: bool = False
) -> None:
    """Raise Invalid if a value is mapped to a meaning that its column cannot have.

    With ``all_must_apply``, also raise Invalid if a column has no fixed set of meanings. Otherwise, a mapping
    for such a column is ignored. The field of the error is the column's header if ``all_must_apply`` is true,
    and ``value-PLACE`` if not.
    """
    kinds = {column.place: kind_of_values(column) for column in layout.columns}
    wrong = []
    for place, meanings in values.items():
        known = MEANINGS.get(kinds.get(place) or "")
        name = f'column "{layout.header[place]}"' if all_must_apply else f"value-{place}"
        odd = [meaning for meaning in meanings.values() if known and meaning not in known]
        if odd and known:
            wrong.append((name, f'"{odd[0]}" is not a meaning. The meanings are {", ".join(known)}'))
        elif known is None and all_must_apply:
            wrong.append((name, "its values have no fixed set of meanings"))
    if wrong:
        raise Invalid(wrong)
