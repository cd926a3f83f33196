"""The form of an application: its fields, and the seal that says when it was opened.

Adopters have no session, and a shelter's site sets no cookie, so there is none for a forged request to
borrow: the usual protection by cookie would guard nothing. What the form needs instead it carries along,
signed by us: which form it is, so that sending it twice is one application, and when it was opened.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer
from wtforms import Field, Form, RadioField, SelectMultipleField, StringField, TextAreaField

from adoption.animals.profiles import Profile
from adoption.orders import validation
from adoption.orders.validation import COMPANY, Answers
from adoption.projects.adoption_forms import AdoptionQuestion
from adoption.text_joining import listed
from adoption.validation import phone
from portal.animals.cards import animal_path
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
        return str(form_sealer().dumps(self))


def form_sealer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="application form")


def fresh_seal(animal_id: int, now: float, anew: bool = False) -> Seal:
    return Seal(secrets.token_urlsafe(16), animal_id, now, anew)


def our_seal(text: str, animal_id: int, now: float) -> Seal | None:
    """The seal, however old; None where it is not ours, or of another animal's form."""
    try:
        seal = Seal(*form_sealer().loads(text))
    except BadData:
        return None
    return seal if seal.animal_id == animal_id and seal.opened_at <= now else None


class QuestionsForm(Checked):
    """The questions of an adoption form; what was sent stays in it as it was typed.

    ``form_asking`` makes the class that has a field for each of the shelter's own questions.
    """

    name = StringField()
    email = StringField()
    phone = StringField()
    home = RadioField(choices=validation.HOMES, validate_choice=False)
    household = SelectMultipleField(choices=COMPANY, validate_choice=False, default=())
    why = TextAreaField()

    company = tuple(COMPANY_LABELS.items())

    def __init__(self, questions: Sequence[AdoptionQuestion], animals: str, sent: Any = None) -> None:
        super().__init__(sent)
        self.questions = [question for question in questions if question.is_asked]
        self.animals = animals
        for question in questions:
            if not question.is_asked:
                del self[question.key]

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        own = {each.key: [partial(check_own, question=each)] for each in self.questions if each.is_own}
        return bool(super().validate({**own, **(extra_validators or {})}))

    def validate_name(self, field: Field) -> None:
        self.check(field, validation.check_applicant_name)

    def validate_email(self, field: Field) -> None:
        self.check(field, validation.check_applicant_email)

    def validate_phone(self, field: Field) -> None:
        self.check(field, phone)

    def validate_home(self, field: Field) -> None:
        self.check(field, validation.check_home)

    def validate_why(self, field: Field) -> None:
        self.check(field, lambda text: validation.check_why(text, self.animals))


def check_own(form: QuestionsForm, field: Field, question: AdoptionQuestion) -> None:
    form.check(field, partial(validation.check_own_answer, question=question))


AnyQuestionsForm = TypeVar("AnyQuestionsForm", bound=QuestionsForm)


def form_asking(
    kind: type[AnyQuestionsForm], questions: Sequence[AdoptionQuestion]
) -> type[AnyQuestionsForm]:
    """Return the kind of form with a field for each of the shelter's own questions."""
    own = {question.key: StringField() for question in questions if question.is_own}
    return type(kind.__name__, (kind,), own) if own else kind


class ApplicantNameForm(Form):  # type: ignore[misc]  # the library has no types
    """The question on the private page before it shows what was sent."""

    name = StringField()


class ApplicationForm(QuestionsForm):
    """The form on an animal's page. Make one with ``application_form``."""

    form = StringField()
    """The seal."""
    subject = StringField()
    """The trap."""

    failed = False
    """Whether it was sent and needs a second look."""
    trapped = False
    """Whether the hidden field alone is the reason."""
    saved = True
    """False where it was sent and is right, and was not taken."""
    refusal = ""
    """Why it was not taken, if not for the database."""

    def __init__(self, animal: Profile, sent: Any = None, now: float | None = None) -> None:
        animals = listed([animal.name, *(mate.name for mate in animal.mates if mate.status != "sold")])
        super().__init__(animal.questions, animals, sent)
        self.animal = animal
        self.address = animal_path(animal.id, animal.name).removeprefix("/animals/")
        self.now = time.time() if now is None else now
        known = our_seal(self.form.data or "", animal.id, self.now)
        self.is_ours = known is not None and self.now - known.opened_at < LONGEST
        # Whoever never had a form of ours has not read this one yet.
        self.opened = (
            known if known and self.is_ours else fresh_seal(animal.id, self.now, anew=known is not None)
        )

    @property
    def days_kept(self) -> int:
        days: int = current_app.config["HOMEWARD"].keep_applications_days
        return days

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
        asked = [question.key for question in self.questions if not question.is_own]
        household = self.household.data if "household" in asked else ()
        own = [question for question in self.questions if question.is_own]
        return Answers(
            name=self.cleaned["name"],
            email=self.cleaned["email"],
            phone=self.cleaned.get("phone", ""),
            home=self.cleaned.get("home", ""),
            household=tuple(each for each in COMPANY if each in household),
            why=self.cleaned.get("why", ""),
            asked=tuple(asked),
            own_answers=tuple((each.label, self.cleaned[each.key]) for each in own),
        )

    @property
    def seconds(self) -> float | None:
        return None if self.opened.anew else self.now - self.opened.opened_at

    @property
    def title(self) -> str:
        if not self.errors:
            return "Send your application again" if self.is_ours else "This form was open for too long"
        number = len(self.errors)
        counted = NUMBERS[number] if number < len(NUMBERS) else str(number)
        return f"{counted} {'answer needs' if number == 1 else 'answers need'} another look"

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Return the fields to correct, in the order of the form, each with what to do there."""
        order = ["name", "email", *(question.key for question in self.questions)]
        wrong = sorted(super().summary, key=lambda each: order.index(each[0]))
        return wrong or [("name", TRAPPED if self.is_ours else ASK_AGAIN)]


def application_form(
    animal: Profile, sent: Any = None, now: float | None = None, kind: type[ApplicationForm] = ApplicationForm
) -> ApplicationForm:
    """Return the form of an animal's page with its shelter's questions."""
    return form_asking(kind, animal.questions)(animal, sent, now)
