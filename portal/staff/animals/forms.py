"""The form of an animal. It keeps the typed values, valid or not."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption import three_way_merge
from adoption.animals import form_fields, staff_edits
from adoption.animals.bonds import mates_named, naming
from adoption.animals.form_fields import Values
from adoption.animals.microchips import chip_holder
from adoption.animals.staff_edits import OpenedAnimal
from adoption.animals.unique_codes import code_holder, taken_by
from adoption.translations import gettext, ngettext
from portal.staff.animals.form_fields import QUESTIONS, FormQuestion
from portal.staff.edit_conflicts import FieldConflict


class AnimalFormField(NamedTuple):
    """A field, as the template shows it."""

    name: str
    data: str
    errors: tuple[str, ...]
    question: FormQuestion

    @property
    def target(self) -> str:
        """The id of the control that a link leads to. If there are several choices, it is the first."""
        choices = self.question.choices
        several = self.question.kind in ("segments", "status", "visibility") and choices
        return f"{self.name}-{choices[0][0] or 'none'}" if several else self.name


class AnimalForm:
    def __init__(self, texts: Mapping[str, str], animal_id: int | None = None, opened: str = "") -> None:
        self.texts = {name: texts.get(name, "") for name in QUESTIONS}
        self.animal_id = animal_id
        self.opened = texts.get("opened", opened)
        """Fingerprints of the fields at the time when the form was opened.

        The text is made by ``three_way_merge.format_fingerprints``.
        """
        self.choices = {
            field: texts[f"keep-{field}"] for field in staff_edits.COLUMNS if texts.get(f"keep-{field}")
        }
        """For each field that someone else has also changed: whose value to keep."""
        self.tell = texts.get("tell", "")
        """Whether to email the applicants of an animal that is marked as adopted: ``yes`` or ``no``."""
        self.wrong: dict[str, str] = {}
        self.more_wrong: list[tuple[str, str]] = []
        """Errors that belong to no field. Each has the id of a control and what to do."""

    @classmethod
    def of(
        cls, values: Values, mates: list[tuple[int, str]], opened: OpenedAnimal | None = None
    ) -> "AnimalForm":
        """Return a form that shows these values."""
        texts = form_fields.animal_form_texts(values) | {"bonded_with": naming(mates)}
        return cls(
            texts, *((opened.id, three_way_merge.format_fingerprints(opened.fingerprints)) if opened else ())
        )

    def field(self, name: str) -> AnimalFormField:
        return AnimalFormField(
            name, self.texts[name], tuple(filter(None, [self.wrong.get(name)])), QUESTIONS[name]
        )

    def check(self, session: Session, project_id: int, today: date, known: Values | None = None) -> Values:
        """Return the values.

        They are valid unless ``failed``. ``known`` are the animal's values before the edit.
        """
        known = dict(known or {})
        as_typed = self.texts["microchip"]
        if three_way_merge.fingerprint([as_typed]) == three_way_merge.parse_fingerprints(self.opened).get(
            "microchip"
        ):
            known["microchip"] = as_typed  # the form was opened with it, though someone has changed it since
        values, self.wrong = form_fields.parse_animal_form(self.texts, today, known)
        try:
            mates = mates_named(session, project_id, self.texts["bonded_with"], self.animal_id)
            values["bonded_with"] = [id_ for id_, _ in mates]
        except ValueError as error:
            self.wrong["bonded_with"] = str(error)
        holder = code_holder(session, project_id, values.get("code"), self.animal_id)
        if holder is not None:
            self.wrong["code"] = taken_by(holder)
        chip = values.get("microchip")
        if chip and chip != known.get("microchip"):
            other = chip_holder(session, project_id, chip, self.animal_id)
            if other is not None:
                self.wrong["microchip"] = gettext(
                    "%(animal)s has this microchip already. Check both numbers", animal=other
                )
        return values

    def check_only(
        self, name: str, session: Session, project_id: int, today: date, known: Values | None = None
    ) -> AnimalFormField:
        """Return one field, checked by the same rules."""
        self.check(session, project_id, today, known)
        return self.field(name)

    @property
    def failed(self) -> bool:
        return bool(self.wrong or self.more_wrong)

    @property
    def title(self) -> str:
        number = len(self.summary)
        return ngettext(
            "Nothing is saved yet: %(num)s thing to fix",
            "Nothing is saved yet: %(num)s things to fix",
            number,
        )

    @property
    def summary(self) -> list[tuple[str, str]]:
        """The errors in the order of the page, each with the id of its control."""
        of_fields = [(self.field(name).target, self.wrong[name]) for name in QUESTIONS if name in self.wrong]
        return of_fields + self.more_wrong


def field_label(field: str) -> str:
    return gettext(QUESTIONS[FIRST_QUESTION.get(field, field)].label)


def value_in_words(field: str, texts: Mapping[str, str]) -> str:
    """Return a field's value in words."""
    if field == "fee_cents" and texts["fee"] == "money":
        return texts["fee_amount"]
    name = FIRST_QUESTION.get(field, field)
    return QUESTIONS[name].answer_in_words(texts[name])


def texts_of(values: Values, bonded_with: str) -> dict[str, str]:
    return form_fields.animal_form_texts(values) | {"bonded_with": bonded_with}


def animal_conflict(field: str, now: OpenedAnimal, values: Values, bonded_with: str) -> FieldConflict:
    """Return the choice between the two values of a field.

    ``bonded_with`` is the text in the user's own form.
    """
    theirs = texts_of(now.values, naming(now.mates))
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
    """Put the values that someone else has saved into these fields of the form."""
    theirs = texts_of(now.values, naming(now.mates))
    for field in fields:
        for name in QUESTIONS_OF.get(field, (field,)):
            form.texts[name] = theirs[name]
    prints = three_way_merge.parse_fingerprints(form.opened)
    form.opened = three_way_merge.format_fingerprints(
        prints | {field: now.fingerprints[field] for field in fields}
    )


FIRST_QUESTION = {"fee_cents": "fee"}
"""The question that has the label of a field, if their names differ."""
QUESTIONS_OF = {
    "fee_cents": ("fee", "fee_amount"),
    "birth_date": ("birth_date", "birth_date_estimated", "age"),
}
"""The questions of each field that has several."""
