"""The form with the options of an import: the meanings of columns and values, and what to do with rows."""

from collections.abc import Mapping
from datetime import date

from werkzeug.datastructures import MultiDict

from adoption.errors import Invalid
from adoption.spreadsheets.import_options import ImportOptions, value_key
from adoption.translations import gettext

ORDERS = {"day": True, "month": False}
Form = MultiDict[str, str]


def options_in_form(form: Form, stored: ImportOptions) -> ImportOptions:
    """Return the options in a form.

    Values that the form does not list keep their stored meaning. Raises Invalid if the date of the list is
    not valid.
    """
    columns = {int(rest): choice for rest, choice in numbered_fields(form, "column-")}
    return ImportOptions(
        columns=columns,
        values=values_in_form(form, stored, columns),
        category=form.get("category") or None,
        day_first=ORDERS.get(form.get("day_first", "")),
        list_date=date_in_form(form),
        photos="photos" in form,
        encoding=form.get("encoding") or None,
        sheets=tuple(form.getlist("sheet")),
        clear_blanks=form.get("blanks") == "clear",
        clashes={
            form[f"clash-code-{rest}"]: choice
            for rest, choice in numbered_fields(form, "clash-choice-")
            if choice and f"clash-code-{rest}" in form
        },
        clash=form.get("clash", ""),
    )


def numbered_fields(form: Form, prefix: str) -> list[tuple[str, str]]:
    """Return pairs of a number and a value, for the fields whose name is ``prefix`` and a number."""
    rests = [(name.removeprefix(prefix), value) for name, value in form.items() if name.startswith(prefix)]
    return [(rest, value) for rest, value in rests if rest.isdecimal() and len(rest) < 6]


def values_in_form(
    form: Form, stored: ImportOptions, columns: Mapping[int, str]
) -> dict[int, dict[str, str]]:
    kept = {
        place: dict(meanings)
        for place, meanings in stored.values.items()
        if columns.get(place) == stored.columns.get(place)
    }
    for place, choice in columns.items():
        if choice != stored.columns.get(place):
            continue  # The values in the form belong to the earlier meaning of the column.
        meanings = kept.setdefault(place, {})
        for rest, text in numbered_fields(form, f"text-{place}-"):
            meanings.pop(value_key(text), None)
            if meaning := form.get(f"value-{place}-{rest}"):
                meanings[value_key(text)] = meaning
    return {place: meanings for place, meanings in kept.items() if meanings}


def date_in_form(form: Form) -> date | None:
    text = form.get("list_date", "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise Invalid(
            [("list_date", gettext("Write the day as year-month-day, such as 2026-02-28"))]
        ) from error
