"""The form of an animal: what was written in it stays, whether it can be right or not."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.animals import entries
from adoption.animals.bonds import mates_named, naming
from adoption.animals.editing import Opened, code_holder, taken_by
from adoption.animals.entries import Values
from portal.staff.animal_questions import QUESTIONS, Question
from portal.words import counted

NUMBERS = ("No", "One thing", "Two things", "Three things", "Four things", "Five things")


class Field(NamedTuple):
    """A field, as the template shows it."""

    name: str
    data: str
    errors: tuple[str, ...]
    question: Question

    @property
    def target(self) -> str:
        """Id of the control that a link leads to: of several choices the first."""
        choices = self.question.choices
        several = self.question.kind in ("segments", "status") and choices
        return f"{self.name}-{choices[0][0] or 'none'}" if several else self.name


class AnimalForm:
    def __init__(self, texts: Mapping[str, str], animal_id: int | None = None, opened: str = "") -> None:
        self.texts = {name: texts.get(name, "") for name in QUESTIONS}
        self.animal_id = animal_id
        self.opened = texts.get("opened", opened)
        """The fingerprint of the animal when the form was opened."""
        self.wrong: dict[str, str] = {}
        self.more_wrong: list[tuple[str, str]] = []
        """What is wrong beside the fields: where, and what to do."""

    @classmethod
    def of(cls, values: Values, mates: list[tuple[int, str]], opened: Opened | None = None) -> "AnimalForm":
        """A form that shows these values."""
        texts = entries.written(values) | {"bonded_with": naming(mates)}
        return cls(texts, *((opened.id, opened.fingerprint) if opened else ()))

    def field(self, name: str) -> Field:
        return Field(name, self.texts[name], tuple(filter(None, [self.wrong.get(name)])), QUESTIONS[name])

    def check(self, session: Session, project_id: int, today: date) -> Values:
        """The values; ``failed`` then tells whether they may be kept."""
        values, self.wrong = entries.read(self.texts, today)
        try:
            mates = mates_named(session, project_id, self.texts["bonded_with"], self.animal_id)
            values["bonded_with"] = [id_ for id_, _ in mates]
        except ValueError as error:
            self.wrong["bonded_with"] = str(error)
        holder = code_holder(session, project_id, values.get("code"), self.animal_id)
        if holder is not None:
            self.wrong["code"] = taken_by(holder)
        return values

    def check_only(self, name: str, session: Session, project_id: int, today: date) -> Field:
        """One field, by the same rules."""
        self.check(session, project_id, today)
        return self.field(name)

    @property
    def failed(self) -> bool:
        return bool(self.wrong or self.more_wrong)

    @property
    def title(self) -> str:
        number = len(self.summary)
        told = NUMBERS[number] if number < len(NUMBERS) else counted(number, "thing")
        return f"Nothing is saved yet: {told.lower()} to fix"

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Where to go, and what to do there, in the order of the page."""
        told = [(self.field(name).target, self.wrong[name]) for name in QUESTIONS if name in self.wrong]
        return told + self.more_wrong


class Difference(NamedTuple):
    label: str
    now: str
    yours: str


def differences(now: Opened, yours: AnimalForm, values: Values) -> list[Difference]:
    """The fields that somebody else left otherwise than this form would."""
    theirs = entries.written(now.values) | {"bonded_with": naming(now.mates)}
    mine = entries.written(values) | {"bonded_with": yours.texts["bonded_with"]}
    if sorted(values["bonded_with"]) == sorted(now.values["bonded_with"]):
        mine["bonded_with"] = theirs["bonded_with"]
    return [
        Difference(question.label, question.said(theirs[name]), question.said(mine[name]))
        for name, question in QUESTIONS.items()
        if theirs[name] != mine[name]
    ]
