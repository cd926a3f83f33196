"""The questions of a shelter's adoption form: standard questions, and up to ten of the shelter's own.

Every form also asks for name and email. A stored form is one list, in the order of the page. Each change
replaces the whole list in one transaction. A shelter that has never changed its form has no stored form.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, NoReturn

from sqlalchemy.orm import Session

from adoption import validation
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Conflict, Invalid, NotFound
from adoption.projects.models import AdoptionForm
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction
from adoption.translations import gettext, message

OWN_QUESTIONS_MOST = 10
"""The maximum number of questions that a shelter can write for its form."""
LABEL_LONGEST, HINT_LONGEST = 200, 300
OPTIONS_LEAST, OPTIONS_MOST, OPTION_LONGEST = 2, 20, 100

STANDARD_LABELS = {
    "phone": message("Phone"),
    "home": message("Your home"),
    "household": message("Who lives with you?"),
    "why": message("Why would this animal suit your home?"),
}
KINDS = {
    "text": message("Text"),
    "choice": message("Choice from a list"),
    "yes_no": message("Yes or no"),
}
"""The kinds of answers that a shelter can choose for its own question."""


class AdoptionQuestion(NamedTuple):
    """A question of the form. The fields for name and email are not in the list of questions."""

    key: str
    """The key: ``phone``, ``home``, ``household`` or ``why``. The shelter's own questions have the keys
    ``own1``, ``own2`` and so on."""
    is_asked: bool = True
    kind: str = "standard"
    """The kind: ``standard``, or one of ``KINDS``."""
    text: str = ""
    hint: str = ""
    options: tuple[str, ...] = ()
    is_required: bool = False

    @property
    def label(self) -> str:
        return self.text or STANDARD_LABELS[self.key]

    @property
    def is_own(self) -> bool:
        return self.kind != "standard"


Questions = tuple[AdoptionQuestion, ...]

DEFAULT: Questions = tuple(AdoptionQuestion(key) for key in STANDARD_LABELS)


def parse_questions(stored: str | None) -> Questions:
    """Return the questions of a stored form. None means the default questions."""
    if stored is None:
        return DEFAULT
    return tuple(
        AdoptionQuestion(**{**each, "options": tuple(each["options"])}) for each in json.loads(stored)
    )


def load_questions(session: Session, project_id: int) -> Questions:
    form = session.get(AdoptionForm, project_id)
    return parse_questions(form.questions if form else None)


def find_question(questions: Questions, key: str) -> AdoptionQuestion:
    """Return the question with this key. Raises NotFound if the form has no such question."""
    for question in questions:
        if question.key == key:
            return question
    raise NotFound(gettext("There is no such question on your adoption form. It may have been removed."))


class OwnQuestion(NamedTuple):
    """The submitted form with one of the shelter's own questions."""

    text: str = ""
    kind: str = "text"
    hint: str = ""
    options: str = ""
    """The options of a choice, one on each line."""
    is_required: bool = False


def check_own_question(typed: OwnQuestion, others: Sequence[AdoptionQuestion]) -> dict[str, Any]:
    """Return the fields of a question. Raises Invalid, with a sentence per field, if any field is wrong."""
    values: dict[str, Any] = {"is_required": typed.is_required, "options": ()}
    violations = []
    rules: dict[str, Callable[[], Any]] = {
        "text": lambda: check_question_text(typed.text, others),
        "kind": lambda: check_kind(typed.kind),
        "hint": lambda: validation.validate_line(typed.hint, HINT_LONGEST, "the hint"),
    }
    if typed.kind == "choice":
        rules["options"] = lambda: check_options(typed.options)
    elif typed.options.strip():
        rules["options"] = refuse_options
    for name, rule in rules.items():
        try:
            values[name] = rule()
        except ValueError as error:
            violations.append((name, str(error)))
    if violations:
        raise Invalid(violations)
    return values


def check_question_text(text: str, others: Sequence[AdoptionQuestion]) -> str:
    label = validation.validate_line(text, LABEL_LONGEST, "the question")
    if not label:
        raise ValueError(gettext("Enter the question, such as “Do you have a garden?”"))
    if any(other.label.casefold() == label.casefold() for other in others):
        raise ValueError(
            gettext("Your form already has this question. Enter another question, or change that one")
        )
    return label


def check_kind(text: str) -> str:
    if text not in KINDS:
        raise ValueError(gettext("Choose how the question is answered"))
    return text


def check_options(text: str) -> tuple[str, ...]:
    text = validation.strip_bounded(OPTIONS_MOST * OPTION_LONGEST, text, "the options")
    lines = (validation.one_line(line) for line in validation.several_lines(text).split("\n"))
    options = tuple(dict.fromkeys(line for line in lines if line))
    if not OPTIONS_LEAST <= len(options) <= OPTIONS_MOST:
        raise ValueError(
            gettext(
                "Enter %(least)s to %(most)s options, one on each line; you entered %(number)s",
                least=OPTIONS_LEAST,
                most=OPTIONS_MOST,
                number=len(options),
            )
        )
    for option in options:
        validation.validate_line(option, OPTION_LONGEST, f"the option “{option[:30]}…”")
    return options


