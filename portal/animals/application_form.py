"""The application form on an animal's page. ``application_form_seal`` signs it."""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from flask import current_app
from wtforms import Field, RadioField, SelectMultipleField, StringField, TextAreaField

from adoption.animals.page_paths import animal_path
from adoption.animals.public_profiles import Profile
from adoption.orders import validation
from adoption.orders.validation import COMPANY, Answers
from adoption.projects.adoption_forms import AdoptionQuestion
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext
from adoption.validation import validate_phone
from portal.animals.application_form_seal import LONGEST, new_seal, read_seal
from portal.base_form import CheckedForm
from portal.translated_labels import Labels

COMPANY_LABELS = Labels(
    {
        "young": message("Children under 8"),
        "older": message("Children 8 and over"),
        "cats": message("Cats"),
        "dogs": message("Dogs"),
    }
)


class QuestionsForm(CheckedForm):
    """The questions of an adoption form.

    A subclass from ``form_asking`` also has a field for each of the shelter's own questions.
    """

    name = StringField()
    email = StringField()
    phone = StringField()
    home = RadioField(choices=validation.HOMES, validate_choice=False)
    household = SelectMultipleField(choices=COMPANY, validate_choice=False, default=())
    why = TextAreaField()

    def __init__(self, questions: Sequence[AdoptionQuestion], animals: str, sent: Any = None) -> None:
        super().__init__(sent)
        self.questions = [question for question in questions if question.is_asked]
        self.animals = animals
        for question in questions:
            if not question.is_asked:
                del self[question.key]

    @property
    def company(self) -> Iterable[tuple[str, str]]:
        """The value and the label of each choice of ``household``."""
        return COMPANY_LABELS.items()

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        own = {q.key: [partial(check_own, question=q)] for q in self.questions if q.is_own}
        return bool(super().validate({**own, **(extra_validators or {})}))

    def validate_name(self, field: Field) -> None:
        self.check(field, validation.check_applicant_name)

    def validate_email(self, field: Field) -> None:
        self.check(field, validation.check_applicant_email)

    def validate_phone(self, field: Field) -> None:
        self.check(field, validate_phone)

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
    """Return a subclass of ``QuestionsForm`` with a field for each of the shelter's own questions."""
    own = {question.key: StringField() for question in questions if question.is_own}
    return type(kind.__name__, (kind,), own) if own else kind


class ApplicationForm(QuestionsForm):
    """The form on an animal's page. The function ``application_form`` returns such a form."""

    form = StringField()
    """The seal."""
    subject = StringField()
    """A hidden field that only bots fill in."""

    failed = False
    """Whether the form was sent with an error."""
    trapped = False
    """Whether a visitor has filled in the hidden field for the first time."""
    saved = True
    """Whether the form was saved. False only if the form is valid, but an error prevented saving."""
    refusal = ""
    """The reason why the form was not saved. Empty if the reason is a failure of the database."""

    def __init__(self, animal: Profile, sent: Any = None, now: float | None = None) -> None:
        animals = join_names([animal.name, *(mate.name for mate in animal.mates if mate.status != "sold")])
        super().__init__(animal.questions, animals, sent)
        self.animal = animal
        self.address = animal_path(animal.id, animal.name).removeprefix("/animals/")
        self.now = time.time() if now is None else now
        seal = read_seal(self.form.data or "", animal.id, self.now)
        self.is_current = seal is not None and self.now - seal.opened_at < LONGEST
        # Without a valid seal the client never had the form, so a quick answer is still a sign of a bot.
        self.opened = (
            seal if seal and self.is_current else new_seal(animal.id, self.now, is_retry=seal is not None)
        )

    @property
    def days_kept(self) -> int:
        days: int = current_app.config["HOMEWARD"].keep_applications_days
        return days

    @property
    def seal(self) -> str:
        return self.opened.sealed()

    def answers(self) -> Answers | None:
        """Return the valid answers. If an answer is invalid, return None and set ``failed``."""
        self.trapped = bool(self.subject.data) and not self.opened.was_trapped
        if self.trapped:
            self.opened = self.opened._replace(was_trapped=True)
        self.failed = not self.validate() or not self.is_current or self.trapped
        if self.failed:
            return None
        standard = [question.key for question in self.questions if not question.is_own]
        household = self.household.data if "household" in standard else ()
        own = [question for question in self.questions if question.is_own]
        return Answers(
            name=self.cleaned["name"],
            email=self.cleaned["email"],
            phone=self.cleaned.get("phone", ""),
            home=self.cleaned.get("home", ""),
            household=tuple(company for company in COMPANY if company in household),
            why=self.cleaned.get("why", ""),
            asked=tuple(standard),
            own_answers=tuple((question.label, self.cleaned[question.key]) for question in own),
        )

    @property
    def seconds(self) -> float | None:
        """The seconds for which the form was open. None if the form was sent before."""
        return None if self.opened.is_retry else self.now - self.opened.opened_at

    @property
    def title(self) -> str:
        if not self.errors:
            if self.is_current:
                return gettext("Send your application again")
            return gettext("This form was open for too long")
        return ngettext(
            "One answer needs another look", "%(num)s answers need another look", len(self.errors)
        )

    @property
    def summary(self) -> list[tuple[str, str]]:
        """The fields to correct with their errors, in the order of the form."""
        order = ["name", "email", *(question.key for question in self.questions)]
        wrong = sorted(super().summary, key=lambda error: order.index(error[0]))
        if wrong:
            return wrong
        if not self.is_current:
            return [("name", gettext("Check your answers, then send them again"))]
        return [
            (
                "name",
                gettext(
                    "A hidden field was filled in, perhaps by your browser. "
                    "Check your answers, then send them again"
                ),
            )
        ]


def application_form(
    animal: Profile, sent: Any = None, now: float | None = None, kind: type[ApplicationForm] = ApplicationForm
) -> ApplicationForm:
    """Return the form of an animal's page with its shelter's questions."""
    return form_asking(kind, animal.questions)(animal, sent, now)
