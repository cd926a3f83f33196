"""The form that adds or edits an animal, with its validation. The form keeps invalid texts as typed."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption import three_way_merge
from adoption.animals import form_fields, staff_edits
from adoption.animals.bonds import format_mates, parse_mates
from adoption.animals.form_fields import Values
from adoption.animals.microchips import find_microchip_holder
from adoption.animals.staff_edits import OpenedAnimal
from adoption.animals.taken_codes import find_code_holder, taken_code_sentence
from adoption.translations import gettext, ngettext
from portal.staff.animals.form_fields import QUESTIONS, FormQuestion


class AnimalFormField(NamedTuple):
    """A field of the form, as the template shows it."""

    name: str
    data: str
    errors: tuple[str, ...]
    question: FormQuestion

    @property
    def target(self) -> str:
        """The id of the control to which an error's link leads. For a choice, the id of its first option."""
        choices = self.question.choices
        several = self.question.kind in ("segments", "status", "visibility") and choices
        return f"{self.name}-{choices[0][0] or 'none'}" if several else self.name


class AnimalForm:
    def __init__(self, texts: Mapping[str, str], animal_id: int | None = None, opened: str = "") -> None:
        self.texts = {name: texts.get(name, "") for name in QUESTIONS}
        self.animal_id = animal_id
        self.opened = texts.get("opened", opened)
        """Fingerprints of the values that the user opened, as text from
        ``three_way_merge.format_fingerprints``."""
        self.choices = {
            field: texts[f"keep-{field}"] for field in staff_edits.COLUMNS if texts.get(f"keep-{field}")
        }
        """The values that the user has chosen to keep, for fields that someone else has changed too."""
        self.tell = texts.get("tell", "")
        """The user's answer to the question whether to email the applicants for an adopted animal.

        ``yes``, ``no``, or empty if the user has not been asked yet.
        """
        self.wrong: dict[str, str] = {}
        self.more_wrong: list[tuple[str, str]] = []
        """Errors of controls that are not in ``QUESTIONS``: the id of the control, and what the user has to
        do."""

    @classmethod
    def of(
        cls, values: Values, mates: list[tuple[int, str]], opened: OpenedAnimal | None = None
    ) -> "AnimalForm":
        """Return a form that shows these values."""
        texts = form_fields.animal_form_texts(values) | {"bonded_with": format_mates(mates)}
        return cls(
            texts, *((opened.id, three_way_merge.format_fingerprints(opened.fingerprints)) if opened else ())
        )

    def field(self, name: str) -> AnimalFormField:
        return AnimalFormField(
            name, self.texts[name], tuple(filter(None, [self.wrong.get(name)])), QUESTIONS[name]
        )

    def check(self, session: Session, project_id: int, today: date, known: Values | None = None) -> Values:
        """Check the form, and return its values. If ``failed`` is set afterwards, some values are invalid.

        ``known`` are the animal's values before the edit.
        """
        known = dict(known or {})
        as_typed = self.texts["microchip"]
        if three_way_merge.fingerprint([as_typed]) == three_way_merge.parse_fingerprints(self.opened).get(
            "microchip"
        ):
            # The user has not changed the microchip, although someone else may have.
            known["microchip"] = as_typed
        values, self.wrong = form_fields.parse_animal_form(self.texts, today, known)
        try:
            mates = parse_mates(session, project_id, self.texts["bonded_with"], self.animal_id)
            values["bonded_with"] = [id_ for id_, _ in mates]
        except ValueError as error:
            self.wrong["bonded_with"] = str(error)
        holder = find_code_holder(session, project_id, values.get("code"), self.animal_id)
        if holder is not None:
            self.wrong["code"] = taken_code_sentence(holder)
        chip = values.get("microchip")
        if chip and chip != known.get("microchip"):
            other = find_microchip_holder(session, project_id, chip, self.animal_id)
            if other is not None:
                self.wrong["microchip"] = gettext(
                    "%(animal)s has this microchip already. Check both numbers", animal=other
                )
        return values

    def check_only(
        self, name: str, session: Session, project_id: int, today: date, known: Values | None = None
    ) -> AnimalFormField:
        """Check the form, and return the field with this name."""
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
        """The errors in the order of the page. Each error has the id of its control."""
        of_fields = [(self.field(name).target, self.wrong[name]) for name in QUESTIONS if name in self.wrong]
        return of_fields + self.more_wrong
