"""Changes of the animals that are selected in the list: status, visibility, holds, adoption and removal."""

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import bulk_changes
from adoption.animals.allowed_values import STATUSES
from adoption.animals.bulk_changes import BulkChangeResult
from adoption.orders.manual_adoptions import mark_adopted
from adoption.orders.suggested_texts import ANIMALS
from adoption.translations import gettext, ngettext
from portal import htmx
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.unsaved_forms import show_after_error
from portal.staff import may, staff
from portal.staff.animals.bulk_change_notices import change_sentence, names_or_number, stays_hidden
from portal.staff.animals.filters import back_to_list, list_filters
from portal.staff.animals.manual_adoption_confirmation import (
    closing_result,
    question_for,
    suggested_closing_form,
)
from portal.staff.animals.selections import Selection, found_selection, requested_selection, selected_names
from portal.staff.applications.decision_forms import EmailToOthersForm
from portal.staff.change_authors import current_editor, staff_member_of

BUTTONS = {
    "list": ("listed", "yes"),
    "hide": ("listed", "no"),
    "hold": ("on_hold", "yes"),
    "unhold": ("on_hold", "no"),
    "unquarantine": ("in_quarantine", "no"),
    "restore": ("removed", "no"),
}
"""The change that each button makes: the name of a field, and its new value."""
ADOPTED = ("status", "sold")
PAGES = {"remove": ".remove_animals", "details": ".change_details"}
"""The endpoint of the page that a button leads to, by the name of the button. Other buttons have no page."""


@staff.post("/animals/changes")
@may("animals.edit")
def change_animals(access: ProjectAccess) -> Response:
    """Change the selected animals, or redirect to a page that asks a question about the change.

    Removals, changes of details, and adoptions of animals with open applications have such a page.
    """
    selected, what = requested_selection(access), request.form.get("do")
    wanted = wanted_change(request.form.get("status", ""))
    if fault := fault_of(selected, what in PAGES or wanted is not None):
        ticked = selected.ids and not selected.warning
        if ticked and (again := show_after_error(fault, 422)):
            return again
        notice(fault, "warn")
        return back_to_list()
    page = PAGES.get(what or "")
    if wanted == ADOPTED and question_for(access, selected.ids):
        page = ".adopt_animals"
    if page:
        return see_other(url_for(page, **selected.args, back=list_filters().address()))
    if wanted:
        say_what_changed(bulk_changes.change_animals(current_editor(access), selected.ids, *wanted), wanted)
    return back_to_list()


def fault_of(selected: Selection, is_known: bool) -> str:
    """Return the reason why the selected animals cannot be changed; empty if they can be changed."""
    if selected.warning:
        return unchanged_sentence(selected.warning, gettext("Select them again."))
    if not selected.ids:
        return unchanged_sentence(gettext("Tick the animals first."))
    return "" if is_known else unchanged_sentence(gettext("Choose a new status before you apply it."))


def unchanged_sentence(*sentences: str) -> str:
    """Return a notice that nothing was changed, with the reasons in ``sentences``."""
    return " ".join(filter(None, [gettext("Nothing was changed."), *sentences]))


@staff.route("/animals/adoption", methods=["GET", "POST"])
@may("animals.edit")
def adopt_animals(access: ProjectAccess) -> Response:
    """Mark animals as adopted, with or without emails to the people who applied for them."""
    selected = found_selection(access)
    if selected.warning:
        notice(selected.warning, "warn")
        return ask_about_applicants(access, selected)
    question, tell = question_for(access, selected.ids), request.form.get("tell")
    if request.method != "POST" or (tell not in ("yes", "no") and question):
        return ask_about_applicants(access, selected)
    closes, form = tell == "yes", EmailToOthersForm(request.form)
    if closes and not form.validate():
        return ask_about_applicants(access, selected, form)
    text = form.cleaned.get("words_to_others", "") if closes else None
    done = mark_adopted(staff_member_of(access), current_editor(access), selected.ids, text)
    after = closing_result(done, question.waiting) if question and closes else ""
    say_what_changed(done.done, ADOPTED, after)
    return back_to_list()


def ask_about_applicants(
    access: ProjectAccess, selected: Selection, form: EmailToOthersForm | None = None
) -> Response:
    """Return the question whether to email the applicants.

    ``form`` is the email that the user has sent, if it contains errors.
    """
    question = question_for(access, selected.ids)
    if question is None:  # No one has applied, or a colleague has closed the applications.
        return see_other(url_for(".animals") + list_filters().address())
    shown = {
        "question": question,
        "form": form or suggested_closing_form(access, selected.ids),
        "placeholder": ANIMALS,
        "action": url_for(".adopt_animals", **selected.args, back=list_filters().address()),
        "back": url_for(".animals") + list_filters().address(),
    }
    if htmx.target_id() is None:
        return make_response(render_template("staff/animals/adoption.html", **shown), 422 if form else 200)
    return htmx.open_dialog(render_template("staff/animals/_adoption_dialog.html", **shown))


@staff.route("/animals/removal", methods=["GET", "POST"])
@may("animals.edit")
def remove_animals(access: ProjectAccess) -> Response:
    selected = found_selection(access)
    if request.method == "POST" and not selected.warning:
        done = bulk_changes.change_animals(current_editor(access), selected.ids, "removed", "yes")
        say_what_changed(done, ("removed", "yes"))
        return back_to_list()
    names = selected_names(access, selected.ids)
    effect = ngettext(
        "Visitors and the API no longer find it, and a link to its page says that it is gone. "
        "Nothing is deleted: you can restore removed animals at any time.",
        "Visitors and the API no longer find them, and a link to their pages says that they are gone. "
        "Nothing is deleted: you can restore removed animals at any time.",
        len(names),
    )
    who = names_or_number(names)
    return ask_to_confirm(
        gettext("Remove %(names)s?", names=who),
        f"{selected.warning} {effect}".strip(),
        url_for(".remove_animals", **selected.args, back=list_filters().address()),
        gettext("Remove %(names)s", names=who),
        gettext("Keep %(names)s", names=who),
        url_for(".animals") + list_filters().address(),
    )


def wanted_change(status: str) -> tuple[str, str] | None:
    """Return the change of the clicked button: a field and its new value. None if the button is unknown."""
    what = request.form.get("do", "")
    if what == "status":
        return ("status", status) if status in STATUSES else None
    return BUTTONS.get(what)


def say_what_changed(done: BulkChangeResult, wanted: tuple[str, str] | None, after: str = "") -> None:
    """Show a notice on the next page about what was changed, with an undo button."""
    hidden = stays_hidden(done.kept_hidden)
    if wanted is None or done.change_id is None:
        notice(unchanged_sentence(hidden), "warn")
        return
    text = " ".join(
        filter(None, [change_sentence([name for _, name in done.animals], wanted), hidden, after])
    )
    notice(text, "warn" if hidden else "good", url_for(".take_back", change_id=done.change_id))
