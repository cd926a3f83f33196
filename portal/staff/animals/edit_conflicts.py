"""Conflicts between two people's edits of an animal."""

from collections.abc import Collection, Mapping, Sequence

from flask import request

from adoption import three_way_merge
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.project_access import ProjectAccess
from adoption.animals import form_fields, history, staff_edits
from adoption.animals.bonds import format_mates
from adoption.animals.form_fields import Values
from adoption.animals.staff_edits import OpenedAnimal, SavedAnimal
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext
from portal.dates import ago
from portal.staff.animals.animal_form import AnimalForm
from portal.staff.animals.form_fields import FIRST_QUESTION, QUESTIONS, field_label
from portal.staff.edit_conflicts import FieldConflict


def value_in_words(field: str, texts: Mapping[str, str]) -> str:
    """Return the value of a field in words. ``texts`` are the texts of the whole form."""
    if field == "fee_cents" and texts["fee"] == "money":
        return texts["fee_amount"]
    name = FIRST_QUESTION.get(field, field)
    return QUESTIONS[name].answer_in_words(texts[name])


def texts_of(values: Values, bonded_with: str) -> dict[str, str]:
    return form_fields.animal_form_texts(values) | {"bonded_with": bonded_with}


def animal_conflict(field: str, now: OpenedAnimal, values: Values, bonded_with: str) -> FieldConflict:
    """Return the choice between the stored value of a field (``now``) and the user's own (``values``).

    ``bonded_with`` is the text of that field in the user's form.
    """
    theirs = texts_of(now.values, format_mates(now.mates))
    mine = texts_of(values, bonded_with)
    current = now.fields[field]
    sides = (
        three_way_merge.choice_text(three_way_merge.MINE, current),
        three_way_merge.choice_text(three_way_merge.THEIRS, current),
    )
    return FieldConflict(
        field, field_label(field), value_in_words(field, theirs), value_in_words(field, mine), *sides
    )


def take_theirs(form: AnimalForm, fields: Collection[str], now: OpenedAnimal) -> None:
    """Replace these fields of the form with the values that someone else has saved."""
    theirs = texts_of(now.values, format_mates(now.mates))
    for field in fields:
        for name in QUESTIONS_OF.get(field, (field,)):
            form.texts[name] = theirs[name]
    prints = three_way_merge.parse_fingerprints(form.opened)
    form.opened = three_way_merge.format_fingerprints(
        prints | {field: now.fingerprints[field] for field in fields}
    )


QUESTIONS_OF = {
    "fee_cents": ("fee", "fee_amount"),
    "birth_date": ("birth_date", "birth_date_estimated", "age"),
}
"""The questions of each field that the form asks in several questions."""


def merged_in_words(access: ProjectAccess, now: SavedAnimal) -> str:
    """Return a sentence about someone else's changes of other fields, or an empty string.

    For example " Ann also changed Colours; both are saved.".
    """
    taken = [field for field in now.theirs if not request.form.get(f"keep-{field}")]
    if not taken:
        return ""
    who = animal_changed_by(
        access, now.animal.id, [key for field in taken for key in staff_edits.COLUMNS[field]]
    )[0]
    fields = join_names([field_label(field) for field in taken])
    sentence = gettext("%(who)s also changed %(fields)s; both are saved.", who=who, fields=fields)
    return f" {sentence}"


def animal_changed_by(access: ProjectAccess, animal_id: int, columns: Sequence[str]) -> tuple[str, str]:
    """Return who last changed one of these columns, and when, in words."""
    with reading() as session:
        last = history.last_animal_change(session, access.project.id, animal_id, columns)
        if last is None:
            return gettext("Someone else"), gettext("since you opened the page")
        who = name_of_actor(session, access.account.id, last.who)
    return who, ago(last.at)
