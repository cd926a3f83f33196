"""The form of an application: what stands in it, and the seal that says when it was opened.

Adopters have no session, and a shelter's site sets no cookie, so there is none for a forged request to
borrow: the usual protection by cookie would guard nothing. What the form needs instead it carries along,
signed by us: which form it is, so that sending it twice is one application, and when it was opened.
"""

import secrets
import time
from typing import Any, NamedTuple

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer
from wtforms import Field, RadioField, SelectMultipleField, StringField, TextAreaField

from adoption.animals.profiles import Profile
from adoption.fields import phone
from adoption.orders import fields
from adoption.orders.fields import COMPANY, Answers
from adoption.words import listed
from portal.cards import address_of
from portal.forms import Checked

LONGEST = 2 * 86_400
"""Seconds that a form is good for: browsers keep its page for a day, and it may stand open for another."""

COMPANY_LABELS = {
    "young": "Children under 8",
    "older": "Children 8 and over",
    "cats": "Cats",
    "dogs": "Dogs",
}
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five")
ASK_AGAIN = "Check your answers, then send them again"
TRAPPED = "A hidden field was filled in, perhaps by your browser. Check your answers, then send them again"


class Seal(NamedTuple):
    """What a form carries along."""

    form: str
    animal_id: int
    opened_at: float
    anew: bool
    """Whether the answers were there from an earlier try, and so sending at once is no sign of a program."""
    trapped: bool = False
    """Whether the hidden field was filled in before. A browser's autofill gets a second try."""

    def sealed(self) -> str:
        return str(sealer().dumps(self))


def sealer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="application form")


def fresh_seal(animal_id: int, now: float, anew: bool = False) -> Seal:
    return Seal(secrets.token_urlsafe(16), animal_id, now, anew)


def our_seal(text: str, animal_id: int, now: float) -> Seal | None:
    """The seal, however old; None where it is not ours, or of another animal's form."""
    try:
        seal = Seal(*sealer().loads(text))
    except BadData:
        return None
    return seal if seal.animal_id == animal_id and seal.opened_at <= now else None


class ApplicationForm(Checked):
    """The questions that ``adoption.orders.fields`` checks. It keeps what was sent as it was typed."""

    name = StringField()
    email = StringField()
    phone = StringField()
    home = RadioField(choices=fields.HOMES, validate_choice=False)
    household = SelectMultipleField(choices=COMPANY, validate_choice=False, default=())
    why = TextAreaField()
    form = StringField()
    """The seal."""
    subject = StringField()
    """The trap."""

    company = tuple(COMPANY_LABELS.items())
    failed = False
    """Whether it was sent and needs a second look."""
    trapped = False
    """Whether the hidden field alone is the reason."""
    saved = True
    """False where it was sent and is right, and the database could not take it."""

    def __init__(self, animal: Profile, sent: Any = None, now: float | None = None) -> None:
        super().__init__(sent)
        self.animal = animal
        self.address = address_of(animal.id, animal.name).removeprefix("/animals/")
        self.animals = listed([animal.name, *(mate.name for mate in animal.mates if mate.status != "sold")])
        self.now = time.time() if now is None else now
        known = our_seal(self.form.data or "", animal.id, self.now)
        self.is_ours = known is not None and self.now - known.opened_at < LONGEST
        # Whoever never had a form of ours has not read this one yet.
        self.opened = (
            known if known and self.is_ours else fresh_seal(animal.id, self.now, anew=known is not None)
        )

    @property
    def seal(self) -> str:
        return self.opened.sealed()

    def answers(self) -> Answers | None:
        """What was sent, checked; None where it needs a second look, which ``failed`` then tells."""
        self.trapped = bool(self.subject.data) and not self.opened.trapped
        if self.trapped:
            self.opened = self.opened._replace(trapped=True)
        self.failed = not self.validate() or not self.is_ours or self.trapped
        if self.failed:
            return None
        household = tuple(each for each in COMPANY if each in self.household.data)
        return Answers(household=household, **self.cleaned)

    @property
    def seconds(self) -> float | None:
        return None if self.opened.anew else self.now - self.opened.opened_at

    @property
    def title(self) -> str:
        if not self.errors:
            return "Send your application again" if self.is_ours else "This form was open for too long"
        number = len(self.errors)
        return f"{NUMBERS[number]} {'answer needs' if number == 1 else 'answers need'} another look"

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Where to go, and what to do there."""
        return super().summary or [("name", TRAPPED if self.is_ours else ASK_AGAIN)]

    def validate_name(self, field: Field) -> None:
        self.check(field, fields.applicant)

    def validate_email(self, field: Field) -> None:
        self.check(field, fields.email)

    def validate_phone(self, field: Field) -> None:
        self.check(field, phone)

    def validate_home(self, field: Field) -> None:
        self.check(field, fields.home)

    def validate_why(self, field: Field) -> None:
        self.check(field, lambda text: fields.why(text, self.animals))
