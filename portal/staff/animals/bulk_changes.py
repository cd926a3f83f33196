"""Changes in the list of animals, each with its undo.

A change is of one animal in its row, or of several animals.
"""

from datetime import UTC, datetime

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import bulk_changes, bulk_undo
from adoption.animals.allowed_values import STATUSES
from adoption.animals.bulk_changes import Done
from adoption.animals.change_author import Editor
from adoption.animals.staff_list import StaffListRow, tally_of
from adoption.errors import Conflict
from adoption.orders.manual_adoptions import mark_adopted
from adoption.orders.suggested_texts import ANIMALS
from adoption.storage.database import reading
from adoption.translations import gettext, ngettext
from portal import animal_labels, htmx
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.unsaved_forms import show_after_error
from portal.staff import may, staff
from portal.staff.animals.change_labels import change_sentence, names_or_number, stays_hidden, undone_in_words
from portal.staff.animals.list_page import care_in_words, find_row, line_of
from portal.staff.animals.manual_adoption_confirmation import (
    closing_result,
    question_for,
    suggested_closing_form,
)
from portal.staff.animals.selections import (
    Selection,
    back_to_list,
    found_selection,
    selected_names,
    selection,
    state,
)
from portal.staff.applications.decision_forms import EmailToOthersForm
from portal.staff.applications.pages import staff_member_of
from portal.url_converters import parse_id

BUTTONS = {
    "list": ("listed", "yes"),
    "hide": ("listed", "no"),
    "hold": ("on_hold", "yes"),
    "unhold": ("on_hold", "no"),
    "unquarantine": ("in_quarantine", "no"),
    "restore": ("removed", "no"),
}
"""The change of each button, and its value. A removal is confirmed first."""
ADOPTED = ("status", "sold")
PAGES = {"remove": ".remove_animals", "details": ".change_details"}
"""The page that each button leads to before the change."""


def editor(access: ProjectAccess) -> Editor:
    return Editor(actor(), access.account.id, access.project.id)


@staff.post("/animals/<int64:animal_id>/changes")
@may("animals.edit")
def change_animal(access: ProjectAccess, animal_id: int) -> Response:
    """Change one animal from its row: by the status menu or by a button."""
    find_row(access, animal_id)
    wanted = wanted_change(request.form.get(f"status-{animal_id}", ""))
    if wanted == ADOPTED and question_for(access, [animal_id]):
        if htmx.target_id() is None:
            return see_other(url_for(".adopt_animals", id=animal_id, back=state().address()))
        return ask_about_applicants(access, Selection([animal_id], {"id": animal_id}))
    done = bulk_changes.change_animals(editor(access), [animal_id], *wanted) if wanted else Done(None, [])
    if htmx.target_id() is None:
        say_what_changed(done, wanted)
        return back_to_list()
    return changed_row(access, find_row(access, animal_id), done)


@staff.post("/animals/changes")
@may("animals.edit")
def change_animals(access: ProjectAccess) -> Response:
    """Change the selected animals.

    Removals, adoptions and changes of details have a page of their own first.
    """
    selected, what = selection(access), request.form.get("do")
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
        return see_other(url_for(page, **selected.args, back=state().address()))
    if wanted:
        say_what_changed(bulk_changes.change_animals(editor(access), selected.ids, *wanted), wanted)
    return back_to_list()


def fault_of(selected: Selection, is_known: bool) -> str:
    """Return why the selected animals cannot be changed yet. It is empty if they can be."""
    if selected.warning:
        return unchanged(selected.warning, gettext("Select them again."))
    if not selected.ids:
        return unchanged(gettext("Tick the animals first."))
    return "" if is_known else unchanged(gettext("Choose a new status before you apply it."))


def unchanged(*sentences: str) -> str:
    """Return a response that says that nothing was changed, and why."""
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
    done = mark_adopted(staff_member_of(access), editor(access), selected.ids, text)
    after = closing_result(done, question.waiting) if question and closes else ""
    say_what_changed(done.done, ADOPTED, after)
    return back_to_list()


def ask_about_applicants(
    access: ProjectAccess, selected: Selection, form: EmailToOthersForm | None = None
) -> Response:
    """Return the question. If its email must be corrected, the form is shown as it was sent."""
    question = question_for(access, selected.ids)
    if question is None:  # No one has applied, or the applications have been closed meanwhile.
        return see_other(url_for(".animals") + state().address())
    shown = {
        "question": question,
        "form": form or suggested_closing_form(access, selected.ids),
        "placeholder": ANIMALS,
        "action": url_for(".adopt_animals", **selected.args, back=state().address()),
        "back": url_for(".animals") + state().address(),
    }
    if htmx.target_id() is None:
        return make_response(render_template("staff/animals/adoption.html", **shown), 422 if form else 200)
    return htmx.open_dialog(render_template("staff/animals/_adoption_dialog.html", **shown))


@staff.route("/animals/removal", methods=["GET", "POST"])
@may("animals.edit")
def remove_animals(access: ProjectAccess) -> Response:
    selected = found_selection(access)
    if request.method == "POST" and not selected.warning:
        done = bulk_changes.change_animals(editor(access), selected.ids, "removed", "yes")
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
        url_for(".remove_animals", **selected.args, back=state().address()),
        gettext("Remove %(names)s", names=who),
        gettext("Keep %(names)s", names=who),
        url_for(".animals") + state().address(),
    )


@staff.post("/animals/changes/<int64:change_id>/reversal")
@may("animals.edit")
def take_back(access: ProjectAccess, change_id: int) -> Response:
    try:
        undone = bulk_undo.undo_bulk_change(editor(access), change_id)
    except Conflict as refusal:
        sentence, tone = refusal.sentence, "warn"
    else:
        sentence, tone = undone_in_words(undone), "warn" if undone.kept else "good"
    row = parse_id(request.form.get("row", ""))
    if row and htmx.target_id() is not None:
        return changed_row(access, find_row(access, row), sentence=sentence)
    notice(sentence, tone)
    return back_to_list()


def wanted_change(status: str) -> tuple[str, str] | None:
    """Return the change of a button, and its value. It is None if the button is unknown."""
    what = request.form.get("do", "")
    if what == "status":
        return ("status", status) if status in STATUSES else None
    return BUTTONS.get(what)


def say_what_changed(done: Done, wanted: tuple[str, str] | None, after: str = "") -> None:
    """Show on the next page what was changed, with an undo button."""
    hidden = stays_hidden(done.kept_hidden)
    if wanted is None or done.change_id is None:
        notice(unchanged(hidden), "warn")
        return
    text = " ".join(
        filter(None, [change_sentence([name for _, name in done.animals], wanted), hidden, after])
    )
    notice(text, "warn" if hidden else "good", url_for(".take_back", change_id=done.change_id))


def changed_row(
    access: ProjectAccess, row: StaffListRow, done: Done | None = None, sentence: str = ""
) -> Response:
    """Return the current row and the totals above the table, with an undo button."""
    with reading() as session:
        care = care_in_words(tally_of(session, access.project.id))
    sentence = sentence or change_sentence([row.name], ("status", row.status))
    text = render_template(
        "staff/animals/_changed.html",
        line=line_of(row, datetime.now(UTC)),
        asked=state(),
        care=care,
        statuses=animal_labels.STATUSES,
        changed=sentence,
        undo=url_for(".take_back", change_id=done.change_id) if done and done.change_id else "",
    )
    return htmx.announced_fragment(text, sentence)
