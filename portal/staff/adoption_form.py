"""The settings page of the adoption form: its standard questions and the shelter's own questions."""

from typing import Any

from flask import Response, make_response, render_template, request, url_for
from wtforms import BooleanField, Form, StringField, TextAreaField

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict, Invalid
from adoption.projects import adoption_forms as forms
from adoption.projects.adoption_forms import AdoptionQuestion, OwnQuestion, Questions
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.animals.application_form import QuestionsForm, form_asking
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff

PREVIEW_ANIMAL = message("Biscuit")
"""The name of the animal in the preview of the questions."""


class OwnQuestionForm(Form):
    text = StringField()
    kind = StringField(default="text")
    hint = StringField()
    options = TextAreaField()
    is_required = BooleanField()

    def typed(self) -> OwnQuestion:
        return OwnQuestion(
            self.text.data or "",
            self.kind.data or "",
            self.hint.data or "",
            self.options.data or "",
            self.is_required.data,
        )

    def show(self, refusal: Invalid) -> None:
        """Show each error at its field."""
        for name, reason in refusal.violations:
            self[name].errors = [reason]

    @property
    def failures(self) -> list[tuple[str, str]]:
        """The ids of the fields to correct, each with its error."""
        return [(name, field.errors[0]) for name, field in self._fields.items() if field.errors]


@staff.get("/adoption-form")
@may("project.see")
def adoption_form(access: ProjectAccess) -> Response:
    return form_page(access, OwnQuestionForm())


@staff.post("/adoption-form/questions")
@may("project.edit")
def add_question(access: ProjectAccess) -> Response:
    form = OwnQuestionForm(request.form)
    try:
        added = forms.add_question(access.project.id, form.typed(), actor())
    except Invalid as refusal:
        form.show(refusal)
        return form_page(access, form, status=422)
    except Conflict as refusal:
        return form_page(access, form, refusal.sentence, 409)
    notice(gettext("Added “%(question)s”. Adopters see it now.", question=added.label))
    return to_question(added)


@staff.route("/adoption-form/questions/<key>", methods=["GET", "POST"])
@may("project.edit")
def edit_question(access: ProjectAccess, key: str) -> Response:
    if request.method != "POST":
        question = forms.find_own_question(form_questions(access), key)
        return edit_page(question, question_form(question))
    form = OwnQuestionForm(request.form)
    try:
        edited = forms.edit_question(access.project.id, key, form.typed(), actor())
    except Invalid as refusal:
        form.show(refusal)
        return edit_page(forms.find_own_question(form_questions(access), key), form, 422)
    notice(
        gettext(
            "Saved “%(question)s”. Applications that were sent before keep the earlier question.",
            question=edited.label,
        )
    )
    return to_question(edited)


@staff.route("/adoption-form/questions/<key>/removal", methods=["GET", "POST"])
@may("project.edit")
def remove_question(access: ProjectAccess, key: str) -> Response:
    if request.method == "POST":
        removed = forms.remove_question(access.project.id, key, actor())
        notice(gettext("Removed “%(question)s”.", question=removed.label))
        return see_other(url_for(".adoption_form", _anchor="questions"))
    question = forms.find_own_question(form_questions(access), key)
    return ask_to_confirm(
        gettext("Remove “%(question)s”?", question=question.label),
        gettext(
            "Adopters are no longer asked. Answers that you already have stay in their applications. "
            "The question itself is deleted; to keep it for later, switch it off instead."
        ),
        url_for(".remove_question", key=key),
        gettext("Remove question"),
        gettext("Keep question"),
        url_for(".adoption_form", _anchor=f"question-{key}"),
    )


@staff.post("/adoption-form/questions/<key>/asked")
@may("project.edit")
def switch_question(access: ProjectAccess, key: str) -> Response:
    is_asked = request.form.get("asked") == "yes"
    question = forms.switch_question(access.project.id, key, is_asked, actor())
    label = question.label if question.is_own else gettext(question.label)
    if is_asked:
        notice(gettext("Adopters are asked “%(question)s”.", question=label))
    else:
        notice(gettext("Adopters are no longer asked “%(question)s”.", question=label))
    return to_question(question)


@staff.post("/adoption-form/order")
@may("project.edit")
def reorder_questions(access: ProjectAccess) -> Response:
    questions = form_questions(access)
    order = request.form.get("order", "").split(",")
    key = ""
    for direction, places in (("up", -1), ("down", 1)):
        if key := request.form.get(direction, ""):
            order = forms.move_question(questions, key, places)
            break
    try:
        forms.reorder_questions(access.project.id, order, actor())
        notice(gettext("The order is saved."))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return see_other(url_for(".adoption_form", _anchor=f"question-{key}" if key else "questions"))


def form_questions(access: ProjectAccess) -> Questions:
    with reading() as session:
        return forms.load_questions(session, access.project.id)


def to_question(question: AdoptionQuestion) -> Response:
    return see_other(url_for(".adoption_form", _anchor=f"question-{question.key}"))


def question_form(question: AdoptionQuestion) -> OwnQuestionForm:
    return OwnQuestionForm(data={**question._asdict(), "options": "\n".join(question.options)})


def form_page(access: ProjectAccess, form: OwnQuestionForm, refusal: str = "", status: int = 200) -> Response:
    questions = form_questions(access)
    own = sum(question.is_own for question in questions)
    values: dict[str, Any] = {
        "questions": questions,
        "form": form,
        "refusal": refusal,
        "kinds": forms.KINDS,
        "own": own,
        "left": forms.OWN_QUESTIONS_MOST - own,
        "preview": form_asking(QuestionsForm, questions)(questions, gettext(PREVIEW_ANIMAL)),
    }
    return make_response(render_template("staff/adoption_form/index.html", **values), status)


def edit_page(question: AdoptionQuestion, form: OwnQuestionForm, status: int = 200) -> Response:
    values = {"question": question, "form": form, "kinds": forms.KINDS}
    return make_response(render_template("staff/adoption_form/edit.html", **values), status)