def refuse_options() -> NoReturn:
    raise ValueError(
        gettext(
            "Choose “%(kind)s” to use these options, or delete the options", kind=gettext(KINDS["choice"])
        )
    )


def add_question(
    project_id: int, typed: OwnQuestion, by: Actor, now: datetime | None = None
) -> AdoptionQuestion:
    """Add one of the shelter's own questions at the end of the form.

    Raises Invalid if a field is wrong, and Conflict if the form is full.
    """
    with changing_form(project_id, by, now) as form:
        if sum(question.is_own for question in form.questions) >= OWN_QUESTIONS_MOST:
            raise Conflict(
                gettext(
                    "A form can have at most %(limit)s questions of your own. Remove a question first.",
                    limit=OWN_QUESTIONS_MOST,
                )
            )
        added = AdoptionQuestion(f"own{form.next_number}", **check_own_question(typed, form.questions))
        form.questions, form.detail = (*form.questions, added), f"Added “{added.label}”"
    return added


def edit_question(
    project_id: int, key: str, typed: OwnQuestion, by: Actor, now: datetime | None = None
) -> AdoptionQuestion:
    """Change one of the shelter's own questions. Applications that were already sent keep the old question.

    Raises NotFound if there is no such question, and Invalid if a field is wrong.
    """
    with changing_form(project_id, by, now) as form:
        old = find_own_question(form.questions, key)
        others = [question for question in form.questions if question.key != key]
        new = old._replace(**check_own_question(typed, others))
        form.replace(new, f"Changed “{new.label}”")
    return new


def remove_question(project_id: int, key: str, by: Actor, now: datetime | None = None) -> AdoptionQuestion:
    """Remove one of the shelter's own questions. Applications that were already sent keep the answers.

    Raises NotFound if there is no such question.
    """
    with changing_form(project_id, by, now) as form:
        removed = find_own_question(form.questions, key)
        form.questions = tuple(question for question in form.questions if question.key != key)
        form.detail = f"Removed “{removed.label}”"
    return removed


def switch_question(
    project_id: int, key: str, is_asked: bool, by: Actor, now: datetime | None = None
) -> AdoptionQuestion:
    """Switch a question on or off. Raises NotFound if there is no such question."""
    with changing_form(project_id, by, now) as form:
        question = find_question(form.questions, key)._replace(is_asked=is_asked)
        form.replace(question, f"{'Asks' if is_asked else 'No longer asks'} “{question.label}”")
    return question


def reorder_questions(project_id: int, keys: Sequence[str], by: Actor, now: datetime | None = None) -> None:
    """Change the order of the questions.

    Raises Conflict if ``keys`` are not exactly the keys of the form.
    """
    with changing_form(project_id, by, now) as form:
        by_key = {question.key: question for question in form.questions}
        if sorted(keys) != sorted(by_key):
            raise Conflict(gettext("Someone else changed the form. Nothing was moved: try again."))
        form.questions, form.detail = tuple(by_key[key] for key in keys), "Changed the order"


def move_question(questions: Questions, key: str, places: int) -> list[str]:
    """Return the keys after moving a question by ``places`` positions.

    The question moves at most to the start or the end of the list. Raises NotFound if there is no such
    question.
    """
    keys = [question.key for question in questions]
    position = keys.index(find_question(questions, key).key)
    keys.insert(max(0, position + places), keys.pop(position))
    return keys


def find_own_question(questions: Questions, key: str) -> AdoptionQuestion:
    question = find_question(questions, key)
    if not question.is_own:
        raise NotFound(
            gettext("This question is part of every form. It can be switched off, but not changed.")
        )
    return question


@dataclass
class FormChange:
    questions: Questions
    next_number: int
    """The number for a new question."""
    detail: str = ""
    """A sentence about the change, for the audit log."""

    def replace(self, new: AdoptionQuestion, detail: str) -> None:
        self.questions = tuple(new if question.key == new.key else question for question in self.questions)
        self.detail = detail


@contextmanager
def changing_form(project_id: int, by: Actor, now: datetime | None) -> Iterator[FormChange]:
    """Yield a form to change. At the end, store the changed questions, with an entry in the audit log."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = lock_project(session, project_id)
        form = session.get(AdoptionForm, project_id) or AdoptionForm(project_id=project_id, last_number=0)
        before = parse_questions(form.questions)
        change = FormChange(before, form.last_number + 1)
        yield change
        if change.questions == before:
            return
        if len(change.questions) > len(before):
            form.last_number += 1
        form.questions = json.dumps([each._asdict() for each in change.questions], ensure_ascii=False)
        form.changed_at = now
        session.add(form)
        detail = change.detail
        trail.record(session, by, "form.changed", project.account_id, project_id, project.name, detail, now)
